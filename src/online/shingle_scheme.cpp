#include "online/shingle_scheme.hpp"

#include <fmt/core.h>

#include <array>
#include <string>

#include "base/try.hpp"
#include "online/candidates.hpp"
#include "online/find_parts.hpp"
#include "online/part_keys.hpp"
#include "scheme/dictionaries.hpp"
#include "scheme/key_tiers.hpp"
#include "scheme/resources.hpp"
#include "scheme/scheme.hpp"

namespace leitong::online {
namespace {

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

  Result<void> check(const View& view, const Rows& rows, CheckScratch& scratch,
                     std::span<CheckedText* const> texts, Explanation* explanation) const override {
    for (CheckedText* text : texts) {
      LEITONG_TRY(check_text(view, rows, scratch, *text, explanation));
      if (finds_parts_) LEITONG_TRY(find_parts(view, rows, scratch, *text));
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

 private:
  const bool finds_parts_;
};

}  // namespace

Result<std::unique_ptr<IndexScheme>> make_shingle_scheme(const Context& context, const Folding& folding,
                                                         IndexSpec wanted) {
  if (!wanted.keeps_texts)
    return fail(ErrorCode::invalid_argument,
                fmt::format("an index by the scheme \"{}\" compares texts, and keeps them; fingerprints do "
                            "without",
                            wanted.scheme.name));
  const auto resources = resources_of(context, to_choice(wanted.dictionaries));
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
