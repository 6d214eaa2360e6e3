#include "online/rare_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {
namespace {

using T = TemplateRule;

// The least share of rare passages. It is more than the batch command requires (T::kRarePart), because texts
// that hold a shared shingle but share no key with this text are not found.
constexpr double kRarePart = .25;
// The most texts that are read to decide what is rare. If more share keys with the text, nothing is rare.
constexpr std::size_t kMostRead = 128;

// All texts that share a key with the text, those that share most first.
std::vector<TextNumber> others_of(const CheckScratch& scratch, const CheckedText& text,
                                  TextNumber candidate) {
  std::vector<TextNumber> holders;
  for (std::size_t k = 0; k < text.probes.full.size(); ++k)
    std::ranges::copy_if(scratch.lists[k], std::back_inserter(holders),
                         [&](TextNumber holder) { return holder != candidate; });
  std::ranges::sort(holders);
  std::vector<std::pair<std::size_t, TextNumber>> counted;  // by count, descending
  for (std::size_t i = 0, end = 0; i < holders.size(); i = end) {
    while (end < holders.size() && holders[end] == holders[i]) ++end;
    counted.emplace_back(holders.size() - (end - i), holders[i]);
  }
  std::ranges::sort(counted);
  std::vector<TextNumber> others;
  others.reserve(counted.size());
  for (const auto& [order, other] : counted) others.push_back(other);
  return others;
}

}  // namespace

Result<std::optional<VerifiedPair>> share_rare_text(const View& view, const Rows& rows,
                                                    const PairDecision& decision, TextNumber candidate,
                                                    CheckScratch& scratch, CheckedText& text) {
  const std::size_t na = scratch.query.distinct().size(), nb = scratch.other.distinct().size();
  if (decision.jaccard < T::kRareJaccard || std::min(na, nb) < T::kRareMin) return std::nullopt;
  std::vector<std::uint32_t> rare;
  append_shared(scratch.query, scratch.other, rare);
  const auto all = static_cast<double>(na + nb - rare.size());
  const auto score = [&] { return static_cast<double>(rare.size()) / all; };
  if (score() < kRarePart) return std::nullopt;
  if (view.texts() < T::kRareDocuments) {
    // There may be enough texts when this text is added, so that it is checked again then.
    text.templates_version = UINT64_MAX;
    return std::nullopt;
  }
  const TextNumber family = scratch.row.family;
  std::size_t read = 0;
  for (const TextNumber other : others_of(scratch, text, candidate)) {
    if (++read > kMostRead) return std::nullopt;
    std::span<const Unit> units;
    LEITONG_ASSIGN(const bool there, read_text(view, rows, other, text.keys.folding, scratch, units));
    if (!there || scratch.row.family == family) continue;
    scratch.other.set(units);
    const std::span<const std::uint32_t> held = scratch.other.distinct();
    std::erase_if(rare, [&, at = held.begin()](std::uint32_t shingle) mutable {
      at = std::lower_bound(at, held.end(), shingle);
      return at != held.end() && *at == shingle;
    });
    if (score() < kRarePart) return std::nullopt;
  }
  // The scratch holds the candidate again.
  std::span<const Unit> units;
  LEITONG_ASSIGN(const bool there, read_text(view, rows, candidate, text.keys.folding, scratch, units));
  if (!there) return std::nullopt;
  scratch.other.set(units);
  return VerifiedPair{.jaccard = static_cast<float>(decision.jaccard),
                      .containment = static_cast<float>(decision.containment),
                      .score = static_cast<float>(score()),
                      .measure = Measure::rare_text};
}

}  // namespace leitong::online
