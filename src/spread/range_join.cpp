#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "base/pod_vector.hpp"
#include "base/radix_sort.hpp"
#include "base/try.hpp"
#include "index/rarity_weights.hpp"
#include "io/run_context.hpp"
#include "spread/by_range.hpp"
#include "spread/steps.hpp"
#include "spread/text_numbers.hpp"

namespace leitong::spread {
namespace {

static_assert(sizeof(KeyOfText) == 24 && sizeof(TallyOfText) == 72 && sizeof(KeysOfPair) == 48);

bool same_entry(const KeyOfText& x, const KeyOfText& y) { return x.key == y.key && x.text == y.text; }

bool goes_before(const KeyOfText& x, const KeyOfText& y) {
  return x.key != y.key ? x.key < y.key : x.text < y.text;
}

// By the first bits, and then those that are equal in these.
void sort_entries(PodVector<KeyOfText>& entries) {
  constexpr unsigned kFirst = 22;
  std::uint64_t any = 0;
  for (const KeyOfText& entry : entries) any |= entry.key;
  const auto high = static_cast<unsigned>(std::bit_width(any)), low = std::max(high, kFirst) - kFirst;
  PodVector<KeyOfText> scratch;
  radix_sort(entries, scratch, low, high, [](const KeyOfText& entry) { return entry.key; });
  for (KeyOfText *begin = entries.begin(), *end; begin != entries.end(); begin = end) {
    for (end = begin + 1; end != entries.end() && end->key >> low == begin->key >> low;) ++end;
    if (end - begin > 1) std::sort(begin, end, goes_before);
  }
}

// What of a sorted run has not been taken: some entries in memory, and then those in the work file.
struct Run {
  static constexpr std::size_t kRead = 1 << 14;  // entries

  const KeyOfText *at = nullptr, *end = nullptr;
  std::uint64_t offset = 0, left = 0;  // in the file: bytes, entries
  PodVector<KeyOfText> read;

  // Reads entries if there are none in memory. False: the run has no more.
  Result<bool> fill(const std::optional<TempFile>& file) {
    if (at != end) return true;
    if (left == 0) return false;
    read.resize_for_overwrite(std::min<std::uint64_t>(left, kRead));
    LEITONG_TRY(file->read(offset, read.data(), read.size() * sizeof(KeyOfText)));
    offset += read.size() * sizeof(KeyOfText);
    left -= read.size();
    at = read.begin();
    end = read.end();
    return true;
  }
};

// A text that holds a key, by its number.
struct Holder {
  std::uint32_t text = 0, is_long = 0;
};

// The texts of some keys that several texts hold.
struct Gathered {
  struct Key {
    std::uint32_t begin, end;  // of its texts
    std::uint32_t tier;
  };
  struct HotKey {
    std::uint64_t key;
    std::uint32_t begin, end;
    std::array<Holder, 2> leaders;
  };
  TextNumbers numbers;
  std::vector<Holder> holders;
  std::vector<Key> keys;
  std::vector<HotKey> hot;
  std::size_t pairs = 0;  // that these keys make

  Holder number(const KeyOfText& entry) { return {numbers(entry.text), entry.is_long}; }
};

// Each pair that a key makes is a word: the place of the text, that of its leader, and how many texts hold
// the key (0: it is hot).
class PairWords {
 public:
  PairWords(std::size_t texts, std::size_t pairs) : bits_(static_cast<unsigned>(std::bit_width(texts))) {
    words_.reserve(pairs);
  }

  void add(std::uint32_t text, std::uint32_t leader, std::uint32_t df) {
    words_.push_back((std::uint64_t{text} << bits_ | leader) << kDf | df);
  }

  std::vector<KeysOfPair> sums(const TextNumbers& texts) {
    PodVector<std::uint64_t> scratch;
    radix_sort(words_, scratch, kDf, kDf + 2 * bits_, [](std::uint64_t word) { return word; });
    const auto is_first = [&](std::size_t i) { return i == 0 || words_[i - 1] >> kDf != words_[i] >> kDf; };
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) distinct += is_first(i) ? 1 : 0;
    std::vector<KeysOfPair> pairs;
    pairs.reserve(distinct);
    const std::uint64_t leader = (std::uint64_t{1} << bits_) - 1, df = (1u << kDf) - 1;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t word = words_[i], pair = word >> kDf;
      if (is_first(i))
        pairs.push_back({texts.text(static_cast<std::uint32_t>(pair >> bits_)),
                         texts.text(static_cast<std::uint32_t>(pair & leader))});
      if (const auto of = static_cast<std::uint32_t>(word & df); of > 0)
        pairs.back().shared[key_class(of)] += kKeyWeight[of];
      else
        ++pairs.back().stars;
    }
    return pairs;
  }

