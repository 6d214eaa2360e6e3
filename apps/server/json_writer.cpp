#include "json_writer.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <iterator>

#include "leitong/json.hpp"

namespace leitong::server {
namespace {

/// Where a text comes from.
void append_origin(std::string& json, std::string_view source, const std::optional<online::Seconds>& time) {
  if (!source.empty()) {
    json += ",\"source\":";
    append_json_string(source, json);
  }
  if (time) fmt::format_to(std::back_inserter(json), ",\"time\":{}", *time);
}

void append_part(std::string& json, const online::SharedPart& part) {
  const auto to = std::back_inserter(json);
  json += "{\"id\":";
  append_json_string(part.id, json);
  fmt::format_to(to,
                 ",\"measure\":\"{}\",\"score\":{:.4f},\"containment\":{:.4f},\"units\":{},\"share\":{:.4f},"
                 "\"share_of_source\":{:.4f}",
                 part.measure, part.score, part.containment, part.units, part.share, part.share_of_source);
  append_origin(json, part.source, part.time);
  json += ",\"passages\":[";
  for (const online::CopiedPassage& passage : part.passages)
    fmt::format_to(to,
                   "{}{{\"a\":[{},{}],\"b\":[{},{}],\"a_characters\":[{},{}],\"b_characters\":[{},{}],"
                   "\"units\":{}}}",
                   &passage == part.passages.data() ? "" : ",", passage.bytes.a.begin, passage.bytes.a.end,
                   passage.bytes.b.begin, passage.bytes.b.end, passage.a.begin, passage.a.end,
                   passage.b.begin, passage.b.end, passage.bytes.units);
  json += "]}";
}

void append_match(std::string& json, const online::Match& match) {
  const auto to = std::back_inserter(json);
  json += "{\"id\":";
  append_json_string(match.id, json);
  fmt::format_to(to, ",\"measure\":\"{}\",\"score\":{:.4f}", match.measure, match.score);
  if (match.distance)
    fmt::format_to(to, ",\"distance\":{}", *match.distance);
  else
    fmt::format_to(to, ",\"jaccard\":{:.4f},\"containment\":{:.4f}", match.jaccard, match.containment);
  if (match.loss) fmt::format_to(to, ",\"loss\":{:.4f},\"covered\":{}", *match.loss, match.covered);
  append_origin(json, match.source, match.time);
  if (!match.passages.empty()) json += ",\"passages\":[";
  for (const Passage& passage : match.passages)
    fmt::format_to(to, "{}{{\"a\":[{},{}],\"b\":[{},{}],\"units\":{}}}",
                   &passage == match.passages.data() ? "" : ",", passage.a.begin, passage.a.end,
                   passage.b.begin, passage.b.end, passage.units);
  json += match.passages.empty() ? "}" : "]}";
}

/// Appends a member that is a list, unless it is empty.
template <class T>
void append_list(std::string& json, std::string_view name, const std::vector<T>& all,
                 void (*append)(std::string&, const T&)) {
  if (all.empty()) return;
  fmt::format_to(std::back_inserter(json), ",\"{}\":[", name);
  for (const T& one : all) {
    if (&one != all.data()) json += ',';
    append(json, one);
  }
  json += ']';
}

}  // namespace

void append_open_answer(std::string& json, std::optional<std::string_view> id, const online::Answer& answer) {
  const auto to = std::back_inserter(json);
  json += '{';
  if (id) {
    json += "\"id\":";
    append_json_string(*id, json);
    json += ',';
  }
  fmt::format_to(to, "\"verdict\":\"{}\"", online::verdict_name(answer.verdict));
  if (answer.match) {
    json += ",\"match\":";
    append_match(json, *answer.match);
  }
  append_list(json, "others", answer.others, append_match);
  append_list(json, "parts", answer.parts, append_part);
  if (answer.refused_as_template > 0)
    fmt::format_to(to, ",\"refused_as_template\":{}", answer.refused_as_template);
  if (answer.refused) {
    json += ",\"refused\":{\"id\":";
    append_json_string(answer.refused->id, json);
    fmt::format_to(to, ",\"template_share\":{:.4f},\"own_jaccard\":{:.4f},\"own_containment\":{:.4f}}}",
                   answer.refused->template_share, answer.refused->own_jaccard,
                   answer.refused->own_containment);
  }
  if (answer.bounds.any())
    fmt::format_to(to, ",\"bounded\":{{\"candidates\":{},\"ids\":{},\"keys\":{}}}", answer.bounds.candidates,
                   answer.bounds.ids, answer.bounds.keys);
  if (answer.known) json += ",\"known\":true";
  if (answer.too_short) json += ",\"too_short\":true";
  if (!answer.reason.empty()) {
    json += ",\"reason\":";
    append_json_string(answer.reason, json);
  }
  if (answer.version) fmt::format_to(to, ",\"version\":{}", *answer.version);
}

void append_stored(std::string& json, const online::Stored& stored, bool text) {
  const auto to = std::back_inserter(json);
  fmt::format_to(to, "\"verdict\":\"{}\"", online::verdict_name(stored.verdict));
  if (stored.family) {
    json += ",\"family\":";
    append_json_string(*stored.family, json);
  }
  append_origin(json, stored.source, stored.time);
  if (stored.expires) fmt::format_to(to, ",\"expires\":{}", *stored.expires);
  if (const auto& its = stored.fingerprint)
    json += its->high == 0 ? fmt::format(",\"fingerprint\":\"{:016x}\"", its->low)
                           : fmt::format(",\"fingerprint\":\"{:016x}{:016x}\"", its->high, its->low);
  if (!text) return;
  json += ",\"text\":";
  append_json_string(stored.text, json);
}

void append_figures(std::string& json, const online::Figures& f) {
  fmt::format_to(std::back_inserter(json), "{{\"texts\":{},\"new\":{},\"near\":{},\"exact\":{}", f.texts,
                 f.fresh, f.near, f.exact);
  const auto add = [&](std::string_view name, std::optional<std::uint64_t> value) {
    if (value) fmt::format_to(std::back_inserter(json), ",\"{}\":{}", name, *value);
  };
  add("postings", f.postings);
  add("full_keys", f.full_keys);
  add("segments", f.segments);
  add("segment_bytes", f.segment_bytes);
  add("memory_bytes", f.memory_bytes);
  add("store_bytes", f.store_bytes);
  fmt::format_to(std::back_inserter(json),
                 ",\"checks\":{},\"bounded_candidates\":{},\"bounded_ids\":{},\"bounded_keys\":{}", f.checks,
                 f.bounded_candidates, f.bounded_ids, f.bounded_keys);
  add("version", f.version);
  json += '}';
}

}  // namespace leitong::server
