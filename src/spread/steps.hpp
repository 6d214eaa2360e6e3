// The steps of a run that is spread. Each step works on flat arrays and uses the same code as a run on one
// machine, so that the results are equal. The stages move the arrays between machines (docs/spread.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/pair.hpp"
#include "index/rarity_weights.hpp"
#include "leitong/columns.hpp"
#include "leitong/context.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::spread {

/// The data that the search needs, one entry for each text.
struct Sketches {
  std::vector<std::uint64_t> content;     ///< equal for texts that are equal after folding
  std::vector<std::uint64_t> check;       ///< the same, by an independent hash
  std::vector<std::uint32_t> units;       ///< number of units
  std::vector<std::uint32_t> short_keys;  ///< number of keys of tier 0
  std::vector<std::uint64_t> sets;        ///< for repetitive texts a hash of what they repeat; otherwise 0
  Lists<std::uint64_t> keys;              ///< distinct and ascending: key << 1 | tier
};

/// How texts of equal content differ, one entry for each text.
struct Variants {
  std::vector<std::uint64_t> form;   ///< equal for those that are the same text
  std::vector<std::uint64_t> signs;  ///< equal for those of which one may leave for the other
};

/// Values of texts, those of a range side by side. In a range the texts, and the values of each, have their
/// order.
template <class Value>
struct ByRange {
  std::vector<Value> values;
  std::vector<std::uint32_t> texts;      ///< positions of texts
  std::vector<std::uint32_t> counts;     ///< for each of `texts` how many of the values belong to it
  std::vector<std::size_t> text_begins;  ///< where the texts of each range begin, and where the last ones end
  std::vector<std::size_t> value_begins;  ///< the same of its values
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

/// Bits of a key, as RarityJoin compares them: enough for 2^32 texts. Packed keys have the bytes of them, the
/// least first.
inline constexpr unsigned kKeyBits = 40;

/// Divides the keys of sketches by `ranges` ranges and the two tiers, which makes 2 * range + tier. The
/// values are the keys without the tier, packed. REQUIRES ranges > 0.
[[nodiscard]] ByRange<std::uint8_t> pack_keys(const Lists<std::uint64_t>& keys, std::uint32_t ranges);

/// Keys of one text that follow each other; more are divided.
inline constexpr std::uint32_t kMostKeys = 127;
/// The number of keys of a text, and whether it is long, in one byte.
[[nodiscard]] inline std::uint8_t head_of_keys(std::uint32_t count, bool is_long) noexcept {
  return static_cast<std::uint8_t>(count << 1 | (is_long ? 1 : 0));
}

/// Packed keys of texts, one text after the other. A text may come several times.
struct KeysOfTexts {
  std::span<const std::int64_t> texts;  ///< KeyOfText::text
  std::span<const std::uint8_t> heads;  ///< of each text, head_of_keys()
  std::span<const std::uint8_t> keys;   ///< of all texts
  unsigned tier = 0;                    ///< of all these keys
};

/// A key of a text.
struct KeyOfText {
  std::uint64_t key = 0;  ///< as in Sketches::keys
  /// A number that only equal texts share, such as the hash of the content. Of two texts that share a key the
  /// lesser one leads.
  std::int64_t text = 0;
  std::uint8_t is_long = 0;              ///< 1: the text has at least kLongText units
  std::array<std::uint8_t, 7> unused{};  ///< always 0
};

/// What keys add to the tallies of a text.
struct TallyOfText {
  std::int64_t text = 0;              ///< KeyOfText::text
  std::array<KeyTally, 2> tallies{};  ///< of each tier
};

/// What keys add to the evidence of a pair.
struct KeysOfPair {
  std::int64_t text = 0;                  ///< KeyOfText::text of the text that is led
  std::int64_t leader = 0;                ///< the lesser one
  std::array<std::uint32_t, 6> shared{};  ///< PairEvidence::shared
  std::uint64_t stars = 0;                ///< PairEvidence::stars
};

/// What some keys say of texts and pairs. Texts and pairs may come back for other keys: the sums are to be
/// added.
struct JoinedKeys {
  std::vector<TallyOfText> tallies;  ///< by text
  std::vector<KeysOfPair> pairs;     ///< by text and leader
  std::vector<KeyOfText> hot;        ///< hot keys with all their texts, by key and text
};

/// Adds up what the keys of one range say of texts and pairs. All texts that hold a key have to come to one
/// join. A hot key leads all its texts to the first two of them.
///
/// O(k log k) time for k keys, most of it for sorting. The memory grows neither with them nor with the texts
/// of a key: it is some 100 bytes for each of `most` keys, and the result.
class RangeJoin {
 public:
  /// `most`: of more keys, sorted runs go to the work folder of `context`, and a result is complete when it
  /// has so many keys or pairs. At least kHotKey + 1 keys are taken.
  explicit RangeJoin(const Context& context, std::size_t most = 12 << 20);
  /// Takes over from another one, which may only be destroyed afterwards.
  RangeJoin(RangeJoin&&) noexcept;
  ~RangeJoin();

