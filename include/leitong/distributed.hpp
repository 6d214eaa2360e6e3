// The steps of a run, for programs that spread it over many machines. Each step works on flat arrays and uses
// the same code as a run on one machine, so that the results are equal. The caller moves the arrays between
// machines; python/leitong/spark is such a caller, and docs/spark.md explains it.
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

/// A key that more texts hold is hot: it would make too many pairs.
inline constexpr std::uint32_t kHotKey = 64;
/// In families of more texts, members are compared with the best ones instead of all with all.
inline constexpr std::uint32_t kLargeFamily = 2'048;
/// A text of at least so many units has keys of tier 1 as well. Two shorter texts meet only by keys of tier
/// 0.
inline constexpr std::uint32_t kLongText = 256;
/// Rounds in which texts of hot keys without a pair get other leaders: kRounds - 1, or up to kFrameRounds - 1
/// if templates are looked for, as long as a round finds a pair for one such text in kWorthwhile.
inline constexpr int kRounds = 3, kFrameRounds = 24, kWorthwhile = 50;
/// Rounds in which parts of works are joined, and in which families are linked to the texts left beside them.
inline constexpr int kPartRounds = 8, kStrayRounds = 3;
/// Rounds of Steps::settle() after the first.
inline constexpr int kSettlingRounds = 4;

/// The data that the search needs, one entry for each text.
struct Sketches {
  std::vector<std::uint64_t> content;  ///< equal for texts that are equal after folding
  std::vector<std::uint64_t> check;    ///< the same, by an independent hash
  std::vector<std::uint64_t> form;     ///< equal for texts of equal content that are the same text
  /// Equal for texts of equal content of which one may leave for the other.
  std::vector<std::uint64_t> signs;
  std::vector<std::uint32_t> units;       ///< number of units
  std::vector<std::uint32_t> short_keys;  ///< number of keys of tier 0
  std::vector<std::uint64_t> sets;        ///< for repetitive texts a hash of what they repeat; otherwise 0
  Lists<std::uint64_t> keys;              ///< distinct and ascending: key << 1 | tier
};

/// The weight of a text's keys. Index 0 is the tier of short texts, 1 that of long ones.
struct TextWeight {
  std::array<std::uint32_t, 2> rarity{};     ///< of all keys together
  std::array<std::uint8_t, 2> last_class{};  ///< the most common class of keys that leads to pairs
  std::uint8_t common = 0;                   ///< 1: the text consists of what many texts hold
  /// The share of keys, in 1/255, that several texts hold and that may be a template; 0 if templates are not
  /// looked for.
  std::uint8_t frame = 0;
};

/// The keys of one text and tier that other texts hold as well.
struct KeyTally {
  std::uint32_t shared = 0;  ///< keys that 2 to kHotKey texts hold
  std::uint32_t hot = 0;     ///< keys that more texts hold
  /// Weight of the shared keys by class: see key_weights(), key_classes().
  std::array<std::uint32_t, 6> weight{};
};

/// A pair of texts and what they share. Entry 0 is the text with the greater content, entry 1 its leader.
struct PairEvidence {
  std::array<std::uint32_t, 2> units{};   ///< of each text
  std::array<TextWeight, 2> weights{};    ///< of each text
  std::array<std::uint32_t, 6> shared{};  ///< weights of the shared keys, by class
  std::uint32_t stars = 0;                ///< hot keys by which one text leads the other
};

/// Two texts, by their positions, a < b.
struct PairToCompare {
  std::uint32_t a = 0;             ///< position of the first text
  std::uint32_t b = 0;             ///< position of the second text
  float score = 0;                 ///< share of their rarity that both hold
  std::uint8_t worth = 1;          ///< 0: not to be compared
  std::uint8_t template_only = 0;  ///< 1: only common keys led here, so that the rule asks for more
  std::uint8_t frame = 0;          ///< the greater TextWeight::frame of the two; 0 if it does not apply
  std::uint8_t unused = 0;         ///< always 0
};

