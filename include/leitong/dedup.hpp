// START HERE: which of these texts are the same, nearly the same, and which would you keep?
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

/// What decides which text of a cluster stays. Of equals the earlier one does.
enum class Keep : std::uint8_t {
  longest,  ///< the one with the most letters of comparison
  first,    ///< the earliest
  ranked,   ///< the one of the least rank, as the caller gives them to Deduplicator::add()
  newest,   ///< of files: the one with the latest date or the greatest number in a field
  max,      ///< of files: the one with the greatest number in a field
  source,   ///< of files: the one from the most preferred source
  /// The one that covers most of the others: the one with the largest sum of letters of comparison of the
  /// texts that may leave for it (LossLimits); of equals the longest. It reads both losses of every similar
  /// pair.
  covering
};

/// Which text of a cluster stays. Texts of the caller's have no fields and no sources.
struct KeepPolicy {
  KeepPolicy() = default;
  /// `Keep::first` is a whole policy.
  KeepPolicy(Keep what) : by(what) {}  // NOLINT(google-explicit-constructor)

  Keep by = Keep::longest;           ///< what decides
  std::string field;                 ///< of newest and max: a JSON path by dots, or a CSV column
  std::vector<std::string> sources;  ///< of source: preferred files or folders, the best first
};
/// Reads "longest", "first", "covering", "newest:FIELD", "max:FIELD" or "source:PATH,PATH". Fails with
/// invalid_argument, naming what is known.
[[nodiscard]] Result<KeepPolicy> parse_keep_policy(std::string_view text);
/// The inverse of parse_keep_policy(); "ranked" for Keep::ranked.
[[nodiscard]] std::string to_string(const KeepPolicy& policy);

/// What becomes of text that many unrelated texts hold (page headers, menus, licences).
enum class TemplateText : std::uint8_t {
  automatic,  ///< it does not count where a method leaves the decision to the default rule (docs/methods.md)
  ignored,  ///< it does not count, and passages that no third text holds count more; fails where a method or
            ///< measure decides by itself
  counted   ///< it counts like any other
};

/// What may be lost of a text that leaves: what the kept text lacks, as parts of the text's own units, which
/// are those that are no template. Both 1: nothing is asked, and all that is similar leaves.
struct LossLimits {
  double loss = .05;  ///< units that stand nowhere in the kept text, and 0.3 of those that are reworded there
  double run = .02;   ///< of these, units that are lost in stretches of 24 units and more
  /// Units that are held to be lost for each number in the place of which the kept text has another one.
  double number = 8;

  /// The same limits.
  bool operator==(const LossLimits&) const = default;
};
/// Limits by their purpose.
enum class Remove : std::uint8_t {
  lossless,  ///< 0.005 and 0: only formats, templates and single letters are lost
  careful,   ///< 0.05 and 0.02: copies and light edits leave
  wide,      ///< 0.10 and 0.03: revisions with some rewording leave, too
  similar    ///< all that is similar leaves, whatever is lost
};
/// What the numbers of a text are, where one may leave for another.
enum class Numbers : std::uint8_t {
  same,   ///< they have to be the same: each that differs counts as 8 lost units, beside the loss
  text,   ///< they are text as all else: one that differs is reworded
  masked  ///< all numbers are one (NumberUnits::masked), for logs: texts that differ in them alone are
          ///< copies, and so are similar. Of pairs that were found before it is the same as `text`
};
/// What may leave.
struct RemovalSettings {
  Remove remove = Remove::careful;  ///< limits with a name
  std::optional<double> loss = {};  ///< LossLimits::loss in place of those of `remove`, 0 to 1
  std::optional<double> loss_run =
      {};                           ///< LossLimits::run beside `loss`; nothing: 0.02, or `loss` if it is less
  Numbers numbers = Numbers::same;  ///< LossLimits::number, 8 or 0; masked: of what is similar, too
};
/// The limits that these settings ask for.
[[nodiscard]] LossLimits limits_of(const RemovalSettings& settings) noexcept;
/// All that is similar leaves.
[[nodiscard]] constexpr LossLimits everything_similar() noexcept { return {1, 1, 0}; }

/// For what purpose texts are compared: a rule with a name. docs/methods.md shows what each finds.
enum class Preset : std::uint8_t {
  standard,  ///< "default": texts that are the same but for edits, reprints included
  strict,    ///< fewer pairs of different works on one subject, and fewer heavily edited copies
  reuse      ///< texts of which a part was copied: containment at least 0.15, or a common passage of at
             ///< least 60 units; template text counts for neither. It is meant for pairs and reports: most
             ///< of what it finds should not be removed
};
/// "default", "strict" or "reuse".
[[nodiscard]] std::string_view preset_name(Preset preset) noexcept;

