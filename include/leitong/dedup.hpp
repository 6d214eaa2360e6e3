// START HERE: which of these texts are the same, or nearly the same, and which should be kept?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/dictionaries.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Which text of a cluster stays. Among equals it is the earlier one.
enum class Keep : std::uint8_t {
  longest,  ///< the one with the most units
  first,    ///< the earliest
  ranked,   ///< the one of the lowest rank; Deduplicator::add() takes the ranks
  newest,   ///< for files: the one with the latest date or the greatest number in a field
  max,      ///< for files: the one with the greatest number in a field
  /// For files: the one from the most preferred source: a file or folder, or a value of a field.
  source,
  /// The text that covers most of the others: the one with the largest sum of units of the texts that may
  /// leave for it (LossLimits); among equals the longest. It computes both losses of every similar pair.
  covering,
  shortest,  ///< the one with the fewest units
  oldest,    ///< for files: the one with the earliest date or the smallest number in a field
  min        ///< for files: the one with the smallest number in a field
};

/// Which text of a cluster stays. Texts in memory have no fields and no sources.
struct KeepPolicy {
  KeepPolicy() = default;
  /// `Keep::first` alone is a whole policy.
  KeepPolicy(Keep what) : by(what) {}  // NOLINT(google-explicit-constructor)

  Keep by = Keep::longest;  ///< what decides
  /// For newest, oldest, max and min: a JSON path with dots between its names, or a CSV column. For source:
  /// the field of the values, or empty.
  std::string field;
  /// For source: preferred files or folders, or values of the field, the best first.
  std::vector<std::string> sources;
  /// The policies that decide in turn among texts that are equal by `by`. None of them is covering or ranked.
  std::vector<KeepPolicy> then;
};
/// Reads "longest", "shortest", "first", "covering", "newest:FIELD", "oldest:FIELD", "max:FIELD",
/// "min:FIELD", "source:PATH,PATH" or "source:FIELD=VALUE,VALUE"; several of them, except covering, with
/// commas between them: "source:site=a,b,newest:date,longest". Fails with invalid_argument, naming the known
/// policies.
[[nodiscard]] Result<KeepPolicy> parse_keep_policy(std::string_view text);
/// The inverse of parse_keep_policy(); "ranked" for Keep::ranked.
[[nodiscard]] std::string to_string(const KeepPolicy& policy);

/// Whether text that many unrelated texts hold (page headers, menus, licences) counts.
enum class TemplateText : std::uint8_t {
  automatic,  ///< it does not count if the method decides by the default rule (docs/methods.md)
  /// It does not count, and passages that only the two texts hold count more; fails if a method or measure
  /// decides by itself.
  ignored,
  counted  ///< it counts like any other
};

/// What may be lost when a text leaves: what the kept text lacks, as a share of the leaving text's own units
/// (its units outside templates). If both shares are 1, every similar text leaves.
struct LossLimits {
  double loss = .05;  ///< units that stand nowhere in the kept text, plus 0.3 of the reworded ones
  double run = .01;   ///< the part of `loss` in runs of 24 units and more
  /// Every number that the kept text replaces by another one counts as this many lost units.
  double number = 8;
  /// Units of the longest run that is lost, at most: a passage is no small part of a long text.
  std::uint32_t longest_run = 32;

  /// The same limits.
  bool operator==(const LossLimits&) const = default;
};
/// Named limits.
enum class Remove : std::uint8_t {
  lossless,  ///< 0.005 and 0: only formats, templates and single characters are lost
  careful,   ///< 0.05 and 0.01, and no run of more than 32 units: copies and light edits leave
  wide,      ///< 0.10 and 0.03: revisions with some rewording leave as well
  similar    ///< every similar text leaves, whatever is lost
};
/// How numbers in a text count when one text may leave for another.
enum class Numbers : std::uint8_t {
  same,   ///< they must be equal: each that differs counts as 8 lost units, beside the loss
  text,   ///< they are ordinary text: one that differs is reworded
  masked  ///< all numbers are one (NumberUnits::masked), for logs: texts that differ only in numbers are
          ///< copies, and so are similar. For pairs that are already found it means the same as `text`
};
/// Which texts may leave.
struct RemovalSettings {
  Remove remove = Remove::careful;      ///< limits with a name
  std::optional<double> loss = {};      ///< LossLimits::loss, 0 to 1, instead of all of `remove`
  std::optional<double> loss_run = {};  ///< LossLimits::run with `loss`; unset: 0.01, or `loss` if it is less
  Numbers numbers = Numbers::same;      ///< LossLimits::number, 8 or 0; masked: for similarity as well
};
/// The limits that these settings ask for.
[[nodiscard]] LossLimits limits_of(const RemovalSettings& settings) noexcept;
/// Every similar text leaves.
[[nodiscard]] constexpr LossLimits everything_similar() noexcept { return {1, 1, 0, UINT32_MAX}; }

