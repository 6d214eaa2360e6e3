#include "index_output.hpp"

#include <fmt/core.h>

#include <string>

#include "base/try.hpp"
#include "human.hpp"
#include "json_writer.hpp"
#include "leitong/json.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

std::string counts(const online::FileSummary& summary) {
  return fmt::format(
      "{}: {} new, {} near, {} exact{}{}{}", human_counted(summary.documents, "document"),
      human_count(summary.fresh), human_count(summary.near), human_count(summary.exact),
      summary.parts > 0 ? fmt::format(", {} with parts of others", human_count(summary.parts)) : "",
      summary.refused > 0 ? fmt::format(", {} refused", human_count(summary.refused)) : "",
      summary.known > 0 ? fmt::format("; {} there before", human_count(summary.known)) : "");
}

}  // namespace

Result<void> print_json(const online::FileSummary& summary) {
  return print_data(fmt::format(
      "{{\"documents\":{},\"new\":{},\"near\":{},\"exact\":{},\"parts\":{},\"refused\":{},\"known\":{},"
      "\"bounded\":{},\"too_short\":{},\"quarantined\":{}}}\n",
      summary.documents, summary.fresh, summary.near, summary.exact, summary.parts, summary.refused,
      summary.known, summary.bounded, summary.too_short, summary.quarantined));
}

Result<void> finish_index_run(const online::FileSummary& summary, bool allow_truncated) {
  print_note(counts(summary));
  if (summary.refused > 0)
    print_warning(fmt::format("{} refused, the first: {}",
                              human_counted(summary.refused, "document was", "documents were"),
                              summary.first_refused));
  if (summary.too_short > 0)
    print_note(fmt::format("{} too short: equal texts alone are found below {} units",
                           human_counted(summary.too_short, "document is", "documents are"),
                           online::kLeastUnits));
  for (const online::FileSummary::Lack& lack : summary.lacks)
    print_warning(fmt::format("{} no value of the field \"{}\"",
                              human_counted(lack.documents, "document has", "documents have"), lack.field));
  if (summary.quarantined > 0)
    print_warning(left_out_warning(summary.quarantined, summary.first_quarantined));
  return check_read(
      {summary.documents, summary.quarantined, summary.truncated_inputs, summary.first_quarantined},
      allow_truncated);
}

std::string answer_json(std::string_view id, const online::Answer& answer) {
  std::string json;
  server::append_open_answer(json, id, answer);
  return json + "}";
}

nlohmann::ordered_json stored_json(const online::Stored& stored) {
  std::string json = "{\"id\":" + json_string(stored.id) + ",";
  server::append_stored(json, stored, false);
  return nlohmann::ordered_json::parse(json + "}");
}

}  // namespace leitong::cli
