#include "metrics.hpp"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <iterator>

#include "base/system.hpp"

namespace leitong::server {

void RouteFigures::count(unsigned status, double seconds) noexcept {
  const auto known = std::ranges::find(kStatuses, status);
  const auto place = known == kStatuses.end() ? std::ranges::find(kStatuses, 500u) : known;
  ++statuses_[static_cast<std::size_t>(place - kStatuses.begin())];
  const auto bucket = std::ranges::lower_bound(kBounds, seconds) - kBounds.begin();
  ++buckets_[static_cast<std::size_t>(bucket)];
  nanoseconds_ += static_cast<std::uint64_t>(seconds * 1e9);
}

void RouteFigures::append_requests(std::string& text, std::string_view operation) const {
  for (std::size_t i = 0; i < kStatuses.size(); ++i)
    if (const std::uint64_t n = statuses_[i]; n > 0)
      fmt::format_to(std::back_inserter(text),
                     "leitong_requests_total{{operation=\"{}\",status=\"{}\"}} {}\n", operation, kStatuses[i],
                     n);
}

void RouteFigures::append_seconds(std::string& text, std::string_view operation) const {
  std::uint64_t sum = 0;
  for (const auto& bucket : buckets_) sum += bucket;
  if (sum == 0) return;  // an operation without requests
  sum = 0;
  const auto to = std::back_inserter(text);
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    sum += buckets_[i];
    fmt::format_to(to, "leitong_request_seconds_bucket{{operation=\"{}\",le=\"{}\"}} {}\n", operation,
                   kBounds[i], sum);
  }
  sum += buckets_.back();
  fmt::format_to(to,
                 "leitong_request_seconds_bucket{{operation=\"{0}\",le=\"+Inf\"}} {1}\n"
                 "leitong_request_seconds_sum{{operation=\"{0}\"}} {2}\n"
                 "leitong_request_seconds_count{{operation=\"{0}\"}} {1}\n",
                 operation, sum, static_cast<double>(nanoseconds_) / 1e9);
}

void append_head(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  fmt::format_to(std::back_inserter(text), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

void append_sample(std::string& text, std::string_view name, std::string_view type, std::string_view help,
                   double value) {
  append_head(text, name, type, help);
  fmt::format_to(std::back_inserter(text), "{} {}\n", name, value);
}

void append_process(std::string& text) {
  if (const auto resident = system::resident_bytes())
    append_sample(text, "process_resident_memory_bytes", "gauge", "Memory in use.",
                  static_cast<double>(*resident));
  if (const auto open = system::open_descriptors())
    append_sample(text, "process_open_fds", "gauge", "Open file descriptors.", static_cast<double>(*open));
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  append_sample(text, "process_cpu_seconds_total", "counter", "Processor time.",
                seconds(usage.ru_utime) + seconds(usage.ru_stime));
}

}  // namespace leitong::server
