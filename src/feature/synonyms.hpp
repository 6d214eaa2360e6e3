// A user's list of words with the same meaning. The words of a text are replaced by it before they are
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

/// Maps words to their canonical words, byte for byte. A canonical word is never replaced itself. Immutable.
class Synonyms {
 public:
  /// Reads a file of lines "word TAB canonical word"; empty lines are ignored. Fails with not_found or io,
  /// and with corrupt, naming file and line, for any other line, for a word with two canonical words, and for
  /// a canonical word that another line replaces. O(bytes).
  static Result<Synonyms> read(const std::filesystem::path& path);

  /// Returns the canonical word, or the word itself if the list does not have it. Valid as long as both
  /// arguments are.
  [[nodiscard]] std::string_view canonical(std::string_view word) const noexcept {
    const auto found = canonical_.find(word);
    return found == canonical_.end() ? word : std::string_view(found->second);
  }

  /// The number of words that are replaced.
  [[nodiscard]] std::size_t size() const noexcept { return canonical_.size(); }
  /// A digest of the replacements, independent of their order in the file. O(size).
  [[nodiscard]] std::uint64_t content_id() const noexcept;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const noexcept;
  };
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> canonical_;
};

}  // namespace leitong
