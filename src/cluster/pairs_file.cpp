#include "cluster/pairs_file.hpp"

#include <fmt/compile.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "base/try.hpp"
#include "io/tsv.hpp"
#include "similarity/reason.hpp"
#include "similarity/relation.hpp"

namespace leitong {
namespace {

constexpr std::string_view kPlainHeader =
    "id_a\tid_b\tmeasure\tscore\tjaccard\tcontainment\tdoc_a\tdoc_b\tunits_a\tunits_b";
constexpr std::string_view kOwnHeader = "\town_jaccard\town_containment\ttemplate_share\treason";
constexpr std::string_view kLossHeader =
    "\tloss_a\tloss_b\town_a\tlost_a\treworded_a\tlost_long_a\tlongest_a\tnumbers_a\town_b\tlost_b\t"
    "reworded_b\tlost_long_b\tlongest_b\tnumbers_b\trenamed_a\trenamed_b\tother_signs\trelation";
constexpr std::size_t kPlainColumns = 10, kOwnColumns = 4, kLossColumns = 18;
constexpr std::array kMeasures = {
    Measure::jaccard,  Measure::containment, Measure::edit,    Measure::identical, Measure::estimate,
    Measure::own_text, Measure::rare_text,   Measure::passage, Measure::cosine,    Measure::copy};

template <class T>
bool parse(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_measure(const std::string& text, Measure& measure) {
  for (const Measure known : kMeasures) {
    if (measure_name(known) != text) continue;
    measure = known;
    return true;
  }
  return false;
}

/// Reads a score between 0 and 1; NaN is refused.
bool parse_part(const std::string& text, float& value) {
  return parse(text, value) && value >= 0 && value <= 1;
}

Result<void> parse_losses(std::span<const std::string> fields, PairLosses& losses) {
  for (const std::size_t share : {0, 1})
    if (float ignored = 0; !parse_part(fields[share], ignored))
      return fail(ErrorCode::corrupt, fmt::format("\"{}\" is no loss from 0 to 1", fields[share]));
  std::array<bool, 3> flags{};  // renamed_a, renamed_b, other_signs; the relation follows from all
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& field = fields[kLossColumns - 1 - flags.size() + i];
    flags[i] = field == "1";
    if (!flags[i] && field != "0")
      return fail(ErrorCode::corrupt,
                  fmt::format("\"{}\" is neither 1 (renamed, or other signs) nor 0", field));
  }
  std::size_t at = 2;
  for (std::optional<Loss>* const side : {&losses.a, &losses.b}) {
    Loss& loss = side->emplace();
    for (const auto count : Loss::counts())
      if (!parse(fields[at++], loss.*count))
        return fail(ErrorCode::corrupt, fmt::format("\"{}\" is no number of units", fields[at - 1]));
    loss.own = std::max(loss.own, 1U);
    loss.other_signs = flags[2];
  }
  losses.a->renamed = flags[0];
  losses.b->renamed = flags[1];
  return {};
}

bool is_header(std::span<const std::string> fields) { return fields[0] == "id_a"; }

Result<void> parse_row(std::span<const std::string> fields, PairRow& row) {
  const std::size_t more = fields.size() - std::min(fields.size(), kPlainColumns);
  const bool has_own = more == kOwnColumns || more == kOwnColumns + kLossColumns;
  const bool has_losses = more >= kLossColumns;
  if (fields.size() < kPlainColumns || more != kOwnColumns * has_own + kLossColumns * has_losses)
    return fail(ErrorCode::corrupt,
                fmt::format("{} columns instead of {} and {} or {} more; is this a file of `leitong pairs`?",
                            fields.size(), kPlainColumns, kOwnColumns, kLossColumns));
  VerifiedPair& pair = row.pair;
  row.id_a = fields[0];
  row.id_b = fields[1];
  const auto bad = [&](std::string_view name, std::size_t column) {
    return fail(ErrorCode::corrupt, fmt::format("\"{}\" is no {}", fields[column], name));
  };
  if (!parse_measure(fields[2], pair.measure)) return bad("measure", 2);
  if (!parse_part(fields[3], pair.score)) return bad("score from 0 to 1", 3);
  if (!parse_part(fields[4], pair.jaccard)) return bad("Jaccard value from 0 to 1", 4);
  if (!parse_part(fields[5], pair.containment)) return bad("containment value from 0 to 1", 5);
  if (!parse(fields[6], pair.a)) return bad("document number", 6);
  if (!parse(fields[7], pair.b) || pair.b == kNoDocument || pair.a >= pair.b)
    return bad("document number above doc_a", 7);
  if (!parse(fields[8], row.units_a)) return bad("number of units", 8);
  if (!parse(fields[9], row.units_b)) return bad("number of units", 9);
  pair.own = {pair.jaccard, pair.containment};
  row.reason.reset();
  row.losses = {};
  if (has_losses) LEITONG_TRY(parse_losses(fields.last(kLossColumns), row.losses));
  if (!has_own) return {};
  if (!parse_part(fields[10], pair.own.jaccard)) return bad("Jaccard value from 0 to 1", 10);
  if (!parse_part(fields[11], pair.own.containment)) return bad("containment value from 0 to 1", 11);
  if (!parse_part(fields[12], pair.own.template_share)) return bad("share from 0 to 1", 12);
  row.reason = fields[13];
  return {};
}

}  // namespace

std::string pairs_header(PairsVersion version) {
  return fmt::format("{}{}{}\n", kPlainHeader, version.own_text ? kOwnHeader : "",
                     version.losses ? kLossHeader : "");
}

void append_pair_row(const PairRow& row, PairsVersion version, std::string& out) {
  append_tsv_field(row.id_a, out);
  out += '\t';
  append_tsv_field(row.id_b, out);
  const VerifiedPair& pair = row.pair;
  // There are millions of rows, so formats are compiled.
  fmt::memory_buffer rest;
  const fmt::appender to(rest);
  // The fewest digits that read back to the same float, so that a later decision uses the same values.
  fmt::format_to(to, FMT_COMPILE("\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}"), measure_name(pair.measure), pair.score,
                 pair.jaccard, pair.containment, pair.a, pair.b, row.units_a, row.units_b);
  if (version.own_text) {
    const WithoutTemplate own = own_measures(pair);
    fmt::format_to(to, FMT_COMPILE("\t{}\t{}\t{:.4g}\t{}"), own.jaccard, own.containment, own.template_share,
                   reason_of(pair, true, version.numbers));
  }
  if (version.losses) {
    const Loss a = row.losses.a.value_or(Loss()), b = row.losses.b.value_or(Loss());
    fmt::format_to(to, FMT_COMPILE("\t{:.4g}\t{:.4g}"), a.share(), b.share());
    for (const Loss& loss : {a, b})
      for (const auto count : Loss::counts()) fmt::format_to(to, FMT_COMPILE("\t{}"), loss.*count);
    fmt::format_to(to, FMT_COMPILE("\t{}\t{}\t{}\t{}"), a.renamed ? 1 : 0, b.renamed ? 1 : 0,
                   a.other_signs || b.other_signs ? 1 : 0,
                   relation_name(relation_of(row.losses, row.units_a, row.units_b)));
  }
  rest.push_back('\n');
  out.append(rest.data(), rest.size());
}

Result<void> read_pairs(const std::string& path, const std::function<Result<void>(const PairRow&)>& each,
                        StopToken stop) {
  PairRow row;
  return read_tsv(
      path,
      [&](std::span<const std::string> fields, std::uint64_t line) -> Result<void> {
        if (line == 1 && is_header(fields)) return {};
        LEITONG_TRY(parse_row(fields, row));
        return each(row);
      },
      stop);
}

}  // namespace leitong
