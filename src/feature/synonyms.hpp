// Words that stand for one another by the word of the user: a list that a text's words pass before they are
// weighed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "leitong/result.hpp"

namespace leitong {

/// Word -> its canonical word, byte for byte. A canonical word is never replaced itself. Immutable.
class Synonyms {
 public:
  /// A file of lines "word TAB canonical word"; empty lines count for nothing. Fails with not_found, io, and
  /// with corrupt for any other line, a word with two canonical words, and a canonical word that another line
  /// replaces, naming file and line. O(bytes).
  static Result<Synonyms> read(const std::filesystem::path& path);

  /// The canonical word, or the word itself where the list has none. Valid as long as both.
  [[nodiscard]] std::string_view canonical(std::string_view word) const noexcept {
    const auto found = canonical_.find(word);
    return found == canonical_.end() ? word : std::string_view(found->second);
  }

  /// Words that are replaced.
  [[nodiscard]] std::size_t size() const noexcept { return canonical_.size(); }
  /// A digest of what is replaced by what, in whatever order the file has it. O(size).
  [[nodiscard]] std::uint64_t content_id() const noexcept;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const noexcept;
  };
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> canonical_;
};

}  // namespace leitong
