#include "report/report.hpp"

#include <algorithm>
#include <cmath>

namespace leitong {
namespace {

// Defines kReportHead and kReportTail: the page with style, script and their hashes, divided where the data
// go.
#include "base/try.hpp"
#include "report_assets.inc"

}  // namespace

void ReportHistogram::add(double value) noexcept {
  // The small addend keeps 0.35, stored as float, in the bin that begins there.
  const double scaled = std::floor(value * 20 + 1e-5);
  ++bins[static_cast<std::size_t>(std::clamp(scaled, 0.0, 20.0))];
}

Result<void> write_page(std::string_view data, const std::function<Result<void>(std::string_view)>& write) {
  LEITONG_TRY(write(kReportHead));
  LEITONG_TRY(write(data));
  return write(kReportTail);
}

Result<void> write_report(const ReportData& data,
                          const std::function<Result<void>(std::string_view)>& write) {
  return write_page(report_json(data), write);
}

}  // namespace leitong