/// How the numbers of vectors are stored.
enum class VectorNumber : std::uint8_t {
  float16,  ///< IEEE half precision, 2 bytes
  float32,  ///< single precision, 4 bytes
  float64   ///< double precision, 8 bytes
};

/// Vectors (embeddings) of the caller's, one for each text in the order of the texts, row after row.
struct TextVectors {
  const void* numbers = nullptr;                ///< count * dimensions of them; null: there are no vectors
  std::uint64_t count = 0;                      ///< rows
  std::size_t dimensions = 0;                   ///< numbers of a row
  VectorNumber number = VectorNumber::float32;  ///< how they are stored, in the byte order of the machine
};

/// How pairs of vectors are found.
enum class VectorSearch : std::uint8_t {
  exact,       ///< every pair is compared: none is missed, and the time grows with the square of their number
  approximate  ///< vectors that are near the same ones of a sample are compared, in nearly linear time: some
               ///< pairs are missed, and a sample measures how many (VectorRecall). What is found is exact
};
/// "exact" or "approximate".
[[nodiscard]] std::string_view vector_search_name(VectorSearch search) noexcept;

/// What an approximate search missed, measured: pairs with a sampled vector, all of them compared, and those
/// of them that the search had found. All 0 after an exact one, with fewer than 9,216 vectors, which are
/// compared all with all, and unless DedupSettings::measure_recall.
struct VectorRecall {
  std::uint64_t sampled = 0;  ///< vectors
  std::uint64_t pairs = 0;    ///< with a sampled vector, and a cosine that is large enough
  std::uint64_t found = 0;    ///< of these
  /// The recall of the search lies between these, as in RecallEstimate.
  double low = 0;
  double high = 1;  ///< the upper end

  /// The part that was found. REQUIRES pairs > 0.
  [[nodiscard]] double direct() const noexcept {
    return static_cast<double>(found) / static_cast<double>(pairs);
  }
};

/// What became of vectors.
struct VectorCounts {
  std::uint64_t compared = 0;  ///< texts whose vectors were compared: copies of others have no part in it
  /// Texts with a vector that has no direction (a number that is none or infinite, a norm of 0, the wrong
  /// number of dimensions): they were compared by their text alone.
  std::uint64_t unusable = 0;
  std::uint32_t first_unusable = 0;  ///< position of the first of them
  std::string why = {};              ///< what is wrong with it
  std::uint64_t pairs = 0;           ///< similar by the cosine, and not found similar by the rule
  /// Texts that an approximate search compared with few of those that are like them, since there are too
  /// many.
  std::uint64_t limited = 0;
  VectorRecall recall = {};  ///< of an approximate search
};

/// How texts are compared and which ones stay. The defaults are those of the command line.
struct DedupSettings {
  /// A name from `leitong methods`: how candidates are found.
  std::string method = "default";
  /// Its parameters, "name=value"; `leitong methods` lists them with their defaults.
  std::vector<std::string> params = {};
  /// The rule by its purpose. Only the standard one can be changed by `measure` or `strict_match`.
  Preset preset = Preset::standard;
  /// Two texts are similar if the measure is at least this, in [0, 1]; unset: by the default rule, which is
  /// Jaccard of 5-unit shingles at least 0.35 (texts of 100 shingles and fewer) rising to 0.40 (300 and
  /// more), or containment at least 0.70.
  std::optional<double> threshold = {};
  /// Of the threshold: "jaccard", "containment" or "edit"; empty: Jaccard.
  std::string measure = {};
  /// 0.40 for short texts too: fewer sentences that differ in one decisive word. Only with the default rule.
  bool strict_match = false;
  /// Does text that many unrelated texts hold count?
  TemplateText template_text = TemplateText::automatic;
  /// False: the method's own estimate is trusted, and no pair is proven.
  bool verify = true;
  Dictionaries dictionaries = {};  ///< of methods that look at words
  /// Do accents and other marks, which writers may leave out, count? Methods that look at words find
  /// candidates by the words as they are.
  Marks marks = Marks::fold;
  KeepPolicy keep = {};  ///< which text of a cluster stays
  /// What may be lost of a text that leaves. It is told, and not asked, of pairs that only the cosine of
  /// vectors makes; where nothing is verified, all that is similar leaves.
  RemovalSettings removal = {};
  /// Estimate the recall of the run on a sample of the texts, by another road: a few per cent of the time.
  bool measure_recall = true;
  /// Two texts are similar, too, if the cosine of their vectors is at least this, above 0 and at most 1; 0:
  /// nobody looks at vectors.
  double cosine = 0;
  /// How such pairs are found (docs/methods.md has figures). An approximate search needs a `cosine`, and a
  /// leitong that was built with USearch; beside the context's other memory it takes 72 bytes a text.
  VectorSearch vector_search = VectorSearch::exact;
  /// Where `cosine` is set: one for each text, references first. They must live until the decisions are made.
  TextVectors vectors = {};
};

