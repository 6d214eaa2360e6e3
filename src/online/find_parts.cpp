#include "online/find_parts.hpp"

#include <algorithm>
#include <functional>
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

/// Of the texts that share keys so many are compared, and one more for each kUnitsPerSource units of the
/// text.
constexpr std::size_t kLeastSources = 32, kUnitsPerSource = 64;
/// A text that shares fewer pieces and no key of a passage is not compared.
constexpr std::uint32_t kLeastPieces = 2;
/// The least units of a run that is told as a passage.
constexpr std::size_t kLeastTold = 8;
/// Without a passage that is long enough, the passages that are told must be this part of the smaller text:
/// an index knows fewer templates than the batch, and phrases of few units are most of what is left of these.
constexpr double kLeastPart = .10;
/// A key of a passage counts as so many of pieces where texts are ranked.
constexpr std::uint32_t kPiecesOfPassage = 3;

/// A text that shares keys.
struct Sharing {
  TextNumber text;
  std::uint32_t passages, pieces;

  [[nodiscard]] std::uint32_t weight() const noexcept { return kPiecesOfPassage * passages + pieces; }
};

/// The texts that share enough keys, the likeliest first.
std::vector<Sharing> texts_sharing(const CheckedText& text) {
  std::vector<std::pair<TextNumber, bool>> met;
  for (std::size_t k = 0; k < text.part_keys.keys.size(); ++k) {
    const std::span<const TextNumber> holders = text.part_lists[k];
    if (holders.size() >= kCommonPart) continue;
    for (const TextNumber holder : holders)
      if (text.verdict == Verdict::fresh || holder != text.match)
        met.emplace_back(holder, k < text.part_keys.of_passages);
  }
  std::ranges::sort(met);
  std::vector<Sharing> sharing;
  for (const auto& [holder, passage] : met) {
    if (sharing.empty() || sharing.back().text != holder) sharing.push_back({holder, 0, 0});
    ++(passage ? sharing.back().passages : sharing.back().pieces);
  }
  std::erase_if(sharing, [](const Sharing& s) { return s.passages == 0 && s.pieces < kLeastPieces; });
  std::ranges::sort(sharing, [](const Sharing& a, const Sharing& b) {
    return a.weight() != b.weight() ? a.weight() > b.weight() : a.text < b.text;
  });
  return sharing;
}

/// Marks the shingles of the text that lie in common keys, and between neighbouring common pieces.
void mark_common(const CheckedText& text, std::vector<bool>& marked) {
  const PartKeys& keys = text.part_keys;
  const auto mark = [&](std::size_t begin, std::size_t end) {
    std::fill(marked.begin() + static_cast<std::ptrdiff_t>(begin),
              marked.begin() + static_cast<std::ptrdiff_t>(std::min(end, marked.size())), true);
  };
  const auto is_common = [&](std::size_t k) { return text.part_lists[k].size() >= kCommonPart; };
  for (std::size_t k = 0; k < keys.keys.size(); ++k) {
    if (!is_common(k)) continue;
    const std::size_t end = keys.places[k] + keys.units_of(k) - kShingleUnits + 1;
    const bool goes_on = k >= keys.of_passages && k + 1 < keys.keys.size() && is_common(k + 1) &&
                         keys.places[k + 1] <= keys.places[k] + kPieceWindow;
    mark(keys.places[k], goes_on ? std::max<std::size_t>(end, keys.places[k + 1]) : end);
  }
}

/// The queried text as pairs are decided.
struct Query {
  PodVector<std::uint32_t> templates, marked;  // ascending
  std::vector<bool> in_template;               // for each shingle of the text
  OwnText own;
  PassageAnchors anchors;
  std::vector<ByteRange> places;  // of its units; filled when the first source is found
};

/// The templates of the text are those that the index has learned, and what common keys cover.
void prepare_query(const View& view, Shingled& shingled, const CheckedText& text, Query& query) {
  const std::span<const std::uint32_t> ordered = shingled.ordered();
  std::vector<bool> common(ordered.size(), false);
  mark_common(text, common);
  PodVector<std::uint32_t> by_keys;
  for (std::size_t i = 0; i < ordered.size(); ++i)
    if (common[i]) by_keys.push_back(ordered[i]);
  std::sort(by_keys.begin(), by_keys.end());
  by_keys.resize_for_overwrite(
      static_cast<std::size_t>(std::unique(by_keys.begin(), by_keys.end()) - by_keys.begin()));
  const TemplatesOfText learned = shingled.templates(view);
  query.marked.resize_for_overwrite(by_keys.size() + learned.marked.size());
  query.marked.resize_for_overwrite(static_cast<std::size_t>(
      std::ranges::set_union(by_keys, learned.marked, query.marked.begin()).out - query.marked.begin()));
  query.templates.append(query.marked);
  keep_runs(ordered, view.least_run(), query.templates);
  query.in_template.assign(ordered.size(), false);
  if (!query.templates.empty()) {
    const HashLookup lookup(query.templates);
    for (std::size_t i = 0; i < ordered.size(); ++i) query.in_template[i] = lookup.contains(ordered[i]);
  }
  query.own = own_text(ordered, shingled.distinct().size(), query.templates);
  query.anchors = PassageAnchors(ordered, kPassageUnits, query.templates);
}

