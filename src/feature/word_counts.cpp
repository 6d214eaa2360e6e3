#include "feature/word_counts.hpp"

#include <algorithm>
#include <cstring>

#include "text/script_mix.hpp"
#include "text/segment/word_text.hpp"

namespace leitong {
namespace {

constexpr std::size_t kSmallTable = 1 << 10;
constexpr std::uint32_t kWidePair = 6;

std::uint32_t character_length(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// Two characters of three bytes: four fifths of all tokens that come here.
bool is_wide_pair(const unsigned char* p, std::uint32_t length) {
  return length == kWidePair && (p[0] & 0xF0) == 0xE0 && (p[3] & 0xF0) == 0xE0;
}
TrieNode find_wide_pair(const SegmentTables& tables, const unsigned char* p) {
  return find_pair(tables, tables.symbols[(p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u)],
                   tables.symbols[(p[3] & 15u) << 12 | (p[4] & 63u) << 6 | (p[5] & 63u)]);
}

/// The id of any token of two characters and more, or kNoWord. `hash` is set if it is ASCII.
std::uint32_t identify(const SegmentModel& model, std::string_view token, std::uint64_t& hash) {
  if (std::all_of(token.begin(), token.end(), [](char c) { return c >= 0; })) {
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

void WordCounts::add_token(const SegmentModel& model, std::string_view utf8, std::uint32_t begin,
                           std::uint32_t length) {
  if (length == character_length(static_cast<unsigned char>(utf8[begin]))) return;
  const std::string_view token = utf8.substr(begin, length);
  std::uint64_t hash = 0;
  const std::uint32_t id = identify(model, token, hash);
  if (id != kNoWord)
    add_known(id);
  else
    add_unknown(utf8, begin, length, hash != 0 ? hash : word_hash(token));
}

void WordCounts::add_text(const JiebaCutter& cutter, std::string_view utf8, std::uint32_t begin,
                          std::uint32_t end) {
  const SegmentModel& model = cutter.model();
  starts_.clear();
  cutter.cut(utf8.substr(begin, end - begin), true, scratch_, starts_);
  starts_.push_back(end - begin);
  pairs_.clear();
  places_.clear();
  const std::uint32_t* const pair_words = model.pair_words();
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
    const std::uint32_t at = begin + starts_[i], length = starts_[i + 1] - starts_[i];
    const auto* const p = reinterpret_cast<const unsigned char*>(utf8.data()) + at;
    if (length == character_length(*p)) continue;
    std::uint64_t hash = 0;
    if (is_wide_pair(p, length)) {
      if (const TrieNode pair = find_wide_pair(model.tables(), p); pair.found) {
        pairs_.push_back(pair.slot);
        places_.push_back(at);
        __builtin_prefetch(pair_words + pair.slot);
        continue;
      }
    } else if (const std::uint32_t id = identify(model, utf8.substr(at, length), hash); id != kNoWord) {
      add_known(id);
      continue;
    }
    add_unknown(utf8, at, length, hash != 0 ? hash : word_hash(utf8.substr(at, length)));
  }
  // Ids, then counters, each fetched for all before it is looked at: they lie anywhere in megabytes.
  for (std::uint32_t& pair : pairs_) {
    pair = pair_words[pair];
    if (pair != kNoWord) __builtin_prefetch(counts_.data() + pair, 1);
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i] != kNoWord)
      add_known(pairs_[i]);
    else
      add_unknown(utf8, places_[i], kWidePair, word_hash(utf8.substr(places_[i], kWidePair)));
  }
}

void WordCounts::count(const JiebaCutter& cutter, std::string_view utf8) {
  forget(cutter.model().size());
  add_text(cutter, utf8, 0, static_cast<std::uint32_t>(utf8.size()));
}

void WordCounts::count_all_scripts(const JiebaCutter& cutter, std::string_view utf8) {
  if (!may_have_other_scripts(utf8)) {
    count(cutter, utf8);
    return;
  }
  forget(cutter.model().size());
  const auto offset = [&](std::string_view part) {
    return static_cast<std::uint32_t>(part.data() - utf8.data());
  };
  split_scripts(
      utf8,
      [&](std::string_view word) {
        add_token(cutter.model(), utf8, offset(word), static_cast<std::uint32_t>(word.size()));
      },
      [&](std::string_view rest) {
        add_text(cutter, utf8, offset(rest), offset(rest) + static_cast<std::uint32_t>(rest.size()));
      });
}

}  // namespace leitong
