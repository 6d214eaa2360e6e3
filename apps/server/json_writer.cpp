#include "json_writer.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <iterator>

namespace leitong::server {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The bytes of the valid UTF-8 sequence at the beginning; 0: there is none.
std::size_t sequence_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  const std::size_t n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < n) return 0;
  std::uint32_t code = lead & (0xFFu >> (n + 1));
  for (std::size_t i = 1; i < n; ++i) {
    if ((at(i) & 0xC0u) != 0x80u) return 0;
    code = code << 6 | (at(i) & 0x3Fu);
  }
  const bool too_long = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  return too_long || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : n;
}

/// Writes the escape of a byte, and returns its end.
char* write_escape(char* to, char c) {
  constexpr std::string_view kFrom = "\"\\\b\f\n\r\t", kTo = "\"\\bfnrt";
  *to++ = '\\';
  if (const std::size_t place = kFrom.find(c); place != std::string_view::npos) {
    *to++ = kTo[place];
    return to;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char digit : {'u', '0', '0', kDigits[static_cast<unsigned char>(c) >> 4], kDigits[c & 15]})
    *to++ = digit;
  return to;
}

bool stands_for_itself(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != '"' && byte != '\\';
}

void append_version(std::string& json, const std::optional<std::uint64_t>& version) {
  if (version) fmt::format_to(std::back_inserter(json), ",\"version\":{}", *version);
}

/// Where a text comes from.
void append_origin(std::string& json, std::string_view source, const std::optional<online::Seconds>& time) {
  if (!source.empty()) {
    json += ",\"source\":";
    append_json(json, source);
  }
  if (time) fmt::format_to(std::back_inserter(json), ",\"time\":{}", *time);
}

void append_part(std::string& json, const online::SharedPart& part) {
  const auto to = std::back_inserter(json);
  json += "{\"id\":";
  append_json(json, part.id);
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
  append_json(json, match.id);
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

void append_json(std::string& json, std::string_view text) {
  json += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      ++i;
      continue;
    }
    const std::size_t n = c < 0x80 ? 0 : sequence_bytes(text.substr(i));
    if (n > 0) {
      i += n;
      continue;
    }
    json.append(text, copied, i - copied);
    if (c < 0x80) {
      char escape[6];
      json.append(escape, write_escape(escape, text[i]));
    } else {
      json += kReplacement;
    }
    copied = ++i;
  }
  json.append(text, copied);
  json += '"';
}

char* write_json(char* to, std::string_view valid) {
  *to++ = '"';
  for (const char c : valid) {
    if (stands_for_itself(c)) [[likely]] {
      *to++ = c;
    } else {
      to = write_escape(to, c);
    }
  }
  *to++ = '"';
  return to;
}

void append_open_answer(std::string& json, std::optional<std::string_view> id, const online::Answer& answer) {
  const auto to = std::back_inserter(json);
  json += '{';
  if (id) {
    json += "\"id\":";
    append_json(json, *id);
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
    append_json(json, answer.refused->id);
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
    append_json(json, answer.reason);
  }
  append_version(json, answer.version);
}

void append_stored(std::string& json, const online::Stored& stored, bool text) {
  const auto to = std::back_inserter(json);
  fmt::format_to(to, "\"verdict\":\"{}\"", online::verdict_name(stored.verdict));
  if (stored.family) {
    json += ",\"family\":";
    append_json(json, *stored.family);
  }
  if (!stored.source.empty()) {
    json += ",\"source\":";
    append_json(json, stored.source);
  }
  if (stored.time) fmt::format_to(to, ",\"time\":{}", *stored.time);
  if (stored.expires) fmt::format_to(to, ",\"expires\":{}", *stored.expires);
  if (const auto& its = stored.fingerprint)
    json += its->high == 0 ? fmt::format(",\"fingerprint\":\"{:016x}\"", its->low)
                           : fmt::format(",\"fingerprint\":\"{:016x}{:016x}\"", its->high, its->low);
  if (!text) return;
  json += ",\"text\":";
  append_json(json, stored.text);
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
