#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/report_json.hpp"

namespace leitong {
namespace {

// Defines kReportHead and kReportTail: the page with style, script and their hashes, cut where the data go.
#include "report_assets.inc"

std::uint64_t mixed(std::uint64_t x) noexcept {  // splitmix64's finaliser (Steele, Lea, Flood 2014)
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

void ReportHistogram::add(double value) noexcept {
  // The small addend keeps .35 stored as float in the bin that begins there.
  const double scaled = std::floor(value * 20 + 1e-5);
  ++bins[static_cast<std::size_t>(std::clamp(scaled, 0.0, 20.0))];
}

std::vector<std::size_t> choose_removals(const std::vector<float>& scores, std::size_t most) {
  std::vector<std::size_t> chosen(scores.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (scores.size() <= most) return chosen;
  const auto by_score = [&](std::size_t i, std::size_t j) {
    return scores[i] != scores[j] ? scores[i] < scores[j] : i < j;
  };
  const auto by_hash = [](std::size_t i, std::size_t j) { return mixed(i) < mixed(j); };
  const auto least = chosen.begin() + static_cast<std::ptrdiff_t>(most / 5);
  const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(chosen.begin(), least, chosen.end(), by_score);
  std::nth_element(least, end, chosen.end(), by_hash);
  chosen.erase(end, chosen.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Result<void> write_report(const ReportData& data,
                          const std::function<Result<void>(std::string_view)>& write) {
  LEITONG_TRY(write(kReportHead));
  LEITONG_TRY(write(report_json(data)));
  return write(kReportTail);
}

}  // namespace leitong
