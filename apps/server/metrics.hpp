// Counts and times of requests, in Prometheus' text format.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace leitong::server {

/// The figures of one route. The network's thread writes them, any thread reads them.
class RouteFigures {
 public:
  void count(unsigned status, double seconds) noexcept;
  /// Appends its samples, labelled with the operation's name.
  void append_requests(std::string& text, std::string_view operation) const;
  void append_seconds(std::string& text, std::string_view operation) const;

 private:
  static constexpr std::array kStatuses = {200u, 201u, 204u, 400u, 401u, 403u, 404u, 405u, 408u, 409u, 411u,
                                           413u, 415u, 417u, 421u, 422u, 429u, 431u, 500u, 501u, 503u, 505u};
  static constexpr std::array kBounds = {.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1., 2.5, 10.};
  std::array<std::atomic<std::uint64_t>, kStatuses.size()> statuses_{};
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> buckets_{};
  std::atomic<std::uint64_t> nanoseconds_{0};
};

/// Appends "# HELP .." and "# TYPE ..".
void append_head(std::string& text, std::string_view name, std::string_view type, std::string_view help);
/// The same with one sample without labels.
void append_sample(std::string& text, std::string_view name, std::string_view type, std::string_view help,
                   double value);
/// Memory, descriptors and processor time of this process, by their usual names.
void append_process(std::string& text);

}  // namespace leitong::server
