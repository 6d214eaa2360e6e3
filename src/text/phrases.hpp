// Words of the user that hold spaces, which no dictionary of jieba can have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Joins the tokens of a phrase to one token after a text was cut. Thread-safe after the phrases were read.
class Phrases {
 public:
  /// Reads a file with a phrase on each line, and if wanted a tab and its part of speech. Blank lines are
  /// skipped. Fails with corrupt, naming the line, for invalid UTF-8 and for a phrase without text.
  static Result<Phrases> read(const std::filesystem::path& path);
  /// The same from the bytes of such a file; `name` stands in messages.
  static Result<Phrases> parse(std::string_view bytes, std::string_view name);

  [[nodiscard]] bool empty() const noexcept { return by_first_.empty(); }
  /// Leaves out the beginnings of tokens inside of phrases. `starts`: the bytes at which the tokens of `utf8`
  /// begin, ascending. A phrase counts if it begins and ends with a token. Of several phrases at one place
  /// the longest counts, and of those that overlap the first. O(tokens x phrases that begin with the same
  /// character).
  void join(std::string_view utf8, PodVector<std::uint32_t>& starts) const;
  /// The part of speech of a phrase; empty for other texts, and if the file gives none.
  [[nodiscard]] std::string_view tag(std::string_view phrase) const;

 private:
  struct Phrase {
    std::string text, tag;
  };
  /// The phrases that begin with a byte sequence of one character, the longest first.
  std::map<std::string, std::vector<Phrase>, std::less<>> by_first_;
};

}  // namespace leitong
