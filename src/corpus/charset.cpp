#include "corpus/charset.hpp"

#include <fmt/core.h>
#include <uchardet/uchardet.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "corpus/record_fields.hpp"
#include "io/encoding.hpp"
#include "io/single_byte.hpp"

namespace leitong {
namespace {

/// Enough for the statistics; more would only cost time.
constexpr std::size_t kExaminedBytes = std::size_t{256} << 10;

/// Returns the offset of the byte that does not fit, or npos.
std::size_t convert(UConverter* from, std::string_view bytes, std::string& out) {
  UErrorCode status = U_ZERO_ERROR;
  const Converter utf8(ucnv_open("UTF-8", &status));
  std::array<UChar, 4096> pivot;
  UChar *pivot_from = pivot.data(), *pivot_to = pivot.data();
  const char* source = bytes.data();
  const char* const end = bytes.data() + bytes.size();
  out.clear();
  bool first = true;
  do {
    const std::size_t begin = out.size();
    out.resize(begin + std::max<std::size_t>(4096, bytes.size() + bytes.size() / 2));
    char* target = out.data() + begin;
    status = U_ZERO_ERROR;
    ucnv_convertEx(utf8.get(), from, &target, out.data() + out.size(), &source, end, pivot.data(),
                   &pivot_from, &pivot_to, pivot.data() + pivot.size(), first, true, &status);
    first = false;
    out.resize(static_cast<std::size_t>(target - out.data()));
  } while (status == U_BUFFER_OVERFLOW_ERROR);
  return U_FAILURE(status) ? static_cast<std::size_t>(source - bytes.data()) : std::string_view::npos;
}

/// Are there nearly only valid UTF-8 sequences of two or more bytes in the first part of a text?
bool is_nearly_utf8(std::string_view bytes) {
  bytes = bytes.substr(0, kExaminedBytes);
  std::size_t faults = 0, bytes_beyond_ascii = 0;
  for (const char c : bytes) bytes_beyond_ascii += static_cast<unsigned char>(c) >= 0x80;
  while (!bytes.empty()) {
    const std::size_t at = find_invalid_utf8(bytes);
    if (at == std::string_view::npos) break;
    ++faults;
    if (faults * 10 > bytes_beyond_ascii) return false;
    bytes.remove_prefix(at + 1);
  }
  return true;
}

std::string detect(std::string_view bytes) {
  const std::unique_ptr<uchardet, void (*)(uchardet_t)> detector(uchardet_new(), &uchardet_delete);
  const std::string_view part = bytes.substr(0, kExaminedBytes);
  if (uchardet_handle_data(detector.get(), part.data(), part.size()) != 0) return {};
  uchardet_data_end(detector.get());
  return uchardet_get_charset(detector.get());
}

DecodedText convert_from(const std::string& charset, std::string_view bytes, std::string& buffer) {
  const std::string wider = wider_encoding(charset);
  if (const SingleByteTable* const table = single_byte_table(wider)) {
    buffer.clear();
    append_as_utf8(*table, bytes, buffer);
    return {buffer, {}};
  }
  const Converter converter = open_converter(wider);
  if (!converter)
    return {{}, fmt::format("the encoding {} is unknown; convert the file to UTF-8 first", charset)};
  const std::size_t fault = convert(converter.get(), bytes, buffer);
  if (fault != std::string_view::npos) return {{}, fmt::format("invalid {} near byte {}", charset, fault)};
  return {buffer, {}, charset};
}

/// Fewer bytes beyond ASCII say little about the encoding of a file.
constexpr std::size_t kFewestTelling = 16;

std::size_t bytes_beyond_ascii(std::string_view bytes) {
  return static_cast<std::size_t>(std::ranges::count_if(bytes, [](char c) { return (c & 0x80) != 0; }));
}

/// The share of lines beyond ASCII that fit an encoding must be at least nine tenths.
bool most_lines_fit(const std::string& charset, std::string_view bytes) {
  std::string buffer;
  std::size_t telling = 0, bad = 0;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, std::min(bytes.find('\n'), bytes.size() - 1) + 1);
    bytes.remove_prefix(line.size());
    if (bytes_beyond_ascii(line) == 0) continue;
    ++telling;
    bad += !convert_from(charset, line, buffer).problem.empty();
  }
  return bad * 10 <= telling;
}

}  // namespace