/// The purpose of a comparison: a rule with a name. docs/methods.md shows what each rule finds.
enum class Preset : std::uint8_t {
  standard,  ///< "default": texts that are the same except for edits, reprints included
  strict,    ///< fewer pairs of different works on one subject, and fewer heavily edited copies
  /// Texts of which a part was copied: containment at least 0.15, or a shared passage of at least 60 units;
  /// templates count for neither. Meant for pairs and reports: most of these texts should not be removed.
  reuse
};
/// "default", "strict" or "reuse".
[[nodiscard]] std::string_view preset_name(Preset preset) noexcept;

/// How the numbers of a vector are stored.
enum class VectorNumber : std::uint8_t {
  float16,  ///< IEEE half precision, 2 bytes
  float32,  ///< single precision, 4 bytes
  float64   ///< double precision, 8 bytes
};

/// Vectors (embeddings) of the caller, one row for each text in the order of the texts.
struct TextVectors {
  const void* numbers = nullptr;                ///< count * dimensions numbers; null: there are no vectors
  std::uint64_t count = 0;                      ///< number of rows
  std::size_t dimensions = 0;                   ///< numbers in a row
  VectorNumber number = VectorNumber::float32;  ///< how they are stored, in the byte order of the machine
};

/// Values that texts have, as numbers: one for each text in the order of the texts, references first. Texts
/// with equal numbers have the same value. An array may be empty; then nothing depends on these values. The
/// arrays must live until the decisions are made. DedupJob takes such values from fields of records.
struct TextGroups {
  std::span<const std::uint32_t> within = {};  ///< texts with different numbers are never compared
  std::span<const std::uint32_t> across = {};  ///< texts with equal numbers are never compared
  /// Of each cluster one text stays for every number that its texts have.
  std::span<const std::uint32_t> keep_each = {};
};

/// How similar vectors are found.
enum class VectorSearch : std::uint8_t {
  exact,  ///< compares every pair: misses none, and takes quadratic time
  /// Compares vectors that are near the same vectors of a sample, in nearly linear time: it misses some
  /// pairs, and a sample measures how many (VectorRecall). The pairs that it finds are exact.
  approximate
};
/// "exact" or "approximate".
[[nodiscard]] std::string_view vector_search_name(VectorSearch search) noexcept;

/// What an approximate search missed, measured on a sample: each sampled vector was compared with all others.
/// All fields are 0 after an exact search, with fewer than 9,216 vectors (they are all compared with each
/// other), and if DedupSettings::measure_recall is false.
struct VectorRecall {
  std::uint64_t sampled = 0;  ///< vectors in the sample
  std::uint64_t pairs = 0;    ///< pairs with a sampled vector and a cosine that is large enough
  std::uint64_t found = 0;    ///< of these, those that the search had found
  /// The recall of the search lies between `low` and `high`, as in RecallEstimate.
  double low = 0;
  double high = 1;  ///< the upper end

  /// The share of pairs that was found. REQUIRES pairs > 0.
  [[nodiscard]] double direct() const noexcept {
    return static_cast<double>(found) / static_cast<double>(pairs);
  }
};

/// The counts of a comparison of vectors.
struct VectorCounts {
  std::uint64_t compared = 0;  ///< texts whose vectors were compared; copies of other texts are not
  /// Texts with an unusable vector (a number that is NaN or infinite, a norm of 0, or the wrong number of
  /// dimensions): only their text was compared.
  std::uint64_t unusable = 0;
  std::uint32_t first_unusable = 0;  ///< position of the first of them
  std::string why = {};              ///< what is wrong with it
  std::uint64_t pairs = 0;           ///< pairs that are similar by the cosine and not by the rule
  /// Texts that an approximate search compared with only some of their neighbours, because these are too
  /// many.
  std::uint64_t limited = 0;
  VectorRecall recall = {};  ///< measured after an approximate search
};

