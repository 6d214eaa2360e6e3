// A report of a run that never was, over texts made up for it: for the tests, the browser test and the
// picture in the docs.
#pragma once

#include "report/report.hpp"

namespace leitong {

/// Everything a report can hold. With `hostile`, ids, places and texts try to leave their place in the page.
[[nodiscard]] ReportData sample_report(bool hostile);

/// The texts that the hostile sample carries; each begins with a mark "attack-N:" that the page must show as
/// text.
[[nodiscard]] const std::vector<std::string>& hostile_texts();

}  // namespace leitong
