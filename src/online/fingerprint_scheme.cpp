// Finds similar texts by the exact Hamming index (index/hamming/search): all within the distance. It holds
// the fingerprints of the texts that represent families, in a folder of its own, and is built from the
// records of the texts if it is missing.
//
// Rows are inserted before the store has the texts; a check does not see their numbers until then. A failed
// batch leaves rows whose numbers later texts get, so each hit is compared with the fingerprint that the
// store has under that number.
#include "online/fingerprint_scheme.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "index/hamming/search/hamming_index.hpp"
#include "index/hamming/search/search_plan.hpp"
#include "scheme/params.hpp"
#include "scheme/resources.hpp"
#include "text/units.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;
using hamming::Fingerprint128;

// The most texts of one content that are read. Usually there is one; collisions of keys make more.
constexpr std::uint32_t kCopies = 16;
// Rows that are inserted at once: no more than the index accepts while a merge fails.
constexpr std::size_t kInsertedAtOnce = 1 << 14;

template <hamming::Fingerprint F>
F narrow(const Fingerprint128& fingerprint) noexcept {
  if constexpr (std::is_same_v<F, Fingerprint128>)
    return fingerprint;
  else
    return fingerprint.low;
}

/// The record holds the fingerprint in place of the sketch of shingles, and a flag that the text is posted in
/// place of the units. If the text came as a fingerprint, was new, has neither source nor date, and has a
/// short id, the record holds the id too: an answer needs nothing else.
constexpr std::uint32_t kPosted = 1;
struct SketchedFingerprint {
  Fingerprint128 fingerprint;
  std::array<char, 15> id{};
  std::uint8_t id_bytes = 0;  // 0: the row has to be read
};
SketchedFingerprint sketched_in(const TextRecord& record) {
  return std::bit_cast<SketchedFingerprint>(record.sketch);
}
Fingerprint128 fingerprint_in(const TextRecord& record) { return sketched_in(record).fingerprint; }

bool fits_in_record(const Row& row, TextNumber number) {
  return row.verdict == Verdict::fresh && row.family == number && row.content == number &&
         row.source.empty() && !row.time && row.stamp && row.stamp->fingerprint && !row.stamp->digest &&
         row.packed.empty() && row.id.size() <= SketchedFingerprint{}.id.size();
}

/// The row of such a text; false if the record does not hold it.
bool take_row(const TextRecord& record, TextNumber number, Row& row) {
  const SketchedFingerprint sketched = sketched_in(record);
  if (sketched.id_bytes == 0 || sketched.id_bytes > sketched.id.size()) return false;
  row = {.family = number,
         .content = number,
         .id = std::string(sketched.id.data(), sketched.id_bytes),
         .source = {},
         .time = {},
         .expires = {},
         .stamp = Stamp{sketched.fingerprint, {}},
         .packed = {}};
  return true;
}

template <hamming::Fingerprint F>
struct FingerprintScratch final : SchemeScratch {
  std::unique_ptr<Sketcher::Scratch> sketcher;
  PodVector<std::uint64_t> words;
  std::vector<CheckedText*> asked;
  std::vector<F> queries;
  typename hamming::Snapshot<F>::Scratch search;
  std::vector<hamming::Hit<F>> hits;
};

template <hamming::Fingerprint F>
class FingerprintScheme final : public IndexScheme {
 public:
  FingerprintScheme(IndexSpec spec, std::unique_ptr<Scheme> scheme)
      : IndexScheme(std::move(spec)), scheme_(std::move(scheme)) {}

  void prepare(const Secret& secret, CheckedText& text, CheckScratch& scratch) const override {
    if (text.stamp && text.stamp->fingerprint && hamming::kBits<F> == 64 &&
        text.stamp->fingerprint->high != 0) {
      text.verdict = Verdict::refused;
      text.reason = "the fingerprint has more than the 64 bits of this index";
      return;
    }
    if (!text.stamp) {
      text.keys.folding = scheme_->folding();
      to_units(text.text, text.keys.folding, text.keys.units);
      FingerprintScratch<F>& space = space_of(scratch);
      space.words.clear();
      scheme_->sketch({text.text, text.keys.units}, *space.sketcher, space.words);
      text.stamp = Stamp{{}, content_digest(text.text, text.keys.units)};
      if (!space.words.empty())
        text.stamp->fingerprint = {space.words[0], space.words.size() > 1 ? space.words[1] : 0};
    }
    if (text.stamp->digest)
      text.keys.content = siphash(secret.content, value_bytes(*text.stamp->digest)) >> (64 - kKeyBits);
  }