  /// Adds keys, in any order. The same key of the same text counts once. Fails with invalid_argument if the
  /// columns do not fit, or after next(); with io.
  [[nodiscard]] Result<void> add(const KeysOfTexts& of);

  /// What the next keys say; without tallies if there are no more. Fails with io, cancelled.
  [[nodiscard]] Result<JoinedKeys> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Adds up what several results say of pairs. Returns each pair once, by text and leader. O(n) time and 32
/// bytes of memory for n entries, and O(t log t) for t texts.
[[nodiscard]] std::vector<KeysOfPair> sum_pairs(std::span<const KeysOfPair> given);

/// A pair of texts and what they share. Entry 0 is the text with the greater content, entry 1 its leader.
struct PairEvidence {
  std::array<std::uint32_t, 2> units{};   ///< of each text
  std::array<TextWeight, 2> weights{};    ///< of each text
  std::array<std::uint32_t, 6> shared{};  ///< weights of the shared keys, by class
  std::uint32_t stars = 0;                ///< hot keys by which one text leads the other
};

/// A text, and how many keys it has.
struct TextKeys {
  std::int64_t text = 0;                ///< KeyOfText::text
  std::uint32_t units = 0;              ///< Sketches::units
  std::array<std::uint32_t, 2> keys{};  ///< distinct keys of each tier
};

/// A text, and what its keys are worth.
struct TextWorth {
  std::int64_t text = 0;    ///< KeyOfText::text
  std::uint32_t units = 0;  ///< Sketches::units
  TextWeight weight;        ///< of its keys
};

/// A pair that is worth a comparison.
struct LikelyPair {
  std::int64_t text = 0;    ///< KeysOfPair::text
  std::int64_t leader = 0;  ///< KeysOfPair::leader
  WorthComparing worth;
};

/// A pair that was compared, a < b.
struct ComparedPair {
  std::uint32_t a = 0;    ///< position of the first text
  std::uint32_t b = 0;    ///< position of the second text
  float jaccard = 0;      ///< shared shingles / shingles of either
  float containment = 0;  ///< shared shingles / shingles of the smaller text
  float score = 0;        ///< the value of the measure that decided
  Measure measure = Measure::jaccard;
  PairStanding standing = PairStanding::ordinary;  ///< after the first decision
  std::uint16_t round = 0;  ///< round of Steps::settle() that found it; 0 for pairs that were given
};

/// A shingle of a text that several families hold.
struct ShingleOfText {
  std::uint32_t text = 0;         ///< position of the text
  std::uint32_t shingle = 0;      ///< hash of the shingle
  std::uint32_t families = 0;     ///< families that hold it
  std::uint32_t is_template = 0;  ///< 1: is_template() is true for it
};

/// A part of a corpus that holds whole components of similar pairs. Columns that a step reads have an entry
/// for each text.
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

/// The texts that link families. Texts have positions in the order of their contents, which columns hold.
struct Linking {
  std::span<const std::uint64_t> content;   ///< of each text of `pairs` and of `common`, ascending
  std::span<const ComparedPair> pairs;      ///< all pairs that are known
  std::span<const std::uint32_t> common;    ///< the texts with TextWeight::common, in any order
  std::span<const std::string_view> texts;  ///< of each of `common`
  std::span<const TextWeight> weights;      ///< of each of `common`
  std::span<const std::uint64_t> hot_keys;  ///< hot keys, each once for each text of `common` that holds it
  std::span<const std::uint32_t> holders;   ///< the text that holds each of `hot_keys`
};

/// The families of a corpus.
struct Linked {
  std::vector<ComparedPair> pairs;  ///< all pairs, known ones included
  /// For each text the first text of its component, if Steps::complete() is to compare it, or kNoFamily.
  std::vector<std::uint32_t> component;
  std::vector<std::uint32_t> family;  ///< for each text the first text of its family, or kNoFamily
};

/// The decision about the texts of some components.
struct Settled {
  /// For each round: 1 if pairs were found before it. Rounds after a 0 are equal to it, except for large
  /// families.
  std::vector<std::uint8_t> grew;
  /// For each text the one that is kept in its place after the last round; with Components::every_round after
  /// each round, one round after the other.
  std::vector<std::uint32_t> kept;
  std::vector<Measure> measures;    ///< for each text the measure that removed it, in the order of `kept`
  std::vector<float> scores;        ///< the values of these measures
  std::vector<ComparedPair> pairs;  ///< all pairs that the last decision accepts, by (a, b)
};

/// The decisions of one run. A value; thread-safe.
class Steps {
 public:
  /// Fails with unsupported for settings that cannot be distributed: a method other than the default one, no
  /// verification, passages, edit distances, a cosine, and thresholds so low that another search is needed.
  [[nodiscard]] static Result<Steps> open(const DedupSettings& settings);

