#include "feature/word_counts.hpp"

#include <algorithm>
#include <cstring>

#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kWidePair = 6;

std::uint32_t character_length(unsigned char lead) {
  return 1u + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0);
}

std::uint64_t hash_of_id(std::uint32_t id) { return id * 0x9E3779B97F4A7C15u >> 32; }

/// True for two characters of three bytes. Without a branch, since it cannot be predicted.
bool is_wide_pair(const unsigned char* p, std::uint32_t length) {
  const bool fits = length == kWidePair;
  return fits & ((p[0] & 0xF0) == 0xE0) & ((p[fits * kWidePair / 2] & 0xF0) == 0xE0);
}

TrieNode find_wide_pair(const SegmentTables& tables, const unsigned char* p) {
  return find_pair(tables, tables.symbols[(p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u)],
                   tables.symbols[(p[3] & 15u) << 12 | (p[4] & 63u) << 6 | (p[5] & 63u)]);
}

/// The id of any token of two and more characters, or kNoWord. `hash` is set if the token is ASCII.
std::uint32_t identify(const SegmentModel& model, std::string_view token, std::uint64_t& hash) {
  if (std::all_of(token.begin(), token.end(), [](unsigned char c) { return c < 0x80; })) {
    hash = word_hash(token);
    return model.find_ascii(token, hash);
  }
  return model.find(token);
}

}  // namespace

void WordCounts::forget() {
  known_table_.clear(known_.size());
  unknown_table_.clear(unknown_.size());
  known_.clear();
  unknown_.clear();
}

std::uint32_t WordCounts::add_known(std::uint32_t id) {
  const std::size_t number = known_table_.find_or_enter(
      hash_of_id(id), known_.size(), [&](std::size_t i) { return known_[i].id == id; },
      [&](std::size_t i) { return hash_of_id(known_[i].id); });
  if (number == known_.size()) known_.push_back({id, 0});
  ++known_[number].count;
  return static_cast<std::uint32_t>(number);
}

std::uint32_t WordCounts::add_unknown(std::string_view utf8, std::uint32_t begin, std::uint32_t length,
                                      std::uint64_t hash) {
  const auto is = [&](std::size_t i) {
    const UnknownWord& word = unknown_[i];
    return word.hash == hash && word.length == length &&
           std::memcmp(utf8.data() + word.begin, utf8.data() + begin, length) == 0;
  };
  const std::size_t number = unknown_table_.find_or_enter(hash, unknown_.size(), is,
                                                          [&](std::size_t i) { return unknown_[i].hash; });
  if (number == unknown_.size()) unknown_.push_back({hash, begin, length, 0});
  ++unknown_[number].count;
  return static_cast<std::uint32_t>(number) | kUnknown;
}

std::uint32_t WordCounts::add_token(const SegmentModel& model, std::string_view utf8, std::uint32_t begin,
                                    std::uint32_t length) {
  const std::string_view token = utf8.substr(begin, length);
  std::uint64_t hash = 0;
  const std::uint32_t id = identify(model, token, hash);
  if (id != kNoWord) return add_known(id);
  return add_unknown(utf8, begin, length, hash != 0 ? hash : word_hash(token));
}

void WordCounts::count(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8,
                       const Phrases* phrases) {
  count_tokens<false>(cutter, scripts, utf8, phrases);
}

void WordCounts::count_in_order(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8) {
  count_tokens<true>(cutter, scripts, utf8, nullptr);
}

template <bool kInOrder>
void WordCounts::count_tokens(const JiebaCutter& cutter, Scripts scripts, std::string_view utf8,
                              const Phrases* phrases) {
  forget();
  const SegmentModel& model = cutter.model();
  const auto* const bytes = reinterpret_cast<const unsigned char*>(utf8.data());
  starts_.clear();
  cut_scripts(cutter, scripts, utf8, true, scratch_, starts_);
  if (phrases != nullptr) phrases->join(utf8, starts_);
  const std::size_t tokens = starts_.size();
  starts_.push_back(static_cast<std::uint32_t>(utf8.size()));
  const auto begin_of = [&](std::uint32_t at) {
    if constexpr (kInOrder) return starts_[at];
    return at;
  };
  const auto note = [&](std::uint32_t at, std::uint32_t word) {
    if constexpr (kInOrder) order_[at] = word;
  };
  if constexpr (kInOrder) {
    order_.clear();
    order_.resize(tokens, kNotCounted);
  }
  // There are two lists: tokens of two characters of three bytes, which are four fifths of the counted
  // tokens, and other tokens.
  pairs_.resize_for_overwrite(tokens);
  others_.resize_for_overwrite(tokens);
  std::size_t pairs = 0, others = 0;
  for (std::size_t i = 0; i < tokens; ++i) {
    const std::uint32_t at = starts_[i], length = starts_[i + 1] - starts_[i];
    const bool is_pair = is_wide_pair(bytes + at, length);
    const std::uint32_t place = kInOrder ? static_cast<std::uint32_t>(i) : at;
    pairs_[pairs] = {place, 0};
    pairs += is_pair;
    others_[others] = {place, length};
    others += !is_pair & (length != character_length(bytes[at]));
  }
  // Ids are prefetched for all pairs before one is read: they are scattered over megabytes.
  const std::uint32_t* const pair_words = model.pair_words();
  std::size_t unknown = others;
  const auto keep_known = [&](std::size_t& kept, std::uint32_t at, std::uint32_t word, bool is_known) {
    pairs_[kept] = {at, word};
    kept += is_known;
    others_[unknown] = {at, kWidePair};
    unknown += !is_known;
  };
  std::size_t nodes = 0, known = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const TrieNode node = find_wide_pair(model.tables(), bytes + begin_of(pairs_[i].at));
    __builtin_prefetch(pair_words + node.slot);
    keep_known(nodes, pairs_[i].at, node.slot, node.found);
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::uint32_t id = pair_words[pairs_[i].word];
    keep_known(known, pairs_[i].at, id, id != kNoWord);
  }
  for (std::size_t i = 0; i < known; ++i) note(pairs_[i].at, add_known(pairs_[i].word));
  for (std::size_t i = 0; i < others; ++i)
    note(others_[i].at, add_token(model, utf8, begin_of(others_[i].at), others_[i].word));
  for (std::size_t i = others; i < unknown; ++i) {
    const std::uint32_t begin = begin_of(others_[i].at);
    note(others_[i].at, add_unknown(utf8, begin, kWidePair, word_hash(utf8.substr(begin, kWidePair))));
  }
}

}  // namespace leitong
