#include "io/encoding.hpp"

#include <fmt/core.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "io/single_byte.hpp"

namespace leitong {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kEncodedBytes = std::size_t{64} << 10;

// Names that are often used for a wider encoding.
constexpr std::array<std::pair<std::string_view, const char*>, 11> kWider{
    {{"gb2312", "gb18030"},
     {"euc-kr", "windows-949"},
     {"cp949", "windows-949"},
     {"uhc", "windows-949"},
     {"gbk", "gb18030"},
     {"x-gbk", "gb18030"},
     {"big5", "big5-hkscs"},
     {"iso-8859-1", "windows-1252"},
     {"latin1", "windows-1252"},
     {"us-ascii", "windows-1252"},
     {"shift_jis", "ibm-943_P15A-2003"}}};

class TranscodedBytes final : public ByteStream {
 public:
  TranscodedBytes(Converter from, std::unique_ptr<ByteStream> bytes)
      : from_(std::move(from)), bytes_(std::move(bytes)), stored_(kEncodedBytes) {
    UErrorCode status = U_ZERO_ERROR;
    utf8_.reset(ucnv_open("UTF-8", &status));
  }

  Result<std::size_t> read(char* out, std::size_t size) override {
    while (size > 0) {
      if (const std::size_t written = write_pivot(out, size); written > 0) return written;
      if (faulty_) {
        faulty_ = false;
        *out = '\xff';
        return 1;
      }
      if (done_) return 0;
      if (in_ == in_end_ && !ended_) {
        LEITONG_ASSIGN(const std::size_t got, bytes_->read(stored_.data(), stored_.size()));
        in_ = stored_.data();
        in_end_ = in_ + got;
        ended_ = got == 0;
      }
      fill_pivot();
    }
    return 0;
  }

 private:
  std::size_t write_pivot(char* out, std::size_t size) {
    if (pivot_from_ == pivot_to_ && !overflowed_) return 0;
    char* to = out;
    UErrorCode status = U_ZERO_ERROR;
    ucnv_fromUnicode(utf8_.get(), &to, out + size, &pivot_from_, pivot_to_, nullptr, 0, &status);
    overflowed_ = status == U_BUFFER_OVERFLOW_ERROR;
    return static_cast<std::size_t>(to - out);
  }

  void fill_pivot() {
    UChar* to = pivot_.data();
    UErrorCode status = U_ZERO_ERROR;
    ucnv_toUnicode(from_.get(), &to, pivot_.data() + pivot_.size(), &in_, in_end_, nullptr,
                   static_cast<UBool>(ended_), &status);
    pivot_from_ = pivot_.data();
    pivot_to_ = to;
    const bool overflow = status == U_BUFFER_OVERFLOW_ERROR;
    faulty_ = !overflow && U_FAILURE(status);
    done_ = ended_ && !overflow && in_ == in_end_;
  }

  Converter from_, utf8_;
  std::unique_ptr<ByteStream> bytes_;
  std::vector<char> stored_;
  const char *in_ = nullptr, *in_end_ = nullptr;
  std::array<UChar, 4096> pivot_{};
  const UChar *pivot_from_ = pivot_.data(), *pivot_to_ = pivot_.data();
  bool ended_ = false, done_ = false;  // end of the stored bytes; end of the output
  bool overflowed_ = false;            // the converter still holds bytes of a character
  bool faulty_ = false;                // after what is in the pivot
};

}  // namespace

void CloseConverter::operator()(UConverter* converter) const noexcept { ucnv_close(converter); }

std::string wider_encoding(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const auto& [narrow, wide] : kWider)
    if (lower == narrow) return wide;
  return lower;
}

Converter open_converter(const std::string& name) {
  if (name.empty()) return nullptr;  // ICU would use that of the locale
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(name.c_str(), &status));
  if (U_FAILURE(status)) return nullptr;
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  return U_FAILURE(status) ? nullptr : std::move(converter);
}

bool is_known_encoding(std::string_view name) {
  const std::string wider = wider_encoding(name);
  return single_byte_table(wider) != nullptr || open_converter(wider) != nullptr;
}

Result<void> check_encoding(std::string_view name) {
  if (name.empty() || is_known_encoding(name)) return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("the encoding \"{}\" is unknown; known are UTF-8, GB18030 (also for GBK and GB2312), "
                  "Big5, UTF-16, UTF-16LE, Shift_JIS, EUC-KR, windows-1252 and all others of ICU",
                  name));
}

bool is_utf8_encoding(std::string_view name) {
  if (name.empty()) return true;
  const Converter converter = open_converter(wider_encoding(name));
  UErrorCode status = U_ZERO_ERROR;
  return converter && ucnv_getName(converter.get(), &status) == "UTF-8"sv;
}

std::string_view encoding_of_mark(std::string_view first_bytes) {
  // The mark of UTF-32 begins like that of UTF-16, so it is tried first.
  if (first_bytes.starts_with("\xff\xfe\0\0"sv)) return "UTF-32LE";
  if (first_bytes.starts_with("\0\0\xfe\xff"sv)) return "UTF-32BE";
  if (first_bytes.starts_with("\xff\xfe"sv)) return "UTF-16LE";
  if (first_bytes.starts_with("\xfe\xff"sv)) return "UTF-16BE";
  return {};
}

std::unique_ptr<ByteStream> make_transcoder(std::string_view encoding, std::unique_ptr<ByteStream> bytes) {
  if (is_utf8_encoding(encoding)) return bytes;
  if (const SingleByteTable* const table = single_byte_table(wider_encoding(encoding)))
    return make_single_byte_transcoder(*table, std::move(bytes));
  return std::make_unique<TranscodedBytes>(open_converter(wider_encoding(encoding)), std::move(bytes));
}

}  // namespace leitong