  [[nodiscard]] std::size_t group() const noexcept override { return 64; }
  // A check is fast, and what a batch adds is only known at its turn.
  [[nodiscard]] bool checks_ahead() const noexcept override { return false; }

  Result<void> check(const View& view, const Rows& rows, CheckScratch& scratch,
                     std::span<CheckedText* const> texts, Explanation* explanation) const override {
    FingerprintScratch<F>& space = space_of(scratch);
    space.asked.clear();
    space.queries.clear();
    for (CheckedText* text : texts) {
      text->verdict = Verdict::fresh;
      text->others.clear();
      LEITONG_ASSIGN(const bool copy, find_copy(view, rows, scratch, *text));
      if (text->look == Look::copies || (copy && text->matches_wanted <= 1) || !text->stamp->fingerprint)
        continue;
      space.asked.push_back(text);
      space.queries.push_back(narrow<F>(*text->stamp->fingerprint));
    }
    if (space.queries.empty()) return {};
    space.hits.clear();
    LEITONG_TRY(rows_->snapshot().search(space.queries, spec().distance, hamming::HitRule::all, space.search,
                                         space.hits));
    for (const auto& hit : space.hits) {
      const auto number = static_cast<TextNumber>(hit.id);
      if (hit.id < view.end()) view.prefetch_records({&number, 1});
    }
    for (auto first = space.hits.begin(); first != space.hits.end();) {
      const auto last =
          std::find_if(first, space.hits.end(), [&](const auto& hit) { return hit.query != first->query; });
      LEITONG_TRY(take_hits(view, rows, scratch, {first, last}, *space.asked[first->query], explanation));
      first = last;
    }
    return {};
  }

  [[nodiscard]] TextRecord record(const CheckedText& text) const override {
    if (!text.stamp->fingerprint) return {};
    return {0, std::bit_cast<Sketch>(SketchedFingerprint{*text.stamp->fingerprint})};
  }

  void keep_row(const Row& row, TextNumber number, TextRecord& record) const override {
    if (!fits_in_record(row, number)) return;
    SketchedFingerprint sketched = sketched_in(record);
    std::ranges::copy(row.id, sketched.id.begin());
    sketched.id_bytes = static_cast<std::uint8_t>(row.id.size());
    record.sketch = std::bit_cast<Sketch>(sketched);
  }

  [[nodiscard]] bool is_record_of(const TextRecord& made, const CheckedText& text, const Row& row,
                                  TextNumber number) const override {
    TextRecord expected = record(text);
    keep_row(row, number, expected);
    return made.sketch == expected.sketch;
  }

  Result<void> post(const CheckedText& text, bool stands, const View& /*view*/, Delta& /*delta*/,
                    LogEntry& entry) override {
    if (text.stamp->digest) entry.keys.push_back(text.keys.content);
    if (!stands || !text.stamp->fingerprint) return {};
    entry.record.units = kPosted;
    const hamming::Row<F> row{narrow<F>(*text.stamp->fingerprint), entry.text};
    return insert({&row, 1});
  }

  Result<void> load(const Context& context, const std::filesystem::path& place, const State& state,
                    const Rows& /*rows*/, Loading loading) override {
    if (place.empty()) return open_rows(context, {});
    const fs::path folder = place / "fingerprints";
    std::error_code error;
    const bool is_there = loading != Loading::anew && fs::exists(folder, error);
    if (loading == Loading::to_read) {
      LEITONG_TRY(open_rows(context, is_there ? folder : fs::path(), true));
      return insert_posted(state, is_there ? state.first_record : 0, state.next());
    }
    if (loading == Loading::anew) fs::remove_all(folder, error);
    if (!is_there && state.first_record > 0) {
      // The folder is built under another name, so that an incomplete one is never used.
      const fs::path draft = place / "fingerprints-draft";
      fs::remove_all(draft, error);
      LEITONG_TRY(open_rows(context, draft));
      LEITONG_TRY(insert_posted(state, 0, state.first_record));
      LEITONG_TRY(rows_->flush());
      rows_.reset();
      fs::rename(draft, folder, error);
      if (error)
        return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", folder.string(), error.message()));
    }
    LEITONG_TRY(open_rows(context, folder));
    // Texts of segments were flushed before; the log has the others.
    return insert_posted(state, state.first_record, state.next());
  }