  /// Is text that many unrelated texts hold left out, so that a second decision is made?
  [[nodiscard]] bool looks_for_templates() const noexcept;

  /// How texts are folded: for what is done to shingles, which has no settings.
  [[nodiscard]] const Folding& folding() const noexcept;

  /// The scheme of the sketches: equal ids mean equal keys.
  [[nodiscard]] Result<SchemeId> scheme(const Context& context) const;

  /// Makes the sketches of texts, with keys of kKeyBits bits. Fails with corrupt, naming the first text that
  /// is not valid UTF-8; with cancelled.
  [[nodiscard]] Result<Sketches> sketch(const Context& context,
                                        std::span<const std::string_view> texts) const;

  /// How texts differ whose contents are equal. Errors as sketch().
  [[nodiscard]] Result<Variants> variants(const Context& context,
                                          std::span<const std::string_view> texts) const;

  /// The weight of a text. `all`: its distinct keys of each tier, beside a tally of each tier.
  [[nodiscard]] TextWeight weigh(const std::array<std::uint32_t, 2>& all,
                                 const std::array<KeyTally, 2>& tallies) const;

  /// Nothing if the pair is not to be compared.
  [[nodiscard]] std::optional<WorthComparing> judge(const PairEvidence& pair) const;

  /// Adds up tallies, which may come in any order and number, and weighs each text that has any, by text.
  /// `texts`: these and others, ascending. Fails with invalid_argument for a text that is none of `texts`.
  [[nodiscard]] Result<std::vector<TextWorth>> weigh_range(std::span<const TallyOfText> tallies,
                                                           std::span<const TextKeys> texts) const;

  /// Adds up the evidence of pairs as sum_pairs() does. Returns those that are to be compared, by text and
  /// leader. `worth`: of all texts of the pairs and others, in parts that ascend. Fails with invalid_argument
  /// for a text that has none.
  [[nodiscard]] Result<std::vector<LikelyPair>> judge_range(
      std::span<const KeysOfPair> pairs, std::span<const std::span<const TextWorth>> worth) const;

  /// Compares pairs of texts, each given once, by the rule on the true measures. Returns, by (a, b), those
  /// that it accepts or sets aside. Errors as sketch(). REQUIRES a < b < texts.size().
  [[nodiscard]] Result<std::vector<ComparedPair>> compare(const Context& context,
                                                          std::span<const std::string_view> texts,
                                                          std::vector<Candidate> pairs) const;

  /// Links the families of a whole corpus, whose hot keys led each text to two leaders only: texts without a
  /// match get other leaders, parts of a work are joined, and texts that were left out of a family are led to
  /// its members. Errors as compare().
  [[nodiscard]] Result<Linked> link(const Context& context, const Linking& of) const;

  /// Compares the common members of each family, and the texts that pairs tie to it, with each other. Returns
  /// all pairs, known ones included. Errors as compare().
  [[nodiscard]] Result<std::vector<ComparedPair>> complete(const Context& context,
                                                           const Components& part) const;