/// How texts are compared and which of them stay. The defaults are those of the command line.
struct DedupSettings {
  /// A name from `leitong methods`: how candidates are found.
  std::string method = "default";
  /// Parameters of the method, "name=value"; `leitong methods` lists them with their defaults.
  std::vector<std::string> params = {};
  /// The rule, by its purpose. `measure` and `strict_match` change the standard one only.
  Preset preset = Preset::standard;
  /// Two texts are similar if the measure is at least this, in [0, 1]. Unset: the default rule, which asks
  /// for a Jaccard of 5-unit shingles of at least 0.35 (texts of up to 100 shingles) rising to 0.40 (300 and
  /// more), or a containment of at least 0.70.
  std::optional<double> threshold = {};
  /// The measure of `threshold`: "jaccard", "containment" or "edit"; empty: Jaccard.
  std::string measure = {};
  /// Asks for a Jaccard of 0.40 in short texts as well, so that sentences that differ in one decisive word
  /// are similar less often. It has an effect only with the default rule.
  bool strict_match = false;
  /// Whether text that many unrelated texts hold counts.
  TemplateText template_text = TemplateText::automatic;
  /// False: the method's own estimate decides, and no pair is verified.
  bool verify = true;
  Dictionaries dictionaries = {};  ///< for methods that use words
  /// Whether accents and other marks that writers may leave out count. Methods that use words find candidates
  /// by the words as they are.
  Marks marks = Marks::fold;
  KeepPolicy keep = {};  ///< which text of a cluster stays
  /// What may be lost when a text leaves. It is reported, but sets no limit, for pairs that are similar only
  /// by the cosine of vectors. If nothing is verified, every similar text leaves.
  RemovalSettings removal = {};
  /// Estimates the recall of the run by a second, independent search on a sample: at most about a
  /// tenth of the time.
  bool measure_recall = true;
  /// Texts in this sample, at most 100,000. 0: as many as make the recall known within 0.05, as far as a
  /// tenth of the run's work allows. The sample is the same for any number of threads.
  unsigned recall_sample = 0;
  /// Two texts are also similar if the cosine of their vectors is at least this, above 0 and at most 1; 0:
  /// vectors are not used.
  double cosine = 0;
  /// How pairs with such a cosine are found (docs/methods.md has figures). An approximate search needs a
  /// `cosine` and a leitong that was built with USearch; it takes 72 bytes a text beside the context's
  /// memory.
  VectorSearch vector_search = VectorSearch::exact;
  /// Needed if `cosine` is set: one vector for each text, references first. They must live until the
  /// decisions are made.
  TextVectors vectors = {};
  /// Which texts are compared, and for which values one text stays; only for texts in memory.
  TextGroups groups = {};
};

/// The folding of the texts that are compared by these settings.
[[nodiscard]] Folding folding_of(const DedupSettings& settings) noexcept;

/// Two similar texts by their positions, a < b.
struct SimilarTexts {
  std::uint32_t a = 0;     ///< the earlier one
  std::uint32_t b = 0;     ///< the later one
  double jaccard = 0;      ///< shared shingles / shingles of either
  double containment = 0;  ///< shared shingles / shingles of the smaller text
};

/// Two texts that were compared and accepted.
struct VerifiedTexts : SimilarTexts {
  double score = 0;          ///< the value of the measure that decided
  std::string_view measure;  ///< its name, as in RemovalReason
};

/// A pair that was refused.
struct NearMiss {
  SimilarTexts texts;  ///< their positions and true values
  /// The value of the pair as a share of the value that was required, below 1. The rule requires shared
  /// shingles. A pair that the rule accepts can be refused because of its templates: then it is the value of
  /// the texts without templates, or, if both texts are mostly template, the Jaccard of the whole texts over
  /// 0.80. If there are several ways to be similar, the nearest one counts.
  double closeness = 0;
  /// The Jaccard of the texts without their templates, or of the whole texts if the run did not look for
  /// templates.
  double own_jaccard = 0;
  double own_containment = 0;  ///< the same for containment
  double template_share = 0;   ///< share of template among the shared shingles
  /// The number of families of texts that usually hold this template. It includes the families of the two
  /// texts.
  std::uint32_t families = 0;
  std::string reason;  ///< one sentence: "not similar: .."
};