 private:
  static constexpr unsigned kDf = 8;
  unsigned bits_;
  PodVector<std::uint64_t> words_;
};

JoinedKeys join_gathered(Gathered& of) {
  JoinedKeys made;
  for (const Gathered::HotKey& key : of.hot)
    for (std::uint32_t i = key.begin; i < key.end; ++i)
      made.hot.push_back(
          {key.key, of.numbers.text(of.holders[i].text), static_cast<std::uint8_t>(of.holders[i].is_long)});

  const std::vector<std::uint32_t> places = of.numbers.sort();
  made.tallies.resize(places.size());
  for (std::uint32_t i = 0; i < places.size(); ++i) made.tallies[i].text = of.numbers.text(i);
  for (Holder& holder : of.holders) holder.text = places[holder.text];
  PairWords words(places.size(), of.pairs);
  const auto meet = [](unsigned tier, const Holder& x, const Holder& y) {
    return tier == 0 || x.is_long != 0 || y.is_long != 0;
  };
  for (const Gathered::Key& key : of.keys) {
    const std::uint32_t df = key.end - key.begin;
    for (std::uint32_t i = key.begin; i < key.end; ++i) {
      const Holder& holder = of.holders[i];
      KeyTally& tally = made.tallies[holder.text].tallies[key.tier];
      ++tally.shared;
      tally.weight[key_class(df)] += kKeyWeight[df];
      for (std::uint32_t j = key.begin; j < i; ++j)
        if (meet(key.tier, holder, of.holders[j])) words.add(holder.text, of.holders[j].text, df);
    }
  }
  for (const Gathered::HotKey& key : of.hot) {
    const unsigned tier = key.key & 1;
    for (std::uint32_t i = key.begin; i < key.end; ++i) {
      const Holder& holder = of.holders[i];
      ++made.tallies[holder.text].tallies[tier].hot;
      for (Holder leader : key.leaders) {
        leader.text = places[leader.text];
        if (holder.text > leader.text && meet(tier, holder, leader)) words.add(holder.text, leader.text, 0);
      }
    }
  }
  made.pairs = words.sums(of.numbers);
  return made;
}

constexpr std::size_t kKeyBytes = kKeyBits / 8;

}  // namespace

ByRange<std::uint8_t> pack_keys(const Lists<std::uint64_t>& keys, std::uint32_t ranges) {
  // Winnowing selects the least hashes, so keys are mixed again.
  constexpr std::uint64_t kMix = 0x9E37'79B9'7F4A'7C15;
  ByRange<std::uint64_t> whole = by_range(keys, 2 * std::size_t{ranges}, [&](std::uint64_t key) {
    return static_cast<std::size_t>(((key * kMix >> 32) * ranges >> 32) << 1 | (key & 1));
  });
  ByRange<std::uint8_t> made{.values = std::vector<std::uint8_t>(whole.values.size() * kKeyBytes),
                             .texts = std::move(whole.texts),
                             .counts = std::move(whole.counts),
                             .text_begins = std::move(whole.text_begins),
                             .value_begins = std::move(whole.value_begins)};
  std::uint8_t* at = made.values.data();
  for (const std::uint64_t key : whole.values) {
    const std::uint64_t cut = key >> 1;
    std::memcpy(at, &cut, kKeyBytes);
    at += kKeyBytes;
  }
  for (std::size_t& begin : made.value_begins) begin *= kKeyBytes;
  return made;
}

struct RangeJoin::Impl {
  Impl(const Context& context, std::size_t given)
      : run(context), most(std::clamp<std::size_t>(given, kHotKey + 1, 1u << 27)) {}

  // Moves the added entries to the work file, as a sorted run.
  Result<void> spill() {
    if (!file) {
      LEITONG_ASSIGN(TempFile made, run.work.new_file());
      file.emplace(std::move(made));
    }
    sort_entries(entries);
    LEITONG_ASSIGN(const std::uint64_t offset,
                   file->append(entries.data(), entries.size() * sizeof(KeyOfText)));
    runs.push_back({.offset = offset, .left = entries.size()});
    entries.clear();
    return {};
  }