/// How the texts are folded that are compared by these settings.
[[nodiscard]] Folding folding_of(const DedupSettings& settings) noexcept;

/// Two similar texts by their positions, a < b.
struct SimilarTexts {
  std::uint32_t a = 0;     ///< the earlier one
  std::uint32_t b = 0;     ///< the later one
  double jaccard = 0;      ///< common shingles of all shingles of the two
  double containment = 0;  ///< common shingles of those of the smaller text
};

/// A pair that was refused.
struct NearMiss {
  SimilarTexts texts;  ///< and their true values
  /// What the pair has as a part of what was asked of it, below 1. The rule asks for shared shingles. Of a
  /// pair that it accepts, and that is refused since templates do not count, it is what the texts without
  /// their templates have; where both are little but template, the Jaccard of the whole texts beside 0.80.
  /// Several ways may make a pair: the nearest counts.
  double closeness = 0;
  double own_jaccard = 0;      ///< of the two texts without their templates; of the whole texts where no
                               ///< template was looked for
  double own_containment = 0;  ///< the same
  double template_share = 0;   ///< of the shingles that the two share: template
  std::uint32_t families = 0;  ///< families of texts that usually hold this template, the two included
  std::string reason;          ///< in one sentence: "not similar: .."
};

/// Why a text left.
struct RemovalReason {
  /// "identical" (the same text), "copy" (it differs in signs, marks or masked numbers only), "jaccard",
  /// "containment",
  /// "edit", "own_text" (the rule, on the texts without what many others hold), "rare_text" (the part of all
  /// shingles that the two share and no third text holds), "passage" (the part of the shorter text that is in
  /// the longest passage that the two share), "cosine" (of the caller's vectors), or "estimate" where a
  /// method's own value decided.
  std::string_view measure;
  double score = 1;  ///< the value of that measure, 0 to 1
  /// What the kept text lacks of this one (LossLimits::loss); nothing where all that is similar leaves.
  std::optional<double> loss = {};
};

/// The run's recall, estimated on a sample: similar pairs that another road found, and those of them that the
/// run had found as well. Copies do not count: they are always found.
struct RecallEstimate {
  std::uint64_t sampled = 0;  ///< texts
  std::uint64_t pairs = 0;    ///< similar pairs with a sampled text
  std::uint64_t found = 0;    ///< of these, those that the run verified
  std::uint64_t linked = 0;   ///< of these, those that it verified or joined by a chain of similar pairs
  /// Of those that it missed, the ones whose two texts both stay: what is left to remove.
  std::uint64_t both_stay = 0;
  bool all_sampled = false;  ///< nothing was left out of the sample, so that nothing is estimated
  /// The recall of the run lies between these with a confidence of kConfidence (Wilson 1927). The pairs of
  /// one text count as one observation, since they stand or fall together.
  double low = 0;
  double high = 1;  ///< the upper end

  static constexpr double kConfidence = .95;  ///< of `low` and `high`
  /// The recall of pairs. REQUIRES pairs > 0.
  [[nodiscard]] double direct() const noexcept {
    return static_cast<double>(found) / static_cast<double>(pairs);
  }
  /// The recall of pairs where chains count as well. REQUIRES pairs > 0.
  [[nodiscard]] double by_chains() const noexcept {
    return static_cast<double>(linked) / static_cast<double>(pairs);
  }
};

/// The answer. Positions are those of the texts in the order in which they were given.
class Decisions {
 public:
  /// Takes over from another one, which may only be destroyed afterwards.
  Decisions(Decisions&&) noexcept;
  /// The same.
  Decisions& operator=(Decisions&&) noexcept;
  ~Decisions();

  /// Texts, references included.
  [[nodiscard]] std::size_t size() const noexcept;
  /// For every text the one that is kept in its place: itself if it stays. A text leaves only for one that it
  /// is directly similar to.
  [[nodiscard]] std::span<const std::uint32_t> kept() const noexcept;
  /// Is the text kept? REQUIRES text < size().
  [[nodiscard]] bool stays(std::uint32_t text) const noexcept { return kept()[text] == text; }
  /// Texts that leave.
  [[nodiscard]] std::uint64_t removed() const noexcept;
  /// Texts that stay, though similar to one that does, for what would be lost of them (LossLimits).
  [[nodiscard]] std::uint64_t relatives() const noexcept;
  /// Why a text left; nothing if it stays. O(1).
  [[nodiscard]] std::optional<RemovalReason> reason(std::uint32_t text) const noexcept;
  /// Calls `each` for every text that leaves, by position, with the reason in one sentence ("similar: ..");
  /// its failure ends the delivery and is returned. Reads as for_each_pair(), of which it takes the time; 64
  /// bytes of each text that leaves.
  [[nodiscard]] Result<void> for_each_removal(
      const std::function<Result<void>(std::uint32_t text, std::string_view reason)>& each) const;