/// The state of a compared pair.
enum class Standing : std::uint8_t {
  similar,    ///< similar by the rule
  same_work,  ///< similar, and edited copies or reprints of one work, if templates are looked for
  aside,      ///< refused by the rule, but the second decision may accept it
  settled     ///< similar, and the second decision would not refuse it
};

/// A pair that was compared, a < b.
struct ComparedPair {
  std::uint32_t a = 0;                    ///< position of the first text
  std::uint32_t b = 0;                    ///< position of the second text
  float jaccard = 0;                      ///< shared shingles / shingles of either
  float containment = 0;                  ///< shared shingles / shingles of the smaller text
  float score = 0;                        ///< the value of the measure that decided
  std::uint8_t measure = 0;               ///< index into measure_names()
  Standing standing = Standing::similar;  ///< after the first decision
  std::uint16_t round = 0;  ///< round of Steps::settle() that found it; 0 for pairs that were given
};

/// The names of the measures by their numbers.
[[nodiscard]] std::span<const std::string_view> measure_names() noexcept;
/// The weight of a key by the number of texts that hold it, 0 to kHotKey. Entries below 2 are not used.
[[nodiscard]] std::span<const std::uint32_t> key_weights() noexcept;
/// The class (0 to 5) of a key by the number of texts that hold it. A pair does not count if its class is
/// above TextWeight::last_class of both texts.
[[nodiscard]] std::span<const std::uint32_t> key_classes() noexcept;
/// The salt of round 1 and later: the leaders of a hot key are the texts with the least `content` ^ salt.
[[nodiscard]] std::uint64_t leader_salt(std::uint64_t round) noexcept;

/// A shingle of a text that several families hold.
struct ShingleOfText {
  std::uint32_t text = 0;         ///< position of the text
  std::uint32_t shingle = 0;      ///< hash of the shingle
  std::uint32_t families = 0;     ///< families that hold it
  std::uint32_t is_template = 0;  ///< 1: is_template() is true for it
};

/// A part of a corpus that holds whole components of similar pairs.
struct Components {
  std::span<const std::string_view> texts;  ///< all members
  std::span<const std::uint8_t> common;     ///< TextWeight::common of each
  std::span<const ComparedPair> pairs;      ///< the pairs known so far
  std::span<const std::uint32_t> family;    ///< complete(): the number of each text's family, or kNoFamily
  std::span<const std::uint32_t> rank;      ///< settle(): a permutation, 0 is the best
  /// settle(): 1 if the pairs of the text are decided a second time.
  std::span<const std::uint8_t> in_question;
  std::span<const ShingleOfText> shingles;  ///< settle(): what is known of these texts
  std::uint64_t corpus = 0;  ///< settle(): number of texts of the whole corpus, copies included
  bool every_round = false;  ///< settle(): run all kSettlingRounds and report each of them
};
/// The family of a text that is in none.
inline constexpr std::uint32_t kNoFamily = UINT32_MAX;

/// The decision about a whole corpus at once.
struct Decided {
  std::vector<std::uint32_t> kept;     ///< for each text the one that is kept in its place
  std::vector<std::uint8_t> measures;  ///< for each text the measure that removed it
  std::vector<float> scores;           ///< for each text the value of that measure
  std::vector<ComparedPair> pairs;     ///< all pairs, by (a, b); a copy with the first text that it equals
};

/// The decision about the texts of some components.
struct Settled {
  /// For each round: 1 if pairs were found before it. Rounds after a 0 are equal to it, except for large
  /// families.
  std::vector<std::uint8_t> grew;
  /// For each text the one that is kept in its place after the last round; with Components::every_round after
  /// each round, one round after the other.
  std::vector<std::uint32_t> kept;
  std::vector<std::uint8_t> measures;  ///< for each text the measure that removed it, in the order of `kept`
  std::vector<float> scores;           ///< the values of these measures
  std::vector<ComparedPair> pairs;     ///< all pairs that the last decision accepts, by (a, b)
};

/// The decisions of one run. A value; thread-safe.
class Steps {
 public:
  /// Fails with unsupported for settings that cannot be distributed: a method other than the default one, no
  /// verification, passages, edit distances, a cosine, and thresholds so low that another search is needed.
  [[nodiscard]] static Result<Steps> open(const DedupSettings& settings);