  Result<void> begin_merging() {
    merging = true;
    sort_entries(entries);
    runs.push_back({.at = entries.begin(), .end = entries.end()});
    std::vector<Run> filled;
    for (Run& one : runs) {
      LEITONG_ASSIGN(const bool more, one.fill(file));
      if (more) filled.push_back(std::move(one));
    }
    runs = std::move(filled);
    std::make_heap(runs.begin(), runs.end(), goes_after);
    return {};
  }

  static bool goes_after(const Run& x, const Run& y) { return goes_before(*y.at, *x.at); }

  // The next entry of all runs, which is not taken; nullptr at the end.
  [[nodiscard]] const KeyOfText* first() const { return runs.empty() ? nullptr : runs.front().at; }

  Result<void> take() {
    last = *runs.front().at;
    if (runs.size() > 1) std::pop_heap(runs.begin(), runs.end(), goes_after);
    Run& one = runs.back();
    ++one.at;
    LEITONG_ASSIGN(const bool more, one.fill(file));
    if (!more)
      runs.pop_back();
    else if (runs.size() > 1)
      std::push_heap(runs.begin(), runs.end(), goes_after);
    return {};
  }

  // Takes the entries of the next key, or of a hot one as many as there is room for.
  Result<void> gather(Gathered& into) {
    const std::uint64_t key = first()->key;
    const bool goes_on = last && last->key == key;
    group.clear();
    for (const KeyOfText* entry; (entry = first()) != nullptr && entry->key == key && group.size() < most;) {
      if (!last || !same_entry(*last, *entry)) group.push_back(*entry);
      LEITONG_TRY(take());
    }
    if (!goes_on && group.size() < 2) return {};
    const auto begin = static_cast<std::uint32_t>(into.holders.size());
    for (const KeyOfText& entry : group) into.holders.push_back(into.number(entry));
    const auto end = static_cast<std::uint32_t>(into.holders.size());
    if (!goes_on && group.size() <= kHotKey) {
      into.keys.push_back({begin, end, static_cast<std::uint32_t>(key & 1)});
      into.pairs += group.size() * (group.size() - 1) / 2;
      return {};
    }
    if (!goes_on) leaders = {group[0], group[1]};
    into.hot.push_back({key, begin, end, {into.number(leaders[0]), into.number(leaders[1])}});
    into.pairs += 2 * group.size();
    return {};
  }

  RunContext run;
  std::size_t most;
  PodVector<KeyOfText> entries;  // in memory: before merging those that are not sorted yet
  std::optional<TempFile> file;
  std::vector<Run> runs;  // while merging a heap, the one with the next entry first
  bool merging = false;
  std::optional<KeyOfText> last;  // that was taken
  std::vector<KeyOfText> group;
  std::array<KeyOfText, 2> leaders;  // of the hot key that was taken last
};

RangeJoin::RangeJoin(const Context& context, std::size_t most)
    : impl_(std::make_unique<Impl>(context, most)) {}
RangeJoin::RangeJoin(RangeJoin&&) noexcept = default;
RangeJoin::~RangeJoin() = default;

Result<void> RangeJoin::add(const KeysOfTexts& of) {
  std::uint64_t sum = 0;
  for (const std::uint8_t head : of.heads) sum += head >> 1;
  if (of.texts.size() != of.heads.size() || of.keys.size() != sum * kKeyBytes)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} texts with {} counts of {} keys in all, and {} bytes of keys of {}",
                            of.texts.size(), of.heads.size(), sum, of.keys.size(), kKeyBytes));
  if (impl_->merging) return fail(ErrorCode::invalid_argument, "keys were added after next()");
  const std::uint8_t* at = of.keys.data();
  for (std::size_t i = 0; i < of.texts.size(); ++i)
    for (int n = 0; n < of.heads[i] >> 1; ++n, at += kKeyBytes) {
      std::uint64_t key = 0;
      std::memcpy(&key, at, kKeyBytes);
      impl_->entries.push_back({key << 1 | of.tier, of.texts[i], static_cast<std::uint8_t>(of.heads[i] & 1)});
      if (impl_->entries.size() >= impl_->most) LEITONG_TRY(impl_->spill());
    }
  return {};
}

Result<JoinedKeys> RangeJoin::next() {
  if (!impl_->merging) LEITONG_TRY(impl_->begin_merging());
  Gathered keys;
  while (impl_->first() != nullptr && keys.holders.size() < impl_->most && keys.pairs < impl_->most) {
    LEITONG_TRY(impl_->gather(keys));
    LEITONG_TRY(impl_->run.stop.check());
  }
  return join_gathered(keys);
}

}  // namespace leitong::spread
