// The steps of a run for programs that spread it over many machines: each decides on flat arrays, by the code
// that decides on one machine, so that the parts together come to the same answer. Who moves the arrays
// between machines, in which order, is the caller's affair; python/leitong/spark is such a caller, and
// docs/spark.md the explanation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "leitong/columns.hpp"
#include "leitong/context.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"

namespace leitong::distributed {

/// A key of more texts is hot: its pairs would be too many.
inline constexpr std::uint32_t kHotKey = 64;
/// Families of more texts are compared with their best ones instead of all with all.
inline constexpr std::uint32_t kLargeFamily = 2'048;
/// A text of so many units and more has keys that short ones lack: two texts that are both shorter meet by
/// keys of tier 0 alone.
inline constexpr std::uint32_t kLongText = 256;
/// Rounds in which texts of hot keys that found nobody get other leaders: the first kRounds - 1, and up to
/// kFrameRounds - 1 where templates are looked for and each finds one in kWorthwhile.
inline constexpr int kRounds = 3, kFrameRounds = 24, kWorthwhile = 50;
/// Rounds in which the parts of works are joined, and in which families are linked to what was left beside
/// them.
inline constexpr int kPartRounds = 8, kStrayRounds = 3;
/// Rounds of Steps::settle() after the first.
inline constexpr int kSettlingRounds = 4;

/// What the search goes by, one entry a text.
struct Sketches {
  std::vector<std::uint64_t> content;     ///< equal for texts that are equal after folding
  std::vector<std::uint64_t> check;       ///< the same by an independent hash
  std::vector<std::uint64_t> form;        ///< of these, equal for those that are the same text
  std::vector<std::uint64_t> signs;       ///< and for those of which one may leave for the other
  std::vector<std::uint32_t> units;       ///< letters of comparison
  std::vector<std::uint32_t> short_keys;  ///< how many of the keys are of tier 0
  std::vector<std::uint64_t> sets;        ///< of repetitive texts a hash of what they repeat; 0 of the others
  Lists<std::uint64_t> keys;              ///< distinct ones, ascending: key << 1 | tier
};

/// What a text's keys are worth. By tier: 0 for those of short texts, 1 for those of long ones.
struct TextWeight {
  std::array<std::uint32_t, 2> rarity{};     ///< of the keys together
  std::array<std::uint8_t, 2> last_class{};  ///< commonest class of keys that leads to pairs
  std::uint8_t common = 0;                   ///< 1: made of what many texts hold
  /// Of the keys, in 1/255, those that several texts hold, which may be a template; 0 where nobody asks.
  std::uint8_t frame = 0;
};

/// The keys of a text in one tier that others hold, too.
struct KeyTally {
  std::uint32_t shared = 0;               ///< keys of 2 to kHotKey texts
  std::uint32_t hot = 0;                  ///< keys of more
  std::array<std::uint32_t, 6> weight{};  ///< of the shared ones, by class: see key_weights(), key_classes()
};

/// A pair of texts with what they share. Entry 0 is of the text with the greater content, entry 1 of the one
/// that leads it.
struct PairEvidence {
  std::array<std::uint32_t, 2> units{};   ///< of the texts
  std::array<TextWeight, 2> weights{};    ///< of the texts
  std::array<std::uint32_t, 6> shared{};  ///< weights of the keys that both hold, by class
  std::uint32_t stars = 0;                ///< hot keys by which one leads the other
};

/// Two texts, by their positions, a < b.
struct PairToCompare {
  std::uint32_t a = 0;             ///< the one
  std::uint32_t b = 0;             ///< the other
  float score = 0;                 ///< the part of their rarity that they share
  std::uint8_t worth = 1;          ///< 0: not to be compared
  std::uint8_t template_only = 0;  ///< 1: only common keys led here, so that the rule asks for more
  std::uint8_t frame = 0;          ///< of one of the two; 0 where that says nothing of the pair
  std::uint8_t unused = 0;         ///< 0
};

/// How a compared pair stands.
enum class Standing : std::uint8_t {
  similar,    ///< by the rule
  same_work,  ///< and they are edited copies or reprints of one work, where templates are looked for
  aside,      ///< the rule refuses it, but the second decision may not
  settled     ///< similar, and the second decision would not refuse it
};

/// A pair that was compared, a < b.
struct ComparedPair {
  std::uint32_t a = 0;                    ///< the one
  std::uint32_t b = 0;                    ///< the other
  float jaccard = 0;                      ///< common shingles of all shingles of the two
  float containment = 0;                  ///< common shingles of those of the smaller text
  float score = 0;                        ///< the value of the measure that decided
  std::uint8_t measure = 0;               ///< number in measure_names()
  Standing standing = Standing::similar;  ///< after the first decision
  std::uint16_t round = 0;                ///< of Steps::settle(): 0 for pairs that were given
};

/// The measures by their numbers.
[[nodiscard]] std::span<const std::string_view> measure_names() noexcept;
/// By the number of texts that hold a key, 0 to kHotKey: what it weighs. Nothing below 2 is asked for.
[[nodiscard]] std::span<const std::uint32_t> key_weights() noexcept;
/// The same: its class, 0 to 5. Pairs of a class above both texts' TextWeight::last_class don't count.
[[nodiscard]] std::span<const std::uint32_t> key_classes() noexcept;
/// In `round` 1.. of other leaders: those texts of a hot key lead of which `content` ^ salt is least.
[[nodiscard]] std::uint64_t leader_salt(std::uint64_t round) noexcept;

/// A shingle of a text that several families hold.
struct ShingleOfText {
  std::uint32_t text = 0;         ///< position
  std::uint32_t shingle = 0;      ///< its hash
  std::uint32_t families = 0;     ///< that hold it
  std::uint32_t is_template = 0;  ///< 1: is_template() of it
};

/// Part of a corpus that holds whole components of similar pairs.
struct Components {
  std::span<const std::string_view> texts;    ///< of all members
  std::span<const std::uint8_t> common;       ///< TextWeight::common of each
  std::span<const ComparedPair> pairs;        ///< those known so far
  std::span<const std::uint32_t> family;      ///< complete(): the number of each text's family, or kNoFamily
  std::span<const std::uint32_t> rank;        ///< settle(): a permutation, 0 is the best
  std::span<const std::uint8_t> in_question;  ///< settle(): 1: its pairs are decided a second time
  std::span<const ShingleOfText> shingles;    ///< settle(): what is known of the texts in question
  std::uint64_t corpus = 0;                   ///< settle(): texts of the whole corpus, copies as well
  bool every_round = false;  ///< settle(): don't stop before kSettlingRounds, and tell what each comes to
};
/// Of a text that is in no family.
inline constexpr std::uint32_t kNoFamily = UINT32_MAX;

/// A whole corpus, decided at once.
struct Decided {
  std::vector<std::uint32_t> kept;     ///< for each text the one that is kept in its place
  std::vector<std::uint8_t> measures;  ///< why it left
  std::vector<float> scores;           ///< the same
  std::vector<ComparedPair> pairs;     ///< all, by (a, b); each copy with the first text that it equals
};

/// What becomes of the texts of some components.
struct Settled {
  /// By rounds: 1 where pairs were found before it. All that follow a 0 are as that one, but for large
  /// families.
  std::vector<std::uint8_t> grew;
  /// For each text the one that is kept in its place, after the last round; with Components::every_round
  /// after each, one after the other.
  std::vector<std::uint32_t> kept;
  std::vector<std::uint8_t> measures;  ///< why it left, as `kept`
  std::vector<float> scores;           ///< the same
  std::vector<ComparedPair> pairs;     ///< all that the last decision accepts, by (a, b)
};

/// The decisions of one run. A value; thread-safe.
class Steps {
 public:
  /// Fails with unsupported for settings that can't be spread: a method other than the default one, no
  /// verification, passages, edit distances, a cosine, and thresholds so low that candidates are found in
  /// another way.
  [[nodiscard]] static Result<Steps> open(const DedupSettings& settings);