  /// Calls `each` for every verified pair, by (a, b); its failure ends the delivery and is returned. Of texts
  /// that are equal after folding, each is paired with the first of them only. Reads from the work folder
  /// where the pairs exceeded the memory budget. O(pairs log copies).
  [[nodiscard]] Result<void> for_each_pair(
      const std::function<Result<void>(const SimilarTexts&)>& each) const;
  /// The same in one array: 24 bytes a pair.
  [[nodiscard]] Result<std::vector<SimilarTexts>> pairs() const;
  /// The refused pairs that came nearest to the rule, nearest first: at most 500.
  [[nodiscard]] std::span<const NearMiss> near_misses() const noexcept;
  /// Decides anew, where of the pairs that were found only those count that reach `threshold`; copies always
  /// do. `measure` is "jaccard", "containment", "own_jaccard" or "own_containment" (of the two texts without
  /// their templates), or empty for the one that decided each pair, whose value is the score of a removal.
  /// Nothing is compared again, so a lower threshold than the run's finds no more pairs, and recall and near
  /// misses are those of no run: they are empty. A text stays beside one for which nobody asked in the run
  /// what it lacks. Fails with invalid_argument for another measure, for one of own text where templates
  /// counted, and outside of [0, 1]; with io. O(d + p log p). The context must outlive what is returned.
  [[nodiscard]] Result<Decisions> rethreshold(std::string_view measure, double threshold) const;
  /// All 0 unless DedupSettings::measure_recall, and for the edit measure.
  [[nodiscard]] RecallEstimate recall() const noexcept;
  /// All 0 unless DedupSettings::cosine is set.
  [[nodiscard]] VectorCounts vectors() const;
  /// Seconds by stage, in order: "read", "match", "copies", "cluster", "audit".
  [[nodiscard]] std::span<const std::pair<std::string, double>> stage_seconds() const noexcept;

 private:
  friend class Deduplicator;
  friend Result<Decisions> deduplicate(const Context&, std::span<const std::string_view>,
                                       const DedupSettings&);
  friend Result<Decisions> deduplicate(std::span<const std::string_view>, const DedupSettings&);
  struct Inside;
  explicit Decisions(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

/// Finds the near-duplicates among texts in memory, which must outlive the call. An empty text is a document
/// like others and equals other empty texts. Fails with corrupt, naming the first text that is not valid
/// UTF-8; with invalid_argument for settings that cannot be meant; with limit where the context's memory does
/// not suffice; with io where the work folder cannot be written; with cancelled. Linear in the text plus the
/// pairs; about 400 bytes a text beside the texts themselves.
[[nodiscard]] Result<Decisions> deduplicate(const Context& context, std::span<const std::string_view> texts,
                                            const DedupSettings& settings = {});
/// The same on all cores, without progress and cancellation.
[[nodiscard]] Result<Decisions> deduplicate(std::span<const std::string_view> texts,
                                            const DedupSettings& settings = {});

/// Deduplicates texts that come in batches from anywhere, more of them than memory holds: what exceeds the
/// context's memory goes compressed to its work folder. One thread at a time; the context must outlive it.
class Deduplicator {
 public:
  /// Fails with invalid_argument for settings that cannot be meant and for an unknown method.
  [[nodiscard]] static Result<Deduplicator> open(const Context& context, const DedupSettings& settings = {});
  /// Takes over from another one, which may only be destroyed afterwards.
  Deduplicator(Deduplicator&&) noexcept;
  /// The same.
  Deduplicator& operator=(Deduplicator&&) noexcept;
  ~Deduplicator();

  /// Takes texts that others are compared with and that never leave. Before the first add().
  [[nodiscard]] Result<void> add_references(std::span<const std::string_view> texts);
  /// Takes the next texts; they are copied. `ranks`: one for each where Keep::ranked is set, else none. Fails
  /// with corrupt, naming the position of the first text that is not valid UTF-8; then nothing of the batch
  /// was taken. With limit beyond 4,294,967,294 texts.
  [[nodiscard]] Result<void> add(std::span<const std::string_view> texts,
                                 std::span<const std::uint64_t> ranks = {});
  /// Texts taken so far, references included.
  [[nodiscard]] std::uint64_t size() const noexcept;
  /// A text that was taken, read again, so that a caller need not keep what it has to write. REQUIRES
  /// position < size(). Fails with io.
  [[nodiscard]] Result<std::string> text(std::uint32_t position) const;

  /// Compares all and decides. Once. Errors as deduplicate().
  [[nodiscard]] Result<Decisions> finish();

 private:
  struct Inside;
  explicit Deduplicator(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace leitong
