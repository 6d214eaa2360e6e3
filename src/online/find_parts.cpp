#include "online/find_parts.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/try.hpp"
#include "leitong/utf8.hpp"
#include "similarity/common_passage.hpp"
#include "similarity/intersect.hpp"
#include "similarity/passages.hpp"
#include "similarity/rule.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {
namespace {

/// So many of the texts that may hold a part are compared, and one more for each kUnitsPerSource units of the
/// text.
constexpr std::size_t kLeastSources = 32, kUnitsPerSource = 64;
/// A text is compared if it shares so many keys, and this share of the keys that the shingles which the rule
/// requires have on average, since edits break more keys than shingles. Of the pairs of the batch some three
/// of a thousand share fewer.
constexpr std::uint32_t kLeastSharedKeys = 2;
constexpr double kPartOfKeys = .15;
/// If a key has so many holders, a text of a family does not post it if its match has posted it, because the
/// texts of a large family would make the key a common one.
constexpr std::size_t kOfFamily = 4;
/// The least units of a run that is reported as a passage.
constexpr std::size_t kLeastTold = 8;

/// A text that shares keys.
struct Sharing {
  TextNumber text;
  std::size_t keys;  ///< number of shared keys
};

/// The texts that may hold a part of the text, the likeliest first.
Result<void> texts_sharing(const View& view, const Rule& rule, const CheckedText& text,
                           std::vector<Sharing>& sharing) {
  const std::vector<Key>& keys = text.part_keys.keys;
  // The holder of a key, and the position of the key among those that are not common.
  std::vector<std::pair<TextNumber, std::uint32_t>> met;
  std::vector<std::uint32_t> places;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::span<const TextNumber> holders = text.part_lists[k];
    if (holders.size() >= kCommonPart) continue;
    for (const TextNumber holder : holders)
      if (text.verdict == Verdict::fresh || holder != text.match)
        met.emplace_back(holder, static_cast<std::uint32_t>(places.size()));
    places.push_back(text.part_keys.places[k]);
  }
  std::ranges::sort(met);
  // Common keys cover templates, which do not count. The other text is taken to hold as much of them.
  const double keys_of_unit = rule.threshold * kPieceDensity * static_cast<double>(places.size()) /
                              static_cast<double>(std::max<std::size_t>(1, keys.size()));
  for (std::size_t first = 0, end = 0; first < met.size(); first = end) {
    const TextNumber holder = met[first].first;
    // The longest sequence of keys of which none is missing.
    std::size_t row = first, span = 0;
    for (end = first + 1; end < met.size() && met[end].first == holder; ++end) {
      if (met[end].second != met[end - 1].second + 1) row = end;
      span = std::max<std::size_t>(span, places[met[end].second] - places[met[row].second]);
    }
    if (end - first < kLeastSharedKeys) continue;
    if (span < kPieceSpan) {
      LEITONG_ASSIGN(const TextRecord record, view.record(holder));
      const double units = std::min<double>(record.units, static_cast<double>(text.keys.units.size()));
      if (static_cast<double>(end - first) < kPartOfKeys * keys_of_unit * units) continue;
    }
    sharing.push_back({holder, end - first});
  }
  std::ranges::sort(sharing, [](const Sharing& a, const Sharing& b) {
    return a.keys != b.keys ? a.keys > b.keys : a.text < b.text;
  });
  return {};
}

/// A text in the form in which pairs are decided.
struct PartText {
  PodVector<std::uint32_t> templates, marked;  // ascending
  OwnText own;
  std::optional<PassageAnchors> anchors;  // where a passage was looked for

  [[nodiscard]] TemplatesOfText of_template() const noexcept { return {templates, marked}; }
};

/// REQUIRES `marked`. Replaces the other members.
void decide_templates(const View& view, Shingled& shingled, PartText& text) {
  text.templates.clear();
  text.templates.append(text.marked);
  keep_runs(shingled.ordered(), view.least_run(), text.templates);
  text.own = own_text(shingled.ordered(), shingled.distinct().size(), text.templates);
  text.anchors.reset();
}

const PassageAnchors& anchors_of(const Rule& rule, Shingled& shingled, PartText& text) {
  if (!text.anchors) text.anchors.emplace(shingled.ordered(), rule.passage_units, text.templates);
  return *text.anchors;
}

/// The queried text, and the one that it is compared with.
struct Query {
  PartText text, other;
  PodVector<std::uint32_t> common, held, some;  // working space
  // Filled when the first source is found, for the shingles of the text, and for its units.
  std::vector<bool> in_template;
  std::vector<ByteRange> places;
};