  Result<void> flush() override { return rows_->flush(); }

  Result<void> compact(const State& state) override {
    const View view{state};
    for (TextNumber text = 0; text < state.next(); ++text) {
      if (!state.removed.contains(text)) continue;
      LEITONG_ASSIGN(const TextRecord record, view.record(text));
      const hamming::Row<F> row{narrow<F>(fingerprint_in(record)), text};
      if (record.units == kPosted) LEITONG_TRY(rows_->remove(row));
    }
    return rows_->merge();
  }

  [[nodiscard]] Result<bool> holds(const TextRecord& record, TextNumber text) const override {
    if (record.units != kPosted) return true;
    typename hamming::Snapshot<F>::Scratch scratch;
    std::vector<hamming::Hit<F>> hits;
    const F query = narrow<F>(fingerprint_in(record));
    LEITONG_TRY(rows_->snapshot().search({&query, 1}, 0, hamming::HitRule::all, scratch, hits));
    return std::ranges::any_of(hits, [&](const auto& hit) { return hit.id == text; });
  }

  void add_figures(Figures& figures) const override {
    const hamming::IndexFigures rows = rows_->figures();
    figures.fingerprints = rows.rows + rows.changes;
    figures.fingerprint_bytes = rows.table_bytes + rows.id_bytes;
  }

 private:
  [[nodiscard]] FingerprintScratch<F>& space_of(CheckScratch& scratch) const {
    if (scratch.scheme == nullptr) {
      auto space = std::make_unique<FingerprintScratch<F>>();
      space->sketcher = scheme_->new_scratch();
      scratch.scheme = std::move(space);
    }
    return static_cast<FingerprintScratch<F>&>(*scratch.scheme);
  }

  Result<void> open_rows(const Context& context, const fs::path& folder, bool read_only = false) {
    auto opened = hamming::HammingIndex<F>::open({.distance = spec().distance,
                                                  .folder = folder,
                                                  .read_only = read_only,
                                                  .scheme = spec().scheme,
                                                  .merge_in_background = false,
                                                  .stop = StopToken(context.state().stop),
                                                  .context = &context});
    if (!opened &&
        (opened.error().code == ErrorCode::corrupt || opened.error().code == ErrorCode::not_found)) {
      opened.error().code = ErrorCode::corrupt;
      opened.error().message += "; repair the index by `leitong index repair`";
    }
    LEITONG_ASSIGN(rows_, std::move(opened));
    return {};
  }

  Result<void> insert_posted(const State& state, TextNumber first, TextNumber end) {
    std::vector<hamming::Row<F>> rows;
    const View view{state};
    for (TextNumber text = first; text < end; ++text) {
      LEITONG_ASSIGN(const TextRecord record, view.record(text));
      if (record.units == kPosted && !state.removed.contains(text))
        rows.push_back({narrow<F>(fingerprint_in(record)), text});
      if (rows.size() < kInsertedAtOnce) continue;
      LEITONG_TRY(insert(rows));
      rows.clear();
    }
    return insert(rows);
  }

  /// If a merge fails, it is tried again when the next one is due; the rows stay in memory until then.
  Result<void> insert(std::span<const hamming::Row<F>> rows) {
    const auto done = rows_->insert(rows);
    return done ? done : rows_->insert(rows);
  }

  /// The row of a text, without the text. False if it was removed.
  static Result<bool> read_row(const View& view, const Rows& rows, TextNumber text, Row& row) {
    if (const NewText* fresh = view.new_text(text)) {
      row = fresh->row;
      row.packed.clear();
      return true;
    }
    LEITONG_ASSIGN(const bool there, rows.read(text, row));
    row.packed.clear();
    return there;
  }

  /// The same for a text that was found by its fingerprint.
  static Result<bool> read_found(const View& view, const Rows& rows, TextNumber text, Row& row) {
    if (view.new_text(text) == nullptr) {
      LEITONG_ASSIGN(const TextRecord record, view.record(text));
      if (take_row(record, text, row)) return true;
    }
    return read_row(view, rows, text, row);
  }