/// Decides as dedup/template/stage.cpp does. VerifiedPair::passage_units is set whatever measure decides.
/// `shares_key`: a key of a passage is shared, without which there is no passage that is long enough.
std::optional<VerifiedPair> decide_part(const View& view, const Query& query, bool shares_key, Shingled& a,
                                        Shingled& b) {
  static const Rule rule = reuse_rule();
  const std::size_t na = a.distinct().size(), nb = b.distinct().size();
  if (na == 0 || nb == 0) return std::nullopt;
  SharedText shared;
  shared.all = intersection_size(a.distinct(), b.distinct());
  const TemplatesOfText of_b = b.templates(view);
  shared.own = shared.all - shared_templates({query.templates, query.marked}, of_b);
  // A passage has a shingle for nearly every unit, and few of these repeat.
  if (shares_key && 2 * shared.own >= rule.passage_units)
    shared.passage = PassageAnchors::longest_common(
        query.anchors, PassageAnchors(b.ordered(), rule.passage_units, of_b.templates));
  const SecondDecision decision =
      decide_again(rule, measured({0, 1}, shared.all, na, nb), query.own, b.own(view), shared, false);
  if (!decision.accepted) return std::nullopt;
  VerifiedPair pair = decision.pair;
  pair.passage_units = static_cast<std::uint16_t>(std::min<std::size_t>(shared.passage, UINT16_MAX));
  return pair;
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
  std::vector<UnitRun> runs = shared_runs(a, b, kLeastTold);
  // Between common keys and the ends of a template some of its shingles are not known as such.
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
  PodVector<Unit> units;
  if (query.places.empty()) to_units_with_places(text.text, text.keys.folding, units, query.places);
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

Result<void> find_parts(const View& view, const Rows& rows, CheckScratch& scratch, CheckedText& text) {
  text.parts.clear();
  const std::vector<Key>& keys = text.part_keys.keys;
  const std::vector<std::uint32_t> most(keys.size(), kCommonPart);
  LEITONG_TRY(view.find_lists(keys, most, text.part_lists));
  text.probes.keys.insert(text.probes.keys.end(), keys.begin(), keys.end());
  if (text.look != Look::near || text.verdict == Verdict::exact) return {};
  std::vector<Sharing> sharing = texts_sharing(text);
  if (sharing.empty()) return {};
  const std::size_t compared = kLeastSources + text.keys.units.size() / kUnitsPerSource;
  if (sharing.size() > compared) {
    if (text.verdict == Verdict::fresh)
      text.bounds.candidates += static_cast<std::uint32_t>(sharing.size() - compared);
    sharing.resize(compared);
  }
  scratch.query.set(text.keys.units);
  Query query;
  prepare_query(view, scratch.query, text, query);
  for (const Sharing& one : sharing) {
    std::span<const Unit> units;
    LEITONG_ASSIGN(const bool there, read_text(view, rows, one.text, text.keys.folding, scratch, units));
    if (!there) continue;
    scratch.other.set(units);
    const auto pair = decide_part(view, query, one.passages > 0, scratch.query, scratch.other);
    if (!pair) continue;
    SharedPart part = part_of(query, *pair, scratch, text);
    if (pair->passage_units > 0 || std::max(part.share, part.share_of_source) >= kLeastPart)
      text.parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(text.parts, std::greater(), &SharedPart::units);
  return {};
}

void add_part_keys(const CheckedText& text, bool stands, std::vector<Key>& keys) {
  for (std::size_t k = 0; k < text.part_keys.keys.size(); ++k) {
    const std::span<const TextNumber> holders = text.part_lists[k];
    if (holders.size() >= kCommonPart) continue;
    if (!stands && std::ranges::find(holders, text.match) != holders.end()) continue;
    keys.push_back(text.part_keys.keys[k]);
  }
}

}  // namespace leitong::online