void intersect(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
               PodVector<std::uint32_t>& common) {
  common.resize_for_overwrite(std::min(a.size(), b.size()));
  const auto end = std::ranges::set_intersection(a, b, common.begin()).out;
  common.resize_for_overwrite(static_cast<std::size_t>(end - common.begin()));
}

/// The number of distinct shingles that are no template, from one of eight of them.
std::size_t estimated_own(const ShingleCounts& counts, std::span<const std::uint32_t> distinct,
                          Query& query) {
  constexpr std::size_t kOneOf = 8;
  PodVector<std::uint32_t>& sample = query.some;
  sample.clear();
  for (std::size_t i = 0; i < distinct.size(); i += kOneOf) sample.push_back(distinct[i]);
  counts.held_by(sample, TemplateRule::kFamilies - 1, query.held);
  return kOneOf * (sample.size() - query.held.size());
}

/// Decides as dedup/template/stage.cpp does.
std::optional<VerifiedPair> decide_part(const Rule& rule, const View& view, const ShingleCounts& counts,
                                        Query& query, Shingled& a, Shingled& b) {
  const std::size_t na = a.distinct().size(), nb = b.distinct().size();
  if (na == 0 || nb == 0) return std::nullopt;
  PartText &text = query.text, &other = query.other;
  intersect(a.distinct(), b.distinct(), query.common);
  SharedText shared{.all = query.common.size()};
  // Templates of the queried text count for both texts. The other text may have more.
  shared.own = shared.all - intersection_size(query.common, text.templates);
  // A passage has a shingle for nearly every unit, and few of these repeat.
  const auto may_share_passage = [&] { return 2 * shared.own >= rule.passage_units; };
  // Most pairs are far below the rule, which a sample shows. If only runs of shingles count as templates, the
  // sample counts too many shingles as templates, so it never overestimates the own text.
  if (!may_share_passage()) {
    const std::size_t own = std::min(text.own.own, estimated_own(counts, b.distinct(), query));
    if (static_cast<double>(own) * rule.threshold > 2 * static_cast<double>(shared.own)) return std::nullopt;
  }
  counts.held_by(b.distinct(), TemplateRule::kFamilies, query.held);
  // Shingles that both hold are marked in both.
  intersect(query.common, text.marked, query.some);
  other.marked.resize_for_overwrite(query.held.size() + query.some.size());
  other.marked.resize_for_overwrite(static_cast<std::size_t>(
      std::ranges::set_union(query.held, query.some, other.marked.begin()).out - other.marked.begin()));
  decide_templates(view, b, other);
  shared.own = shared.all - shared_templates(text.of_template(), other.of_template());
  const VerifiedPair whole = measured({0, 1}, shared.all, na, nb);
  SecondDecision decision = decide_again(rule, whole, text.own, other.own, shared, false);
  if (!decision.accepted && may_share_passage()) {
    shared.passage = PassageAnchors::longest_common(anchors_of(rule, a, text), anchors_of(rule, b, other));
    decision = decide_again(rule, whole, text.own, other.own, shared, false);
  }
  return decision.accepted ? std::optional(decision.pair) : std::nullopt;
}

/// The number of characters before each of these bytes, which are ascending.
std::vector<std::size_t> characters_before(std::string_view text, const std::vector<std::size_t>& bytes) {
  std::vector<std::size_t> counts;
  std::size_t from = 0, characters = 0;
  for (const std::size_t at : bytes) {
    characters += count_characters(text.substr(from, at - from));
    counts.push_back(characters);
    from = at;
  }
  return counts;
}

/// Fills in the characters of one side of the passages.
template <class BytesOf, class CharactersOf>
void count_into(std::string_view text, std::vector<CopiedPassage>& passages, BytesOf bytes_of,
                CharactersOf characters_of) {
  std::vector<std::size_t> ends;
  for (const CopiedPassage& passage : passages)
    ends.insert(ends.end(), {bytes_of(passage).begin, bytes_of(passage).end});
  std::ranges::sort(ends);
  const std::vector<std::size_t> counts = characters_before(text, ends);
  const auto characters = [&](std::size_t byte) {
    return counts[static_cast<std::size_t>(std::ranges::lower_bound(ends, byte) - ends.begin())];
  };
  for (CopiedPassage& passage : passages)
    characters_of(passage) = {characters(bytes_of(passage).begin), characters(bytes_of(passage).end)};
}