  static Result<bool> find_copy(const View& view, const Rows& rows, CheckScratch& scratch,
                                CheckedText& text) {
    if (!text.stamp->digest) return false;
    LEITONG_TRY(view.find_lists({&text.keys.content, 1}, {&kCopies, 1}, scratch.lists));
    for (const TextNumber holder : scratch.lists[0]) {
      LEITONG_ASSIGN(const bool there, read_row(view, rows, holder, scratch.row));
      if (!there || !scratch.row.stamp || scratch.row.stamp->digest != text.stamp->digest) continue;
      text.verdict = Verdict::exact;
      text.match = holder;
      std::swap(text.match_row, scratch.row);
      return true;
    }
    return false;
  }

  Result<void> take_hits(const View& view, const Rows& rows, CheckScratch& scratch,
                         std::span<hamming::Hit<F>> hits, CheckedText& text, Explanation* explanation) const {
    std::ranges::sort(hits, {}, &hamming::Hit<F>::id);
    const auto [end, rest] = std::ranges::unique(hits, {}, &hamming::Hit<F>::id);
    for (const hamming::Hit<F>& hit : std::span(hits.begin(), end)) {
      if (hit.id >= view.end() || view.state.removed.contains(static_cast<TextNumber>(hit.id))) continue;
      const auto number = static_cast<TextNumber>(hit.id);
      if (text.verdict == Verdict::exact && number == text.match) continue;
      Row& row = scratch.row;
      LEITONG_ASSIGN(const bool there, read_found(view, rows, number, row));
      if (!there || !row.stamp || !row.stamp->fingerprint ||
          narrow<F>(*row.stamp->fingerprint) != hit.fingerprint)
        continue;
      if (explanation != nullptr)
        explanation->candidates.push_back({.id = row.id, .fate = "accepted", .distance = hit.distance});
      const VerifiedPair figures{.score = spec().score_at(hit.distance),
                                 .measure = Measure::estimate,
                                 .standing = PairStanding::same_work};
      if (text.verdict == Verdict::fresh) {
        text.verdict = Verdict::near;
        text.match = number;
        text.figures = figures;
        std::swap(text.match_row, row);
      } else {
        text.others.push_back({number, row, figures});
      }
      if (text.matches_wanted <= 1 && explanation == nullptr) return {};
    }
    std::ranges::stable_sort(text.others, std::greater(),
                             [](const auto& other) { return other.figures.score; });
    if (text.others.size() >= text.matches_wanted) text.others.resize(text.matches_wanted - 1);
    return {};
  }

  std::unique_ptr<Scheme> scheme_;
  std::unique_ptr<hamming::HammingIndex<F>> rows_;
};

}  // namespace

Result<std::unique_ptr<IndexScheme>> make_fingerprint_scheme(const Context& context, const Folding& folding,
                                                             const SchemeInfo& info, IndexSpec wanted) {
  // The index searches smaller distances than a batch compares.
  std::vector<ParamInfo> known(info.params.begin(), info.params.end());
  for (ParamInfo& param : known)
    if (param.name == "distance")
      param.greatest = std::min(param.greatest, static_cast<double>(hamming::kMaxDistance));
  LEITONG_ASSIGN(const Params params, Params::parse(info.name, known, wanted.given));
  const auto resources = resources_of(context, {wanted.dictionaries});
  LEITONG_ASSIGN(auto scheme, make_scheme(info.name, wanted.given, *resources, folding));
  LEITONG_TRY(resources->check_used());
  LEITONG_TRY(scheme->check_folding());
  if (const std::string_view why = scheme->must_be_verified(); !why.empty())
    return fail(ErrorCode::invalid_argument,
                fmt::format("an index by {} would decide by fingerprints alone, but {}", info.name, why));
  wanted.scheme = scheme->id();
  wanted.distance = static_cast<unsigned>(params.whole("distance"));
  LEITONG_TRY(hamming::check_search_distance(wanted.distance));
  wanted.bits = scheme->fingerprint_bits();
  wanted.folding = scheme->folding();
  if (wanted.bits == 64)
    return std::make_unique<FingerprintScheme<hamming::Fingerprint64>>(std::move(wanted), std::move(scheme));
  return std::make_unique<FingerprintScheme<hamming::Fingerprint128>>(std::move(wanted), std::move(scheme));
}

}  // namespace leitong::online