/// Why a text left.
struct RemovalReason {
  /// "identical" (the same text), "copy" (differs in signs, marks or masked numbers only), "jaccard",
  /// "containment", "edit", "own_text" (the rule, on the texts without templates), "rare_text" (the share of
  /// all shingles that both texts and no third text hold), "passage" (the share of the shorter text that lies
  /// in the longest shared passage), "cosine" (of the caller's vectors), or "estimate" if the method's own
  /// value decided.
  std::string_view measure;
  double score = 1;  ///< the value of that measure, 0 to 1
  /// What the kept text lacks of this one (LossLimits::loss); nothing if every similar text leaves.
  std::optional<double> loss = {};
  /// What the two are to each other: "copy" (they differ only in single letters), "revision" (edits here and
  /// there), "version" (one of them has additional text), "excerpt" (one of them has additional text, which
  /// is more than half of it), "reworded" (the two say much in different words), "same_form" (they differ
  /// only in names, the title included, or only in numbers). Empty if no loss was computed.
  std::string_view relation = {};
};

/// The recall of the run, estimated on a sample: the similar pairs that a second, independent search found,
/// and how many of them the run had found. Copies do not count: they are always found.
struct RecallEstimate {
  std::uint64_t sampled = 0;  ///< texts in the sample
  std::uint64_t pairs = 0;    ///< similar pairs with a sampled text
  std::uint64_t found = 0;    ///< of these, those that the run verified
  std::uint64_t linked = 0;   ///< of these, those that it verified or that a chain of similar pairs joins
  /// Pairs that the run missed and of which both texts stay: duplicates that are left in the result.
  std::uint64_t both_stay = 0;
  bool all_sampled = false;  ///< all texts are in the sample, so that nothing is estimated
  /// The recall of the run lies between `low` and `high` with a confidence of kConfidence (Wilson 1927). All
  /// pairs of one text count as one observation, since they depend on each other.
  double low = 0;
  double high = 1;  ///< the upper end

  static constexpr double kConfidence = .95;  ///< of `low` and `high`
  /// The recall of pairs. REQUIRES pairs > 0.
  [[nodiscard]] double direct() const noexcept {
    return static_cast<double>(found) / static_cast<double>(pairs);
  }
  /// The recall of pairs, where chains of similar pairs count as well. REQUIRES pairs > 0.
  [[nodiscard]] double by_chains() const noexcept {
    return static_cast<double>(linked) / static_cast<double>(pairs);
  }
};

/// The decisions of a run. Positions are those of the texts in the order in which they were given.
class Decisions {
 public:
  /// Moves the contents of another object, which may then only be destroyed.
  Decisions(Decisions&&) noexcept;
  /// Moves in the same way.
  Decisions& operator=(Decisions&&) noexcept;
  ~Decisions();

  /// The number of texts, references included.
  [[nodiscard]] std::size_t size() const noexcept;
  /// For every text the one that is kept in its place: itself if it stays. A text leaves only for one that it
  /// is directly similar to.
  [[nodiscard]] std::span<const std::uint32_t> kept() const noexcept;
  /// Is the text kept? REQUIRES text < size().
  [[nodiscard]] bool stays(std::uint32_t text) const noexcept { return kept()[text] == text; }
  /// The number of texts that leave.
  [[nodiscard]] std::uint64_t removed() const noexcept;
  /// The number of texts that stay beside a similar one because of what would be lost (LossLimits).
  [[nodiscard]] std::uint64_t relatives() const noexcept;
  /// Why a text left; nothing if it stays. O(1).
  [[nodiscard]] std::optional<RemovalReason> reason(std::uint32_t text) const noexcept;
  /// Calls `each` for every text that leaves, by position, with the reason in one sentence ("similar: .."). A
  /// failure of `each` ends the delivery and is returned. Reads like for_each_pair() and takes as long; 64
  /// bytes of memory for each text that leaves.
  [[nodiscard]] Result<void> for_each_removal(
      const std::function<Result<void>(std::uint32_t text, std::string_view reason)>& each) const;