/// The passages of a source, whose text, row and units are in the scratch.
SharedPart part_of(Query& query, const VerifiedPair& pair, CheckScratch& scratch, const CheckedText& text) {
  const std::span<const Unit> a = scratch.query.units(), b = scratch.other.units();
  PodVector<Unit> units;
  if (query.places.empty()) {
    to_units_with_places(text.text, text.keys.folding, units, query.places);
    const HashLookup lookup(query.text.templates);
    for (const std::uint32_t shingle : scratch.query.ordered())
      query.in_template.push_back(lookup.contains(shingle));
  }
  std::vector<UnitRun> runs = shared_runs(a, b, kLeastTold);
  std::erase_if(runs, [&](const UnitRun& run) {
    const std::size_t shingles = run.length < kShingleUnits ? 1 : run.length - kShingleUnits + 1;
    const auto first = query.in_template.begin() + static_cast<std::ptrdiff_t>(run.a);
    const auto of_template = std::count(first, first + static_cast<std::ptrdiff_t>(shingles), true);
    return 2 * static_cast<std::size_t>(of_template) > shingles;
  });
  SharedPart part{.id = scratch.row.id,
                  .source = scratch.row.source,
                  .time = scratch.row.time,
                  .measure = measure_name(pair.measure),
                  .score = pair.score,
                  .containment = pair.containment};
  for (const UnitRun& run : runs) part.units += run.length;
  part.share = static_cast<double>(part.units) / static_cast<double>(a.size());
  part.share_of_source = static_cast<double>(part.units) / static_cast<double>(b.size());
  std::vector<ByteRange> places_b;
  to_units_with_places(scratch.text, text.keys.folding, units, places_b);
  for (const Passage& passage : passages_of(runs, query.places, places_b))
    part.passages.push_back({passage, {}, {}});
  count_into(
      text.text, part.passages, [](const CopiedPassage& p) { return p.bytes.a; },
      [](CopiedPassage& p) -> CharacterRange& { return p.a; });
  count_into(
      scratch.text, part.passages, [](const CopiedPassage& p) { return p.bytes.b; },
      [](CopiedPassage& p) -> CharacterRange& { return p.b; });
  return part;
}

}  // namespace

Result<void> find_parts(const View& view, const Rows& rows, const ShingleCounts& counts,
                        CheckScratch& scratch, CheckedText& text) {
  static const Rule rule = reuse_rule();
  text.parts.clear();
  const std::vector<Key>& keys = text.part_keys.keys;
  const std::vector<std::uint32_t> most(keys.size(), kCommonPart);
  LEITONG_TRY(view.find_lists(keys, most, text.part_lists));
  if (text.look != Look::near || text.verdict == Verdict::exact) return {};
  std::vector<Sharing> sharing;
  LEITONG_TRY(texts_sharing(view, rule, text, sharing));
  if (sharing.empty()) return {};
  const std::size_t compared = kLeastSources + text.keys.units.size() / kUnitsPerSource;
  if (sharing.size() > compared) {
    if (text.verdict == Verdict::fresh)
      text.bounds.candidates += static_cast<std::uint32_t>(sharing.size() - compared);
    sharing.resize(compared);
  }
  scratch.query.set(text.keys.units);
  // So many other works hold a template; the text is one more if it represents itself.
  unsigned works = TemplateRule::kFamilies;
  if (text.verdict == Verdict::fresh || is_other_work(text.figures)) --works;
  Query query;
  counts.held_by(scratch.query.distinct(), works, query.text.marked);
  decide_templates(view, scratch.query, query.text);
  for (const Sharing& one : sharing) {
    std::span<const Unit> units;
    LEITONG_ASSIGN(const bool there, read_text(view, rows, one.text, text.keys.folding, scratch, units));
    if (!there) continue;
    scratch.other.set(units);
    if (const auto pair = decide_part(rule, view, counts, query, scratch.query, scratch.other))
      text.parts.push_back(part_of(query, *pair, scratch, text));
  }
  std::ranges::stable_sort(text.parts, std::greater(), &SharedPart::units);
  return {};
}

void add_part_keys(const CheckedText& text, bool stands, std::vector<Key>& keys) {
  for (std::size_t k = 0; k < text.part_keys.keys.size(); ++k) {
    const std::span<const TextNumber> holders = text.part_lists[k];
    if (holders.size() >= kCommonPart) continue;
    if (!stands && holders.size() >= kOfFamily && std::ranges::find(holders, text.match) != holders.end())
      continue;
    keys.push_back(text.part_keys.keys[k]);
  }
}

}  // namespace leitong::online