  /// Decides all pairs a second time if templates are looked for, and decides which texts stay. Errors as
  /// compare().
  [[nodiscard]] Result<Settled> settle(const Context& context, const Components& part) const;

 private:
  struct Impl;
  explicit Steps(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// Adds the shingles of texts to a filter, a bitmap of 2^3 to 2^32 bits in which a shingle's first bits are
/// the number of its bit. Errors as Steps::sketch(). REQUIRES filter.size() is a power of two.
[[nodiscard]] Result<void> add_to_filter(const Context& context, std::span<const std::string_view> texts,
                                         std::span<std::uint8_t> filter, const Folding& folding = {});

/// The shingles that a filter lets through.
struct WantedShingles {
  std::vector<std::uint64_t> content;  ///< of each text, as in Sketches
  ByRange<std::uint32_t> shingles;     ///< the distinct ones of each text, ascending
};

/// Finds the shingles of texts that `filter` has, or seems to have, by `ranges` equal ranges. Errors as
/// add_to_filter(). REQUIRES ranges > 0.
[[nodiscard]] Result<WantedShingles> wanted_shingles(const Context& context,
                                                     std::span<const std::string_view> texts,
                                                     std::span<const std::uint8_t> filter,
                                                     std::uint32_t ranges, const Folding& folding = {});

/// A shingle that at least so many families hold has a mark in the texts of pairs that rare passages may make
/// similar.
inline constexpr std::uint32_t kCommonFamilies = TemplateRule::kRareFamilies + 1;

/// Shingles of texts: `counts[i]` of `shingles` belong to `texts[i]`, one after the other. A text may come
/// several times.
struct ShinglesOfTexts {
  std::span<const std::int64_t> texts;      ///< numbers that only equal texts share
  std::span<const std::uint8_t> counts;     ///< shingles of each
  std::span<const std::uint32_t> shingles;  ///< of all texts
};

/// The texts of the pairs of a corpus, by their numbers, with their families.
struct TextsOfPairs {
  std::span<const std::int64_t> texts;     ///< ascending
  std::span<const std::int64_t> families;  ///< equal for texts of one family
  std::span<const std::uint8_t> flags;     ///< kAsked, kWantsCommon
};
/// The shingles of the text are asked about.
inline constexpr std::uint8_t kAsked = 1;
/// Shingles of kCommonFamilies are asked about as well.
inline constexpr std::uint8_t kWantsCommon = 2;

/// A shingle, and how many texts hold it.
struct HeldShingle {
  std::uint32_t shingle = 0;  ///< its hash
  std::uint32_t outside = 0;  ///< texts that are none of TextsOfPairs; each is a family of its own
  std::uint32_t members = 0;  ///< texts of TextsOfPairs
};

/// What count_range() finds.
struct CountedShingles {
  std::vector<HeldShingle> held;       ///< shingles that have marks, ascending
  std::vector<std::uint32_t> members;  ///< of each, as positions in TextsOfPairs, ascending
  std::vector<ShingleOfText> marks;    ///< by shingle and text
};

/// Counts the families of each shingle of one range, and marks the texts that are asked about: with
/// templates, and those that want it with shingles of kCommonFamilies. All texts that hold a shingle have to
/// come to one call. O(n) time and 16 bytes of memory for n shingles, and O(t log t) for t texts. Fails with
/// invalid_argument if `counts` are not those of `shingles`.
[[nodiscard]] Result<CountedShingles> count_range(const ShinglesOfTexts& of, const TextsOfPairs& known);

/// The marks of held shingles if texts have other families than before, none of which is smaller. O(members).
/// Fails with invalid_argument if the members are not those of `held`, or one is no position in `known`.
[[nodiscard]] Result<std::vector<ShingleOfText>> mark_range(std::span<const HeldShingle> held,
                                                            std::span<const std::uint32_t> members,
                                                            const TextsOfPairs& known);

/// Tells for each text whether it is little but template. `templates`: the templates of each text, ascending;
/// `corpus`: number of texts of the whole corpus, copies included. Errors as Steps::sketch().
[[nodiscard]] Result<std::vector<std::uint8_t>> bare_texts(const Context& context,
                                                           std::span<const std::string_view> texts,
                                                           const Lists<std::uint32_t>& templates,
                                                           std::uint64_t corpus, const Folding& folding = {});

}  // namespace leitong::spread
