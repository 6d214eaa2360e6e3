// One record of a WARC file (ISO 28500): a version line, named fields, an empty line, and a block of
// Content-Length bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "corpus/record_scanner.hpp"

namespace leitong {

/// "Name: value" lines. Names are compared without case; continuation lines, which begin with white space
/// (RFC 822 folding), are ignored.
class NamedFields {
 public:
  NamedFields() = default;
  explicit NamedFields(std::string_view lines) : lines_(lines) {}
  /// The first value of the name, without surrounding white space; nothing if there is none.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
  [[nodiscard]] std::string_view value(std::string_view name) const { return find(name).value_or(""); }

 private:
  std::string_view lines_;
};

struct WarcRecord {
  NamedFields fields;
  std::string_view block;
};

/// Does it begin like a WARC file?
[[nodiscard]] bool is_warc(std::string_view bytes) noexcept;

/// The record at the beginning of the bytes; nothing if there is none: no version line, no end of the fields,
/// or no Content-Length. A block that is cut off has fewer bytes than its Content-Length; `cut` tells.
struct ParsedWarc {
  WarcRecord record;
  bool cut = false;
};
[[nodiscard]] std::optional<ParsedWarc> parse_warc(std::string_view bytes);

/// Finds the ends of records by their Content-Length, with the two line ends after the block. Bytes that
/// begin no record extend to the next line that begins one.
[[nodiscard]] std::unique_ptr<RecordScanner> make_warc_scanner();

}  // namespace leitong
