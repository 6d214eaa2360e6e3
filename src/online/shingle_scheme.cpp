#include "online/shingle_scheme.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "base/try.hpp"
#include "feature/shingle_set.hpp"
#include "feature/shingles.hpp"
#include "online/candidates.hpp"
#include "online/find_parts.hpp"
#include "online/part_keys.hpp"
#include "online/shingle_counts.hpp"
#include "online/text_codec.hpp"
#include "scheme/key_tiers.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;
static_assert(kLeastUnits == kShortKeyUnits);

class ShingleScheme final : public IndexScheme {
 public:
  explicit ShingleScheme(IndexSpec made_of)
      : IndexScheme(std::move(made_of)), finds_parts_(spec().scheme.name == kReuseScheme) {}

  void prepare(const Secret& secret, CheckedText& text, CheckScratch& scratch) const override {
    if (text.stamp) {
      text.verdict = Verdict::refused;
      text.reason = "this index compares texts, and holds no fingerprints; give the text";
      return;
    }
    make_keys(text.text, spec().folding, secret, scratch.keys, text.keys);
    text.too_short = text.keys.units.size() < kLeastUnits;
    if (finds_parts_) make_part_keys(text.keys.units, secret, scratch.keys, text.part_keys);
  }

  // If parts are looked for, nearly every answer depends on the texts just before.
  [[nodiscard]] bool checks_ahead() const noexcept override { return !finds_parts_; }

  Result<void> check(const View& view, const Rows& rows, CheckScratch& scratch,
                     std::span<CheckedText* const> texts, Explanation* explanation) const override {
    for (CheckedText* text : texts) {
      LEITONG_TRY(check_text(view, rows, scratch, *text, explanation));
      if (finds_parts_) LEITONG_TRY(find_parts(view, rows, *counts_, scratch, *text));
    }
    return {};
  }

  [[nodiscard]] TextRecord record(const CheckedText& text) const override {
    return {static_cast<std::uint32_t>(text.keys.units.size()), text.keys.sketched.sketch()};
  }

  Result<void> post(const CheckedText& text, bool stands, const View& view, Delta& delta,
                    LogEntry& entry) override {
    entry.keys.push_back(text.keys.content);
    if (finds_parts_) add_part_keys(text, stands, entry.keys);
    if (!stands) return {};
    if (finds_parts_) count(text.keys.shingles, entry.text);
    if (text.keys.set) entry.keys.push_back(*text.keys.set);
    std::array<std::uint32_t, kTiers> posted{};
    for (std::size_t k = 0; k < text.probes.full.size(); ++k) {
      const std::size_t tier = text.probes.tier[k];
      const Key key = text.probes.keys[k];
      if (text.probes.full[k] != 0 || posted[tier] == text.keys.quota[tier].post) continue;
      ++posted[tier];
      entry.keys.push_back(key);
      if (text.holders[k] + 1 >= kFull && !view.is_full(key)) delta.full.insert(key);
    }
    return {};
  }

  Result<void> load(const Context& /*context*/, const fs::path& place, const State& state, const Rows& rows,
                    Loading loading) override {
    if (!finds_parts_ || place.empty()) return {};
    const fs::path there = place / "shingle-counts";
    if (loading != Loading::to_read) file_ = there;
    std::error_code error;
    if (loading == Loading::anew) fs::remove(there, error);
    // Texts whose log was lost may have been counted. A damaged file is ignored.
    if (fs::exists(there, error)) {
      const auto is_read = counts_->read(there);
      if (!is_read || counts_->texts > state.next()) counts_ = std::make_unique<ShingleCounts>();
    }
    saved_ = counts_->texts;
    LEITONG_TRY(count_stored(rows, state.next()));
    static_cast<void>(flush());  // if it fails, it is tried again later
    return {};
  }

  // Texts that are not in the file are counted again when the index is opened. The file is written only after
  // enough new texts, so that writing stays cheap.
  Result<void> flush() override {
    constexpr TextNumber kFew = 1'000, kPart = 8;
    if (file_.empty() || counts_->texts < saved_ + std::max(kFew, saved_ / kPart)) return {};
    LEITONG_TRY(counts_->write(file_));
    saved_ = counts_->texts;
    return {};
  }

  void add_figures(Figures& figures) const override {
    if (finds_parts_) figures.memory_bytes = figures.memory_bytes.value_or(0) + counts_->bytes();
  }

 private:
  /// Notes that one more work holds these shingles.
  void count(std::span<const std::uint32_t> shingles, TextNumber text) {
    distinct_.clear();
    distinct_.append(shingles);
    make_shingle_set(distinct_, space_);
    counts_->add(distinct_);
    counts_->texts = std::max(counts_->texts, text + 1);
  }

  /// Counts the texts that the counts lack, as post() did.
  Result<void> count_stored(const Rows& rows, TextNumber end) {
    Row row;
    TextCodec codec;
    std::string text;
    PodVector<Unit> units;
    PodVector<std::uint32_t> shingles;
    for (TextNumber number = counts_->texts; number < end; ++number) {
      LEITONG_ASSIGN(const bool there, rows.read(number, row));
      if (!there || row.verdict == Verdict::exact || (row.verdict == Verdict::near && !row.other_work))
        continue;
      LEITONG_TRY(codec.unpack(row.packed, row.text_bytes, text));
      to_units(text, spec().folding, units);
      shingle_hashes(units, shingles);
      count(shingles, number);
    }
    counts_->texts = std::max(counts_->texts, end);
    return {};
  }

  const bool finds_parts_;
  // Checks read the counts while a text is added. What was counted for a batch that fails stays counted.
  std::unique_ptr<ShingleCounts> counts_ = std::make_unique<ShingleCounts>();
  fs::path file_;         // the file of the counts; empty if they are not kept
  TextNumber saved_ = 0;  // texts whose shingles the file has
  PodVector<std::uint32_t> distinct_, space_;
};

}  // namespace

Result<std::unique_ptr<IndexScheme>> make_shingle_scheme(const Context& context, const Folding& folding,
                                                         IndexSpec wanted) {
  if (!wanted.keeps_texts)
    return fail(ErrorCode::invalid_argument,
                fmt::format("an index by the scheme \"{}\" compares texts, and keeps them; fingerprints do "
                            "without",
                            wanted.scheme.name));
  const auto resources = resources_of(context, {wanted.dictionaries});
  LEITONG_ASSIGN(const auto scheme, make_scheme(kShingleScheme, wanted.given, *resources, folding));
  LEITONG_TRY(resources->check_used());
  // Both look at the same units of a text.
  const std::string name = wanted.scheme.name;
  wanted.scheme = scheme->id();
  wanted.scheme.name = name;
  wanted.folding = folding;
  return std::make_unique<ShingleScheme>(std::move(wanted));
}

}  // namespace leitong::online
