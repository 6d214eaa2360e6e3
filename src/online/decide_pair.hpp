// Are two texts similar? The one place where a pair is decided, from both texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "online/state.hpp"
#include "similarity/own_text.hpp"
#include "similarity/rule.hpp"
#include "similarity/spread.hpp"
#include "text/units.hpp"

namespace leitong::online {

/// A text's shingles, as far as decisions have asked for them. One text after another may be set.
class Shingled {
 public:
  /// `units` must stay where they are.
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
  /// Of the distinct ones. The view must be the same until set().
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
  std::optional<VerifiedPair> accepted;  ///< its footing is same_work, or else ordinary
  double jaccard = 0, containment = 0;
  std::size_t shared = 0;  ///< distinct shingles
  /// The pair meets the rule, and shares too little beside templates: what was seen of it.
  std::optional<WithoutTemplate> refused_as_template;
  bool meets_rule = false;  ///< with its whole texts
  /// The two are different works that share much: it may be a template.
  bool shows_template = false;
  /// Known templates were looked at, or would have been.
  bool asked_templates = false;
};

/// As the batch command decides (dedup/verify.cpp, dedup/template): by the rule, and then without the
/// templates that the index knows. Two texts that are the same work by scattered edits are not decided again:
/// the batch knows how large their family is, and an index doesn't. Those that the rule refuses are, if they
/// share enough. Rare passages are looked for in another place (rare_text.hpp). REQUIRES texts that hold
/// units.
PairDecision decide_pair(const Rule& rule, const View& view, Shingled& a, Shingled& b);

/// Figures of a text that came before, and of the one that stands for its family now. `first`: those of the
/// match that it had when it came, and theirs if that was the same text. Others are worked out anew; so are
/// those of two that the rule refuses.
VerifiedPair figures_now(const VerifiedPair& first, const View& view, Shingled& text, Shingled& match);

/// Must decide_pair() refuse two texts that the rule refuses, and that share so many shingles, where of each
/// at least so many are no template? Says no where it isn't sure.
[[nodiscard]] bool share_too_little(const Rule& rule, std::size_t shared, std::size_t own_a,
                                    std::size_t own_b) noexcept;

/// Does a text that is near by these figures stand for itself, too, so that later texts are compared with it?
/// Another work does; not what is near by a rare passage alone.
[[nodiscard]] inline bool is_other_work(const VerifiedPair& figures) noexcept {
  return figures.footing != Footing::same_work && figures.measure != Measure::rare_text;
}

/// Adds the shingles that both hold.
void append_shared(Shingled& a, Shingled& b, std::vector<std::uint32_t>& shared);

}  // namespace leitong::online
