// Compares two texts of the index: are they similar, and what would be lost if one of them left for the
// other? The index decides nowhere else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/loss.hpp"
#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "online/state.hpp"
#include "similarity/loss.hpp"
#include "similarity/own_text.hpp"
#include "similarity/rule.hpp"
#include "similarity/spread.hpp"
#include "text/units.hpp"

namespace leitong::online {

/// The shingles of a text, computed when decisions need them. set() begins the next text.
class Shingled {
 public:
  /// `units` must not move.
  void set(std::span<const Unit> units) noexcept {
    units_ = units;
    has_set_ = has_order_ = has_templates_ = false;
  }
  [[nodiscard]] std::span<const Unit> units() const noexcept { return units_; }
  [[nodiscard]] bool has_units_of(const Shingled& other) const {
    return std::ranges::equal(units_, other.units_);
  }
  [[nodiscard]] std::span<const std::uint32_t> distinct();
  [[nodiscard]] std::span<const std::uint32_t> ordered();
  [[nodiscard]] const HashLookup& lookup();
  /// The templates among the distinct shingles. The view must stay the same until set().
  [[nodiscard]] TemplatesOfText templates(const View& view);
  [[nodiscard]] OwnText own(const View& view) {
    return own_text(ordered(), distinct().size(), templates(view).templates);
  }

 private:
  void make_order();
  std::span<const Unit> units_;
  bool has_set_ = false, has_order_ = false, has_templates_ = false;
  PodVector<std::uint32_t> distinct_, ordered_, templates_, marked_, scratch_;
  HashLookup lookup_;
};

struct PairDecision {
  std::optional<VerifiedPair> accepted;  ///< the accepted pair; its standing is same_work or ordinary
  double jaccard = 0, containment = 0;
  std::size_t shared = 0;  ///< distinct shingles that both hold
  /// If the pair meets the rule but shares too little outside templates: its figures.
  std::optional<WithoutTemplate> refused_as_template;
  bool meets_rule = false;  ///< the whole texts meet the rule
  /// The two are different works that share much, which may be a template.
  bool shows_template = false;
  /// Could known templates influence the decision?
  bool asked_templates = false;
};

/// Decides as the batch command does (dedup/verify.cpp, dedup/template): by the rule, and then without the
/// templates that the index knows. Two texts that are the same work with scattered edits are not decided
/// again, because the batch knows the size of their family and an index does not. Pairs that the rule refuses
/// are decided again if they share enough. rare_text.hpp looks for rare passages. REQUIRES texts with units.
PairDecision decide_pair(const Rule& rule, const View& view, Shingled& a, Shingled& b);

/// The figures of a stored text and the present representative of its family. `first`: the figures of the
/// text and its first match; they are reused if that match is the present representative. Otherwise, and if
/// the rule refuses the two, they are computed again.
VerifiedPair figures_now(const VerifiedPair& first, const View& view, Shingled& text, Shingled& match);

/// Must decide_pair() refuse two texts that the rule refuses and that share so many shingles, if at least
/// `own_a` and `own_b` shingles are outside templates? False if it is not certain.
[[nodiscard]] bool share_too_little(const Rule& rule, std::size_t shared, std::size_t own_a,
                                    std::size_t own_b) noexcept;

/// Does a near text with these figures also represent itself, so that later texts are compared with it? True
/// for another work, but not for a text that is near only by a rare passage.
[[nodiscard]] inline bool is_other_work(const VerifiedPair& figures) noexcept {
  return figures.standing != PairStanding::same_work && figures.measure != Measure::rare_text;
}

/// Appends the shingles that both texts hold.
void append_shared(Shingled& a, Shingled& b, std::vector<std::uint32_t>& shared);

/// A text with its shingles and its bytes.
struct WrittenText {
  Shingled& shingled;
  std::string_view bytes;
};

/// Computes the loss as the batch command does (dedup/losses.hpp), with the templates that the index knows.
/// Holds working space.
class LossOfText {
 public:
  [[nodiscard]] Loss find(const View& view, const Folding& folding, const WrittenText& text,
                          const WrittenText& match);

 private:
  LossFinder finder_;
  PodVector<std::uint8_t> in_template_;
};

}  // namespace leitong::online
