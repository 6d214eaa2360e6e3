#include "answer_json.hpp"

#include <fmt/core.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace leitong::cli {
namespace {

std::string json_of(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void append_match(std::string& line, const online::Match& match) {
  const auto to = std::back_inserter(line);
  fmt::format_to(to,
                 "{{\"id\":{},\"measure\":\"{}\",\"score\":{:.4f},\"jaccard\":{:.4f},\"containment\":{:.4f}",
                 json_of(match.id), match.measure, match.score, match.jaccard, match.containment);
  if (!match.source.empty()) fmt::format_to(to, ",\"source\":{}", json_of(match.source));
  if (match.time) fmt::format_to(to, ",\"time\":{}", *match.time);
  if (!match.passages.empty()) line += ",\"passages\":[";
  for (const Passage& passage : match.passages)
    fmt::format_to(to, "{}{{\"a\":[{},{}],\"b\":[{},{}],\"units\":{}}}",
                   &passage == match.passages.data() ? "" : ",", passage.a.begin, passage.a.end,
                   passage.b.begin, passage.b.end, passage.units);
  line += match.passages.empty() ? "}" : "]}";
}

}  // namespace

std::string answer_json(std::string_view id, const online::Answer& answer) {
  std::string line =
      fmt::format("{{\"id\":{},\"verdict\":\"{}\"", json_of(id), online::verdict_name(answer.verdict));
  const auto to = std::back_inserter(line);
  if (answer.match) {
    line += ",\"match\":";
    append_match(line, *answer.match);
  }
  if (!answer.others.empty()) {
    line += ",\"others\":[";
    for (const online::Match& other : answer.others) {
      if (&other != answer.others.data()) line += ',';
      append_match(line, other);
    }
    line += ']';
  }
  if (answer.refused_as_template > 0)
    fmt::format_to(to, ",\"refused_as_template\":{}", answer.refused_as_template);
  if (answer.bounds.any())
    fmt::format_to(to, ",\"bounded\":{{\"candidates\":{},\"ids\":{},\"keys\":{}}}", answer.bounds.candidates,
                   answer.bounds.ids, answer.bounds.keys);
  if (answer.known) line += ",\"known\":true";
  if (!answer.reason.empty()) fmt::format_to(to, ",\"reason\":{}", json_of(answer.reason));
  return line + "}";
}

}  // namespace leitong::cli