  /// Does text that many unrelated texts hold count for nothing, so that a second decision is made?
  [[nodiscard]] bool looks_for_templates() const noexcept;

  /// How texts are folded: for shingle_sets() and bare_texts(), which know no settings.
  [[nodiscard]] const Folding& folding() const noexcept;

  /// Who makes the sketches: equal ids, equal keys.
  [[nodiscard]] Result<SchemeId> scheme(const Context& context) const;

  /// Keys are cut to their first `key_bits` bits, 8 to 63: RarityJoin compares 40, which is enough for 2^32
  /// texts. Fails with corrupt, naming the first text that is not valid UTF-8; with cancelled.
  [[nodiscard]] Result<Sketches> sketch(const Context& context, std::span<const std::string_view> texts,
                                        unsigned key_bits = 40) const;

  /// For each text: `all` distinct keys and a tally of each tier.
  [[nodiscard]] std::vector<TextWeight> weigh(std::span<const std::array<std::uint32_t, 2>> all,
                                              std::span<const std::array<KeyTally, 2>> tallies) const;

  /// Which pairs are to be compared; positions are left 0.
  [[nodiscard]] std::vector<PairToCompare> judge(std::span<const PairEvidence> pairs) const;

  /// Compares pairs of texts, each given once, by the rule on the true measures. Returns, by (a, b), those
  /// that it accepts or puts aside. Errors as sketch(), and invalid_argument for pairs that name no text.
  [[nodiscard]] Result<std::vector<ComparedPair>> compare(const Context& context,
                                                          std::span<const std::string_view> texts,
                                                          std::span<const PairToCompare> pairs) const;

