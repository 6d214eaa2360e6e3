// The second decision: what many unrelated texts hold is a template and does not count; what hardly anyone
// else holds counts more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/pair.hpp"
#include "similarity/rule.hpp"

namespace leitong {

/// The figures of the second decision. Measured on nine labelled corpora; docs/methods.md says what each part
/// is for and how far it can be moved.
struct TemplateRule {
  /// A shingle of so many families (sets of texts that are the same work) is a template ..
  static constexpr std::uint32_t kFamilies = 8;
  /// .. if these are this part of the documents that hold it: the stragglers of one large family are no
  /// template.
  static constexpr double kFamiliesOfDocuments = .10;
  /// With sites: what so many families of one site, and this part of all its families, hold is a template for
  /// the texts of that site.
  static constexpr std::uint32_t kSiteFamilies = 3;
  static constexpr double kPartOfSite = .50;

  /// Ordinary phrases, too, come to be held by kFamilies families as a corpus grows. So from this number of
  /// documents on template shingles are template only in runs of positions: least_template_run().
  static constexpr std::uint64_t kRunDocuments = 100'000;

  /// Own shingles count as text of one's own in runs of so many positions.
  static constexpr std::uint32_t kTextRun = 8;
  /// A text with fewer positions in such runs than this, or than this part of its distinct shingles, is
  /// bare: template and little else.
  static constexpr std::uint32_t kBare = 12;
  static constexpr double kBarePart = .04;
  /// Asked of two bare texts.
  static constexpr double kBareJaccard = .80;

  /// Asked of the own texts of a pair that the rule accepts.
  static constexpr double kOwnJaccard = .25;
  static constexpr double kOwnContainment = .50;
  static constexpr std::uint32_t kOwnContainmentMin = 24;  ///< own shingles from which containment counts
  /// Own shingles from which the own texts alone can make a pair.
  static constexpr std::uint32_t kOwnMin = 12;
  /// Of two texts that noise alone tells apart (noise.hpp), the part of what they share that is no template.
  static constexpr double kOwnOfNoisy = .80;
  /// A text of whose keys this part is held by several documents may consist of a template to a part that
  /// matters.
  static constexpr double kFramed = .05;
  /// Of a text's shingles so many times the part of its keys may be a template: keys are longer, and fewer
  /// documents hold them.
  static constexpr double kFrameSlack = 2;

  /// Rare passages: a pair that the rule refuses is accepted from this Jaccard value and number of shingles
  /// if the shingles that no third family holds are this part of the union.
  static constexpr double kRareJaccard = .30;
  static constexpr std::uint32_t kRareMin = 64;
  static constexpr std::uint32_t kRareFamilies = 2;
  static constexpr double kRarePart = .20;
  /// In fewer documents everything is rare.
  static constexpr std::uint64_t kRareDocuments = 1'000;
};

/// Is a shingle of `documents` documents, which belong to `families` families, a template?
[[nodiscard]] bool is_template(std::uint64_t families, std::uint64_t documents) noexcept;
/// For the texts of a site: by its families and documents there, and the families that have a page there.
[[nodiscard]] bool is_site_template(std::uint64_t families, std::uint64_t documents,
                                    std::uint64_t families_of_site) noexcept;

/// Template shingles in a row that it takes for each of them to be one, in a corpus of so many documents: 1
/// below kRunDocuments, and then 5 log10(documents / 10,000), rounded: 10 of a million, 15 of ten million. Of
/// planted copies among a million short texts the run finds 0.982 with 1, 0.9896 with 8 and 0.9900 with 10.
[[nodiscard]] std::uint32_t least_template_run(std::uint64_t documents) noexcept;

/// Positions in runs (OwnText::in_runs) with which a text of so many distinct shingles is not bare.
[[nodiscard]] double enough_in_runs(std::size_t shingles) noexcept;

/// A text as the second decision sees it.
struct OwnText {
  std::size_t shingles = 0;  ///< distinct ones
  std::size_t own = 0;       ///< of these, those that are no template
  std::size_t in_runs = 0;   ///< positions in runs of kTextRun own shingles and more, or enough_in_runs()

  /// REQUIRES own < shingles: a text without a template isn't bare, however short.
  [[nodiscard]] bool is_bare() const noexcept;
};

/// What two texts share, in distinct shingles.
struct SharedText {
  std::size_t all = 0;
  std::size_t own = 0;      ///< template for neither of them
  std::size_t rare = 0;     ///< that kRareFamilies families hold at most
  std::size_t passage = 0;  ///< units of the longest passage that are template for neither; 0: not enough
};

/// A pair, decided again.
struct SecondDecision {
  bool accepted = false;
  VerifiedPair pair;     ///< `own` filled in
  double closeness = 1;  ///< of a refused pair: how near it came, as a part of what was asked, below 1
};

/// `pair` with its measures on whole texts. REQUIRES n > 0 for both. `rare_counts`: are there documents
/// enough for rare passages?
[[nodiscard]] SecondDecision decide_again(const Rule& rule, const VerifiedPair& pair, const OwnText& a,
                                          const OwnText& b, const SharedText& shared,
                                          bool rare_counts) noexcept;

/// The rule with its Jaccard values lowered to that of rare passages, for the search of candidates.
[[nodiscard]] Rule widened(const Rule& rule) noexcept;

/// Does a text hold enough of what several documents hold? `frame`: Candidate::frame.
[[nodiscard]] bool is_framed(std::uint8_t frame) noexcept;
/// Is a pair that the rule refuses to be decided again? Of the shingles of either text as many may be a
/// template as `frame` leaves room for.
[[nodiscard]] bool worth_deciding_again(std::size_t shared, std::size_t na, std::size_t nb,
                                        std::uint8_t frame) noexcept;

}  // namespace leitong
