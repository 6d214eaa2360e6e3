#include "feature/word_counts.hpp"

#include <algorithm>
#include <cstring>

#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::size_t kSmallTable = 1 << 10;

std::uint32_t character_length(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// What a token of two characters and more is: a word's id, or kNoWord. `hash` is set if it is ASCII.
std::uint32_t identify(const SegmentModel& model, std::string_view token, std::uint64_t& hash) {
  const auto* const p = reinterpret_cast<const unsigned char*>(token.data());
  const std::uint16_t* const symbols = model.tables().symbols;
  // Two characters of three bytes are four fifths of all tokens that come here.
  if (token.size() == 6 && (p[0] & 0xF0) == 0xE0) {
    const TrieNode pair =
        find_pair(model.tables(), symbols[(p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u)],
                  symbols[(p[3] & 15u) << 12 | (p[4] & 63u) << 6 | (p[5] & 63u)]);
    if ((p[3] & 0xF0) == 0xE0) return pair.found ? model.pair_words()[pair.slot] : kNoWord;
  }
  if (p[0] < 0x80 && std::all_of(token.begin(), token.end(), [](char c) { return c >= 0; })) {
    hash = word_hash(token);
    return model.find_ascii(token, hash);
  }
  return model.find(token);
}

}  // namespace

void WordCounts::forget(std::size_t model_size) {
  if (counts_.size() != model_size) {
    counts_.clear();
    counts_.resize(model_size, 0);
  } else {
    for (const std::uint32_t id : known_) counts_[id] = 0;
  }
  known_.clear();
  // Clearing a large table after a long text must not slow all short ones after it.
  if (table_.size() == 0 || table_.size() > 8 * (unknown_.size() + kSmallTable)) {
    table_.clear();
    table_.resize(kSmallTable, 0);
  } else {
    std::fill(table_.begin(), table_.end(), 0);
  }
  unknown_.clear();
}

void WordCounts::add_known(std::uint32_t id) {
  if (counts_[id]++ == 0) known_.push_back(id);
}

void WordCounts::add_unknown(std::string_view utf8, std::uint32_t begin, std::uint32_t length,
                             std::uint64_t hash) {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash & mask;
  for (; table_[place] != 0; place = (place + 1) & mask) {
    UnknownWord& word = unknown_[table_[place] - 1];
    if (word.hash == hash && word.length == length &&
        std::memcmp(utf8.data() + word.begin, utf8.data() + begin, length) == 0) {
      ++word.count;
      return;
    }
  }
  unknown_.push_back({hash, begin, length, 1});
  table_[place] = static_cast<std::uint32_t>(unknown_.size());
  if (2 * unknown_.size() > mask) grow_table();
}

void WordCounts::grow_table() {
  const std::size_t size = 4 * table_.size();
  table_.clear();
  table_.resize(size, 0);
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    std::size_t place = unknown_[i].hash & (size - 1);
    while (table_[place] != 0) place = (place + 1) & (size - 1);
    table_[place] = static_cast<std::uint32_t>(i + 1);
  }
}

void WordCounts::count(const JiebaCutter& cutter, std::string_view utf8) {
  const SegmentModel& model = cutter.model();
  forget(model.size());
  starts_.clear();
  cutter.cut(utf8, true, scratch_, starts_);
  starts_.push_back(static_cast<std::uint32_t>(utf8.size()));
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
    const std::uint32_t begin = starts_[i], length = starts_[i + 1] - begin;
    if (length == character_length(static_cast<unsigned char>(utf8[begin]))) continue;
    const std::string_view token = utf8.substr(begin, length);
    std::uint64_t hash = 0;
    const std::uint32_t id = identify(model, token, hash);
    if (id != kNoWord)
      add_known(id);
    else
      add_unknown(utf8, begin, length, hash != 0 ? hash : word_hash(token));
  }
}

}  // namespace leitong
