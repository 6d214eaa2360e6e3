#include "job/resampling.hpp"

#include <fmt/core.h>

#include <charconv>
#include <string_view>

namespace leitong {
namespace {

constexpr std::uint32_t kMostTimes = 1000;

/// Reads "N:K" into two numbers of at least 1.
bool parse_step(std::string_view step, std::pair<std::uint32_t, std::uint32_t>& numbers) {
  const char* const end = step.data() + step.size();
  const auto size = std::from_chars(step.data(), end, numbers.first);
  if (size.ec != std::errc() || size.ptr == end || *size.ptr != ':') return false;
  const auto times = std::from_chars(size.ptr + 1, end, numbers.second);
  return times.ec == std::errc() && times.ptr == end && numbers.first > 0 && numbers.second > 0 &&
         numbers.second <= kMostTimes;
}

}  // namespace

Result<Resampling> Resampling::parse(const std::vector<std::string>& steps) {
  Resampling all;
  for (const std::string& step : steps) {
    std::pair<std::uint32_t, std::uint32_t> numbers;
    if (!parse_step(step, numbers))
      return fail(ErrorCode::invalid_argument,
                  fmt::format("\"{}\" is no N:K, a number of documents from 1 and how often a record is "
                              "written from so many on, 1 to {}",
                              step, kMostTimes),
                  "resample");
    if (!all.steps_.empty() && numbers.first <= all.steps_.back().first)
      return fail(ErrorCode::invalid_argument,
                  fmt::format("\"{}\" follows {}: the numbers of documents have to rise", step,
                              all.steps_.back().first),
                  "resample");
    all.steps_.push_back(numbers);
  }
  return all;
}

std::uint32_t Resampling::times(std::uint32_t cluster_size) const noexcept {
  std::uint32_t times = 1;
  for (const auto& [least, count] : steps_)
    if (cluster_size >= least) times = count;
  return times;
}

}  // namespace leitong
