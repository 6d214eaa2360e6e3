// Takes pieces of a record's text out of the record, and leaves all its other bytes as they are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct Source;

/// How a record writes a text.
enum class TextForm : std::uint8_t {
  plain,   ///< as it is
  json,    ///< the inside of a JSON string
  quoted,  ///< the inside of quotes, where two quotes stand for one
  cell     ///< as it is, but a text that begins with a quote has to be quoted
};

/// A text field in its record.
struct TextToken {
  std::string_view raw;  ///< a part of the record
  TextForm form = TextForm::plain;
};

/// Bytes [begin, end) of a record, in whose place `put` others stand.
struct TextEdit {
  std::size_t begin = 0, end = 0, put = 0;
};

/// Appends the record without these bytes of its text to `out`. `tokens`: its text fields in the order in
/// which they make the text, where a line feed, which is never cut, stands between any two. `cuts`: ascending
/// ranges of the text, which divide no character. `edits` becomes what was done, ascending.
void append_without(std::string_view record, std::span<const TextToken> tokens,
                    std::span<const ByteRange> cuts, std::string& out, std::vector<TextEdit>& edits);

/// A thread's cutter for the records of a format; keeps its buffers.
class TextCutter {
 public:
  virtual ~TextCutter() = default;
  /// The record without these bytes of its text, followed by kRecordPadding readable bytes, which `record`
  /// needs as well. Valid until the next call. Fails with corrupt if the record has no such text.
  virtual Result<std::string_view> cut(const Source& source, std::string_view record,
                                       std::span<const ByteRange> cuts) = 0;
  /// What the last call did to the record.
  [[nodiscard]] std::span<const TextEdit> edits() const noexcept { return edits_; }

 protected:
  std::vector<TextEdit> edits_;
};

}  // namespace leitong
