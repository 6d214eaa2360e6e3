// JSON objects that are not one on each line: in an array, or each over several lines.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "corpus/record_scanner.hpp"

namespace leitong {

/// Does a file that begins with these bytes hold such objects? It begins with an array of objects, or its
/// first line leaves an object open as printers do (it ends in a brace, bracket, comma or colon) and the next
/// one continues it. Everything else is one object on each line, even if it is broken.
[[nodiscard]] bool is_json_sequence(std::string_view first_bytes) noexcept;

/// A piece of a sequence without separators: commas, brackets of arrays, white space.
[[nodiscard]] std::string_view without_separators(std::string_view piece) noexcept;

/// An end is the byte after an object, so the separators after the previous object come first in a piece. An
/// element of an array that is no object is also a piece. After a broken object (a line feed in a string,
/// brackets that do not match, an object where none can be) the next one begins at a brace that is the first
/// in its line and no further right than that of the broken one. O(n).
class JsonSequenceScanner final : public RecordScanner {
 public:
  std::size_t whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) override;
  void begin_record() override { state_ = committed_; }
  std::size_t record_end(std::string_view piece) override {
    const std::size_t end = advance(state_, piece, 0);
    if (end != npos) committed_ = state_;
    return end;
  }

 private:
  static constexpr std::uint32_t kTrackedDepth = 128;  // deeper brackets are counted, not matched

  enum class Mode : std::uint8_t { between, element, object, string, escape, broken };
  struct State {
    Mode mode = Mode::between;
    bool in_array = false;      // of objects
    bool is_line_start = true;  // only white space since the line feed
    char last = 0;              // in an object: the last bracket, comma or colon, 'v' for a value
    std::uint32_t depth = 0;
    std::uint32_t indent = 0;        // of the current line
    std::uint32_t begin_indent = 0;  // of the line on which the object began
    std::uint64_t braces[2] = {};    // by depth: a bit for { and none for [
  };
  /// The end of the next piece at or after `at`, or npos if the bytes end before; `state` is then the state
  /// at their end.
  static std::size_t advance(State& state, std::string_view bytes, std::size_t at);
  static void open(State& state, char bracket);
  static bool close(State& state, char bracket);

  State committed_;  // at the end of the last piece
  State state_;      // within a very large piece
};

}  // namespace leitong