  /// Is text that many unrelated texts hold left out, so that a second decision is made?
  [[nodiscard]] bool looks_for_templates() const noexcept;

  /// How texts are folded: for shingle_sets() and bare_texts(), which have no settings.
  [[nodiscard]] const Folding& folding() const noexcept;

  /// The scheme of the sketches: equal ids mean equal keys.
  [[nodiscard]] Result<SchemeId> scheme(const Context& context) const;

  /// Makes the sketches of texts. Keys are cut to their first `key_bits` bits, 8 to 63. RarityJoin compares
  /// 40, which is enough for 2^32 texts. Fails with corrupt, naming the first text that is not valid UTF-8;
  /// with cancelled.
  [[nodiscard]] Result<Sketches> sketch(const Context& context, std::span<const std::string_view> texts,
                                        unsigned key_bits = 40) const;

  /// The weight of each text. `all`: its distinct keys by tier, beside a tally of each tier.
  [[nodiscard]] std::vector<TextWeight> weigh(std::span<const std::array<std::uint32_t, 2>> all,
                                              std::span<const std::array<KeyTally, 2>> tallies) const;

  /// Says which pairs are to be compared. It leaves the positions 0.
  [[nodiscard]] std::vector<PairToCompare> judge(std::span<const PairEvidence> pairs) const;

  /// Compares pairs of texts, each given once, by the rule on the true measures. Returns, by (a, b), those
  /// that it accepts or sets aside. Errors as sketch(), and invalid_argument for positions without a text.
  [[nodiscard]] Result<std::vector<ComparedPair>> compare(const Context& context,
                                                          std::span<const std::string_view> texts,
                                                          std::span<const PairToCompare> pairs) const;

  /// Compares the common members of each family, and the texts that pairs tie to it, with each other. Returns
  /// all pairs, known ones included. Errors as compare().
  [[nodiscard]] Result<std::vector<ComparedPair>> complete(const Context& context,
                                                           const Components& part) const;

  /// Decides all pairs a second time if templates are looked for, and decides which texts stay. Errors as
  /// compare().
  [[nodiscard]] Result<Settled> settle(const Context& context, const Components& part) const;

  /// All steps at once, for a corpus that fits on one machine: decides what deduplicate() decides. `ranks`:
  /// one for each text, the least stays; if empty, the longest text stays; among equals the earlier one. With
  /// a `cosine` above 0, texts whose `vectors` (one for each) have at least that cosine are also similar.
  /// Errors as deduplicate().
  [[nodiscard]] Result<Decided> decide(const Context& context, std::span<const std::string_view> texts,
                                       std::span<const std::uint64_t> ranks = {},
                                       const TextVectors& vectors = {}, double cosine = 0) const;

 private:
  struct Impl;
  explicit Steps(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// The distinct shingles of each text, ascending. Errors as Steps::sketch().
[[nodiscard]] Result<Lists<std::uint32_t>> shingle_sets(const Context& context,
                                                        std::span<const std::string_view> texts,
                                                        const Folding& folding = {});

/// Is a shingle that so many families with so many texts hold a template?
[[nodiscard]] bool is_template(std::uint64_t families, std::uint64_t texts) noexcept;
/// Passages that few texts hold can make a pair similar that the rule refuses, if its Jaccard is at least
/// this.
inline constexpr double kRareJaccard = .30;
/// A shingle that at least so many families hold has a mark in the texts of such pairs.
inline constexpr std::uint32_t kCommonFamilies = 3;
/// A shingle that fewer families hold is no template.
inline constexpr std::uint32_t kTemplateFamilies = 8;

/// Tells for each text whether it is little but template. `templates`: the templates of each text, ascending;
/// `corpus`: number of texts of the whole corpus, copies included. Errors as Steps::sketch().
[[nodiscard]] Result<std::vector<std::uint8_t>> bare_texts(const Context& context,
                                                           std::span<const std::string_view> texts,
                                                           const Lists<std::uint32_t>& templates,
                                                           std::uint64_t corpus, const Folding& folding = {});

}  // namespace leitong::distributed