  /// Compares the common members of each family, and those whom pairs tie to it, with each other. Returns all
  /// pairs, known ones as well. Errors as compare().
  [[nodiscard]] Result<std::vector<ComparedPair>> complete(const Context& context,
                                                           const Components& part) const;

  /// Decides all pairs a second time where templates are looked for, and who stays. Errors as compare().
  [[nodiscard]] Result<Settled> settle(const Context& context, const Components& part) const;

  /// All steps at once, for a corpus that is small enough for one machine after all: what deduplicate()
  /// decides. `ranks`: one for each text, of which the least stays; none: the longest stays. Of equals the
  /// earlier one does. With a `cosine` above 0, texts whose `vectors` (one for each) have at least that are
  /// similar, too. Errors as deduplicate().
  [[nodiscard]] Result<Decided> decide(const Context& context, std::span<const std::string_view> texts,
                                       std::span<const std::uint64_t> ranks = {},
                                       const TextVectors& vectors = {}, double cosine = 0) const;

 private:
  struct Inside;
  explicit Steps(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}
  std::shared_ptr<const Inside> inside_;
};

/// The distinct shingles of each text, ascending. Errors as Steps::sketch().
[[nodiscard]] Result<Lists<std::uint32_t>> shingle_sets(const Context& context,
                                                        std::span<const std::string_view> texts,
                                                        const Folding& folding = {});

/// Is a shingle that so many texts of so many families hold a template?
[[nodiscard]] bool is_template(std::uint64_t families, std::uint64_t texts) noexcept;
/// Passages that hardly anyone holds can make a pair of this Jaccard value and more that the rule refuses.
inline constexpr double kRareJaccard = .30;
/// Shingles of so many families have a mark for texts of such pairs.
inline constexpr std::uint32_t kCommonFamilies = 3;
/// Fewer families have no template.
inline constexpr std::uint32_t kTemplateFamilies = 8;

/// Of each text: is it template and little else? `templates`: of each text, ascending; `corpus`: texts of the
/// whole corpus, copies as well. Errors as Steps::sketch().
[[nodiscard]] Result<std::vector<std::uint8_t>> bare_texts(const Context& context,
                                                           std::span<const std::string_view> texts,
                                                           const Lists<std::uint32_t>& templates,
                                                           std::uint64_t corpus, const Folding& folding = {});

}  // namespace leitong::distributed
