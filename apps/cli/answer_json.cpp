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

}  // namespace

std::string answer_json(std::string_view id, const online::Answer& answer) {
  std::string line =
      fmt::format("{{\"id\":{},\"verdict\":\"{}\"", json_of(id), online::verdict_name(answer.verdict));
  const auto to = std::back_inserter(line);
  if (answer.match) {
    fmt::format_to(to,
                   ",\"match\":{{\"id\":{},\"measure\":\"{}\",\"score\":{:.4f},\"jaccard\":{:.4f},"
                   "\"containment\":{:.4f}",
                   json_of(answer.match->id), answer.match->measure, answer.match->score,
                   answer.match->jaccard, answer.match->containment);
    if (!answer.match->source.empty()) fmt::format_to(to, ",\"source\":{}", json_of(answer.match->source));
    line += '}';
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