std::string encoding_of_records(std::string_view first_bytes) {
  // A sample may end within a character.
  const std::size_t feed = first_bytes.rfind('\n');
  if (feed != std::string_view::npos) first_bytes = first_bytes.substr(0, feed + 1);
  if (find_invalid_utf8(first_bytes) == std::string_view::npos) return {};
  if (bytes_beyond_ascii(first_bytes) < kFewestTelling || is_nearly_utf8(first_bytes)) return {};
  std::string charset = detect(first_bytes);
  if (charset.empty() || is_utf8_encoding(charset) || !is_known_encoding(charset)) return {};
  return most_lines_fit(charset, first_bytes) ? charset : std::string();
}

std::string encoding_hint(std::string_view record) {
  std::string buffer;
  if (bytes_beyond_ascii(record) < 2 || is_nearly_utf8(record)) return {};
  const std::string charset = detect(record);
  if (charset.empty() || is_utf8_encoding(charset) || !is_known_encoding(charset)) return {};
  if (!convert_from(charset, record, buffer).problem.empty()) return {};
  return fmt::format("; it fits the encoding {}: set the encoding if the file has it", charset);
}

std::string binary_problem(std::string_view bytes) {
  const std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos || !encoding_of_mark(bytes).empty()) return {};
  return fmt::format("a NUL byte at byte {}: not a text file", nul + 1);
}

std::string damaged_text(std::string_view utf8) {
  constexpr std::size_t kFewest = 4;  // a few may be meant
  std::size_t bad = 0, points = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    points += (byte & 0xc0) != 0x80;
    const bool is_white = byte >= 9 && byte <= 13;
    bad += (byte < 0x20 && !is_white && byte != 0x1b) || byte == 0x7f;
    if (byte == 0xc2 && i + 1 < utf8.size()) {  // U+0080 to U+009F, but for the line end U+0085
      const auto next = static_cast<unsigned char>(utf8[i + 1]);
      bad += next < 0xa0 && next != 0x85;
    }
    if (byte == 0xef && utf8.substr(i, 3) == "\xef\xbf\xbd") ++bad;
  }
  if (bad < kFewest || bad * 10 < points) return {};
  return fmt::format(
      "not a text: {} of its {} characters are control characters or U+FFFD, which stands for what a wrong "
      "encoding lost",
      bad, points);
}

DecodedText decode_text(std::string_view bytes, std::string_view declared, std::string& buffer,
                        std::string_view named) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (!is_utf8_encoding(named)) {
    DecodedText decoded = convert_from(std::string(named), bytes, buffer);
    if (decoded.text.starts_with(kUtf8Mark)) decoded.text.remove_prefix(kUtf8Mark.size());
    return decoded;
  }
  if (const std::string_view marked = encoding_of_mark(bytes); !marked.empty() && named.empty()) {
    bytes.remove_prefix(marked.starts_with("UTF-32") ? 4 : 2);
    return convert_from(std::string(marked), bytes, buffer);
  }
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  const std::size_t fault = find_invalid_utf8(bytes);
  // Encodings that switch by escape sequences (ISO-2022-JP) look like ASCII.
  const bool may_switch = bytes.find('\x1b') != std::string_view::npos;
  if (fault == std::string_view::npos && (!may_switch || !named.empty())) return {bytes, {}};
  if (!named.empty()) return {{}, fmt::format("invalid UTF-8 at byte {}", fault + 1)};
  if (!declared.empty() && wider_encoding(declared) != "utf-8" && is_known_encoding(declared))
    return convert_from(std::string(declared), bytes, buffer);
  if (fault != std::string_view::npos && is_nearly_utf8(bytes))
    return {{}, fmt::format("invalid UTF-8 at byte {}", fault + 1)};
  const std::string charset = detect(bytes);
  if (fault == std::string_view::npos && !charset.starts_with("ISO-2022")) return {bytes, {}};
  if (charset.empty() || charset == "UTF-8")
    return {{}, fmt::format("invalid UTF-8 at byte {}, and no other encoding is recognised", fault + 1)};
  return convert_from(charset, bytes, buffer);
}

}  // namespace leitong
