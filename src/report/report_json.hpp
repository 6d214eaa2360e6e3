// The data for the report's script.
#pragma once

#include <string>

#include "report/report.hpp"

namespace leitong {

/// The data as one JSON object that is safe inside <script type="application/json">: it holds none of < > &
/// U+2028 U+2029 and is valid UTF-8 for any input. ReportLimits are applied here.
[[nodiscard]] std::string report_json(const ReportData& data);

/// The two sides of a row as one line of JSON, for the file of whole texts.
[[nodiscard]] std::string report_texts_json(const ReportRow& row);

}  // namespace leitong
