// A report of an invented run over invented texts, for the tests, the browser test and the picture in the
// docs.
#pragma once

#include "report/report.hpp"

namespace leitong {

/// Everything that a report can hold. With `hostile`, ids, places and texts try to act as markup of the page.
[[nodiscard]] ReportData sample_report(bool hostile);

/// The texts that the hostile sample carries; each begins with a mark "attack-N:" that the page must show as
/// text.
[[nodiscard]] const std::vector<std::string>& hostile_texts();

}  // namespace leitong