  /// Calls `each` for every verified pair, by (a, b). A failure of `each` ends the delivery and is returned.
  /// A copy is paired only with the first text that it equals after folding. Reads from the work folder if
  /// the pairs exceeded the memory budget. O(pairs log copies).
  [[nodiscard]] Result<void> for_each_pair(
      const std::function<Result<void>(const VerifiedTexts&)>& each) const;
  /// The same pairs in one array: 48 bytes a pair.
  [[nodiscard]] Result<std::vector<VerifiedTexts>> pairs() const;
  /// The refused pairs that came nearest to the rule, nearest first: at most 500.
  [[nodiscard]] std::span<const NearMiss> near_misses() const noexcept;
  /// Decides again, with only those found pairs that reach `threshold`; copies always count. `measure` is
  /// "jaccard", "containment", "own_jaccard" or "own_containment" (of the texts without their templates), or
  /// empty for the measure that decided each pair; its value becomes the score of a removal. Nothing is
  /// compared again, so a threshold below that of the run finds no more pairs. Recall and near misses are
  /// empty. A text also stays if the run did not compute what the kept text lacks of it. Fails with
  /// invalid_argument for another measure, for an own-text measure if templates counted, and for a threshold
  /// outside [0, 1]; with io. O(d + p log p) for d texts and p pairs. The context must outlive the result.
  [[nodiscard]] Result<Decisions> rethreshold(std::string_view measure, double threshold) const;
  /// All fields are 0 for the edit measure, and if DedupSettings::measure_recall is false.
  [[nodiscard]] RecallEstimate recall() const noexcept;
  /// All fields are 0 if DedupSettings::cosine is not set.
  [[nodiscard]] VectorCounts vectors() const;
  /// Seconds of each stage, in order: "read", "match", "copies", "cluster", "audit".
  [[nodiscard]] std::span<const std::pair<std::string, double>> stage_seconds() const noexcept;

 private:
  friend class Deduplicator;
  friend Result<Decisions> deduplicate(const Context&, std::span<const std::string_view>,
                                       const DedupSettings&);
  friend Result<Decisions> deduplicate(std::span<const std::string_view>, const DedupSettings&);
  struct Impl;
  explicit Decisions(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Finds the near-duplicates among texts in memory, which must outlive the call. An empty text is a document
/// like others and equals other empty texts. Fails with corrupt, naming the first text that is not valid
/// UTF-8; with invalid_argument for impossible settings; with limit if the context's memory is not enough;
/// with io if the work folder cannot be written; with cancelled. Linear in the text plus the pairs; about 400
/// bytes a text beside the texts themselves.
[[nodiscard]] Result<Decisions> deduplicate(const Context& context, std::span<const std::string_view> texts,
                                            const DedupSettings& settings = {});
/// The same on all cores, without progress and without a way to stop it.
[[nodiscard]] Result<Decisions> deduplicate(std::span<const std::string_view> texts,
                                            const DedupSettings& settings = {});

/// Deduplicates texts that arrive in batches, more of them than fit in memory: what exceeds the context's
/// memory goes to its work folder, compressed. Use it from one thread at a time. The context must outlive it.
class Deduplicator {
 public:
  /// Fails with invalid_argument for impossible settings and for an unknown method.
  [[nodiscard]] static Result<Deduplicator> open(const Context& context, const DedupSettings& settings = {});
  /// Moves the contents of another object, which may then only be destroyed.
  Deduplicator(Deduplicator&&) noexcept;
  /// Moves in the same way.
  Deduplicator& operator=(Deduplicator&&) noexcept;
  ~Deduplicator();

  /// Takes texts that others are compared with and that never leave. Call it before the first add().
  [[nodiscard]] Result<void> add_references(std::span<const std::string_view> texts);
  /// Takes the next texts and copies them. `ranks`: one for each text with Keep::ranked, otherwise none.
  /// Fails with corrupt, naming the position of the first text that is not valid UTF-8 (then no text of the
  /// batch was taken), and with limit beyond 4,294,967,294 texts.
  [[nodiscard]] Result<void> add(std::span<const std::string_view> texts,
                                 std::span<const std::uint64_t> ranks = {});
  /// Texts taken so far, references included.
  [[nodiscard]] std::uint64_t size() const noexcept;
  /// Reads a text that was taken, so that a caller need not keep it to write it. REQUIRES position < size().
  /// Fails with io.
  [[nodiscard]] Result<std::string> text(std::uint32_t position) const;

  /// Compares all texts and decides. Call it once. Errors as deduplicate().
  [[nodiscard]] Result<Decisions> finish();

 private:
  struct Impl;
  explicit Deduplicator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong
