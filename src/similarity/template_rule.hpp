// The second decision: text that many unrelated documents hold is a template and does not count; text that
// few others hold counts more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/pair.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// The values of the second decision, measured on nine labelled corpora. docs/methods.md says what each is
/// for and how far it can be changed.
struct TemplateRule {
  /// A shingle that at least so many families hold (sets of texts that are the same work) is a template,
  static constexpr std::uint32_t kFamilies = 8;
  /// if they are at least this part of the documents that hold it: the stragglers of one large family are no
  /// template.
  static constexpr double kFamiliesOfDocuments = .10;
  /// With sites: what at least so many families of one site hold, and this part of all its families, is a
  /// template for the texts of that site.
  static constexpr std::uint32_t kSiteFamilies = 3;
  static constexpr double kPartOfSite = .50;

  /// As a corpus grows, kFamilies families come to hold ordinary phrases, too. So from this number of
  /// documents on, template shingles are template only in runs of positions: least_template_run().
  static constexpr std::uint64_t kRunDocuments = 100'000;

  /// Own shingles count as own text in runs of at least so many positions.
  static constexpr std::uint32_t kTextRun = 8;
  /// A text with fewer positions in such runs than this, or than this part of its distinct shingles, is bare:
  /// it consists of a template and little else.
  static constexpr std::uint32_t kBare = 12;
  static constexpr double kBarePart = .04;
  /// Required of two bare texts.
  static constexpr double kBareJaccard = .80;

  /// Required of the own texts of a pair that the rule accepts.
  static constexpr double kOwnJaccard = .25;
  static constexpr double kOwnContainment = .50;
  /// The least own shingles for which containment counts.
  static constexpr std::uint32_t kOwnContainmentMin = 24;
  /// The least own shingles with which the own texts alone can make a pair.
  static constexpr std::uint32_t kOwnMin = 12;
  /// For two texts that differ only by noise (noise.hpp), the part of what they share that must not be
  /// template.
  static constexpr double kOwnOfNoisy = .80;
  /// If several documents hold this part of the keys of a text, a relevant part of the text may be template.
  static constexpr double kFramed = .05;
  /// The part of a text's shingles that may be template is up to so many times the part of its keys: keys are
  /// longer, so fewer documents hold them.
  static constexpr double kFrameSlack = 2;

  /// Rare passages: a pair that the rule refuses is accepted from this Jaccard value and number of shingles
  /// on if the shingles that no third family holds are this part of the union.
  static constexpr double kRareJaccard = .30;
  static constexpr std::uint32_t kRareMin = 64;
  static constexpr std::uint32_t kRareFamilies = 2;
  static constexpr double kRarePart = .20;
  /// In a corpus of fewer documents everything is rare.
  static constexpr std::uint64_t kRareDocuments = 1'000;
};

/// True if a shingle of `documents` documents, which belong to `families` families, is a template.
[[nodiscard]] bool is_template(std::uint64_t families, std::uint64_t documents) noexcept;
/// The same for the texts of one site, by the families and documents there that hold the shingle, and the
/// number of all families of the site.
[[nodiscard]] bool is_site_template(std::uint64_t families, std::uint64_t documents,
                                    std::uint64_t families_of_site) noexcept;

/// The number of consecutive template shingles from which each of them is template. A frame of a site stands
/// at the ends of its texts, and may be short. Phrases that are in a row by chance stand anywhere.
struct LeastRun {
  std::uint32_t inside = 1;
  std::uint32_t at_end = 1;  ///< of a run with which the text begins or ends

  bool operator==(const LeastRun&) const = default;
  /// True if single template shingles count.
  [[nodiscard]] bool is_single() const noexcept { return inside <= 1; }
  /// True if the positions [begin, end) of a text of `size` positions are enough.
  [[nodiscard]] bool is_met(std::size_t begin, std::size_t end, std::size_t size) const noexcept {
    return end - begin >= (begin == 0 || end == size ? at_end : inside);
  }
};
/// In a corpus of so many documents: 1 below kRunDocuments, and then 12 log10(documents / 10,000), rounded,
/// and a third of it at an end: 24 and 8 for a million documents, 36 and 12 for ten million.
[[nodiscard]] LeastRun least_template_run(std::uint64_t documents) noexcept;

/// The least positions in runs (OwnText::in_runs) with which a text of so many distinct shingles is not bare.
[[nodiscard]] double enough_in_runs(std::size_t shingles) noexcept;

/// A text as the second decision sees it.
struct OwnText {
  std::size_t shingles = 0;  ///< distinct ones
  std::size_t own = 0;       ///< of these, those that are not template
  std::size_t in_runs = 0;   ///< positions in runs of at least kTextRun own shingles, or enough_in_runs()

  /// REQUIRES own < shingles: a text without a template is not bare, however short it is.
  [[nodiscard]] bool is_bare() const noexcept;
};

/// What two texts share, in distinct shingles.
struct SharedText {
  std::size_t all = 0;
  std::size_t own = 0;      ///< template for neither of them
  std::size_t rare = 0;     ///< that at most kRareFamilies families hold
  std::size_t passage = 0;  ///< units of the longest passage that are template for neither; 0: too few
};

/// The second decision about a pair.
struct SecondDecision {
  bool accepted = false;
  VerifiedPair pair;     ///< with `own` filled in
  double closeness = 1;  ///< for a refused pair: the part of what was required that it has, below 1
};

/// `pair` has its measures on whole texts. REQUIRES n > 0 for both. `rare_counts`: true if the corpus has
/// enough documents for rare passages.
[[nodiscard]] SecondDecision decide_again(const Rule& rule, const VerifiedPair& pair, const OwnText& a,
                                          const OwnText& b, const SharedText& shared,
                                          bool rare_counts) noexcept;

/// The rule with its Jaccard values lowered to that of rare passages, for the search for candidates.
[[nodiscard]] Rule widened(const Rule& rule) noexcept;

/// True if enough of a text's keys are held by several documents. `frame` is Candidate::frame.
[[nodiscard]] bool is_framed(std::uint8_t frame) noexcept;
/// True if a pair that the rule refuses must be decided again. Of the shingles of either text as many may be
/// template as `frame` allows.
[[nodiscard]] bool worth_deciding_again(std::size_t shared, std::size_t na, std::size_t nb,
                                        std::uint8_t frame) noexcept;

}  // namespace leitong
