#include "arrow_records.hpp"

#include <fmt/core.h>
#include <simdjson.h>

#include <array>

#include "leitong/table.hpp"

namespace leitong::server {
namespace {

enum Column : std::size_t { kId, kText, kHtml, kFingerprint, kSource, kTime, kExpires, kColumns };
constexpr std::array<std::string_view, kColumns> kNames{"id",     "text", "html",   "fingerprint",
                                                        "source", "time", "expires"};

/// Reads a moment; null is none.
void read_time(std::string_view name, std::string_view value, std::optional<online::Seconds>& to,
               std::string& reason) {
  if (value.empty()) return;
  to = online::parse_time(value);
  if (!to && reason.empty()) reason = fmt::format("\"{}\" can't be read", name);
}

Record read_row(std::span<const std::string_view> values, Wants wants, HtmlPart part) {
  Record record;
  for (std::size_t i = 0; i < kColumns && record.reason.empty(); ++i)
    if (!simdjson::validate_utf8(values[i].data(), values[i].size()))
      record.reason = fmt::format("\"{}\" is not valid UTF-8", kNames[i]);
  if (!record.reason.empty()) return record;
  if (values[kId].data() != nullptr) record.id = values[kId];
  if (wants == Wants::both && !record.id) record.reason = "\"id\" is missing";
  if (record.reason.empty())
    read_contents({values[kText], values[kHtml], values[kFingerprint]}, part, record);
  record.source = values[kSource];
  read_time("time", values[kTime], record.time, record.reason);
  read_time("expires", values[kExpires], record.expires, record.reason);
  return record;
}

Problem to_arrow_problem(const Error& error) {
  Problem problem = to_problem(error);
  if (error.code == ErrorCode::corrupt) problem.status = 400;
  problem.detail = fmt::format("the Arrow stream: {}", problem.detail);
  return problem;
}

}  // namespace

Outcome<Records> read_arrow_records(std::string_view body, Wants wants, const Limits& limits, HtmlPart part) {
  Records all{Form::arrow, {}};
  std::uint64_t bytes = 0;
  const auto read = read_arrow(body, kNames, 2 * limits.body, [&](auto values) -> Result<void> {
    for (const std::string_view value : values) bytes += value.size();
    if (all.records.size() == limits.records || bytes > limits.body)
      return fail(ErrorCode::limit,
                  fmt::format("it has more than {} rows or {} bytes of values; send them in several requests",
                              limits.records, limits.body));
    all.records.push_back(read_row(values, wants, part));
    return {};
  });
  if (!read) return tl::make_unexpected(to_arrow_problem(read.error()));
  return all;
}

Outcome<std::string> write_arrow_answers(const std::vector<Record>& records,
                                         std::span<const online::Answer> answers) {
  using Type = TableColumn::Type;
  std::string stream;
  auto made = new_arrow_stream({{"id"},
                                {"verdict"},
                                {"known", Type::integer},
                                {"match"},
                                {"measure"},
                                {"score", Type::number},
                                {"jaccard", Type::number},
                                {"containment", Type::number},
                                {"distance", Type::integer},
                                {"loss", Type::number},
                                {"covered", Type::integer},
                                {"refused_as_template", Type::integer},
                                {"refused"},
                                {"template_share", Type::number},
                                {"own_jaccard", Type::number},
                                {"own_containment", Type::number},
                                {"bounded_candidates", Type::integer},
                                {"bounded_ids", Type::integer},
                                {"bounded_keys", Type::integer},
                                {"too_short", Type::integer},
                                {"version", Type::integer},
                                {"reason"}},
                               [&](std::string_view bytes) -> Result<void> {
                                 stream += bytes;
                                 return {};
                               });
  if (!made) return tl::make_unexpected(to_arrow_problem(made.error()));
  TableWriter& writer = **made;
  const auto nulls = [&](int columns) {
    for (; columns > 0; --columns) writer.null();
  };
  auto answer = answers.begin();
  for (const Record& record : records) {
    const online::Answer unread{.verdict = online::Verdict::refused, .reason = record.reason};
    const online::Answer& its = record.reason.empty() ? *answer++ : unread;
    record.id ? writer.text(*record.id) : writer.null();
    writer.text(online::verdict_name(its.verdict));
    its.known ? writer.integer(1) : writer.null();
    if (its.match) {
      writer.text(its.match->id);
      writer.text(its.match->measure);
      writer.number(its.match->score);
      const bool by_distance = its.match->distance.has_value();
      by_distance ? writer.null() : writer.number(its.match->jaccard);
      by_distance ? writer.null() : writer.number(its.match->containment);
      by_distance ? writer.integer(*its.match->distance) : writer.null();
      its.match->loss ? writer.number(*its.match->loss) : writer.null();
      its.match->loss ? writer.integer(its.match->covered ? 1 : 0) : writer.null();
    } else {
      nulls(8);
    }
    its.refused_as_template > 0 ? writer.integer(its.refused_as_template) : writer.null();
    if (its.refused) {
      writer.text(its.refused->id);
      for (const double figure :
           {its.refused->template_share, its.refused->own_jaccard, its.refused->own_containment})
        writer.number(figure);
    } else {
      nulls(4);
    }
    if (its.bounds.any()) {
      writer.integer(its.bounds.candidates);
      for (const bool left_out : {its.bounds.ids, its.bounds.keys}) writer.integer(left_out ? 1 : 0);
    } else {
      nulls(3);
    }
    its.too_short ? writer.integer(1) : writer.null();
    its.version ? writer.integer(static_cast<std::int64_t>(*its.version)) : writer.null();
    its.reason.empty() ? writer.null() : writer.text(its.reason);
    if (const auto ended = writer.end_row(); !ended)
      return tl::make_unexpected(to_arrow_problem(ended.error()));
  }
  if (const auto ended = writer.finish(); !ended) return tl::make_unexpected(to_arrow_problem(ended.error()));
  return stream;
}

}  // namespace leitong::server
