#include "corpus/charset.hpp"

#include <fmt/core.h>
#include <uchardet/uchardet.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "corpus/record_fields.hpp"

namespace leitong {
namespace {

using namespace std::string_view_literals;

/// Enough for the statistics; what follows would only cost time.
constexpr std::size_t kExaminedBytes = std::size_t{256} << 10;

struct Mark {
  std::string_view bytes;
  const char* charset;
};
// UTF-32's begins like UTF-16's and so comes first.
constexpr std::array<Mark, 5> kMarks{{{"\xef\xbb\xbf"sv, "UTF-8"},
                                      {"\xff\xfe\0\0"sv, "UTF-32LE"},
                                      {"\0\0\xfe\xff"sv, "UTF-32BE"},
                                      {"\xff\xfe"sv, "UTF-16LE"},
                                      {"\xfe\xff"sv, "UTF-16BE"}}};

// What pages call by a name they use for more than it holds.
constexpr std::array<std::pair<std::string_view, const char*>, 8> kWider{
    {{"gb2312", "gb18030"},
     {"gbk", "gb18030"},
     {"x-gbk", "gb18030"},
     {"big5", "big5-hkscs"},
     {"iso-8859-1", "windows-1252"},
     {"latin1", "windows-1252"},
     {"us-ascii", "windows-1252"},
     {"shift_jis", "ibm-943_P15A-2003"}}};

std::string wider_name(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const auto& [narrow, wide] : kWider)
    if (lower == narrow) return wide;
  return lower;
}

struct CloseConverter {
  void operator()(UConverter* c) const noexcept { ucnv_close(c); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

/// Null if there is no such charset.
Converter open_converter(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(name.c_str(), &status));
  if (U_FAILURE(status)) return nullptr;
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  return U_FAILURE(status) ? nullptr : std::move(converter);
}

/// Offset of the byte that doesn't fit, or npos.
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

/// Sequences of two bytes and more that are UTF-8, and bytes that aren't, in the first part of a text.
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
  const Converter converter = open_converter(wider_name(charset));
  if (!converter)
    return {{}, fmt::format("the encoding {} is unknown; convert the file to UTF-8 first", charset)};
  const std::size_t fault = convert(converter.get(), bytes, buffer);
  if (fault != std::string_view::npos) return {{}, fmt::format("invalid {} near byte {}", charset, fault)};
  return {buffer, {}};
}

}  // namespace

DecodedText decode_text(std::string_view bytes, std::string_view declared, std::string& buffer) {
  for (const Mark& mark : kMarks) {
    if (!bytes.starts_with(mark.bytes)) continue;
    bytes.remove_prefix(mark.bytes.size());
    if (mark.charset != "UTF-8"sv) return convert_from(mark.charset, bytes, buffer);
    break;
  }
  const std::size_t fault = find_invalid_utf8(bytes);
  // Encodings that switch by escape sequences (ISO-2022-JP) look like ASCII.
  const bool may_switch = bytes.find('\x1b') != std::string_view::npos;
  if (fault == std::string_view::npos && !may_switch) return {bytes, {}};
  if (!declared.empty() && wider_name(declared) != "utf-8" && open_converter(wider_name(declared)))
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
