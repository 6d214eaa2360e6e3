#include "index/hamming/fingerprint_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "base/try.hpp"
#include "index/hamming/fingerprint_digits.hpp"
#include "io/byte_stream.hpp"
#include "io/npy.hpp"
#include "io/tsv.hpp"
#include "leitong/utf8.hpp"

namespace leitong::hamming {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::size_t kHead = std::size_t{1} << 12;  // bytes of text that are examined

/// Fingerprints that have the same form in the file and in memory.
template <Fingerprint F>
class RawSource final : public Source<F> {
 public:
  RawSource(ReadFile file, std::string path, std::uint64_t offset, std::uint64_t size)
      : file_(std::move(file)), path_(std::move(path)), offset_(offset), size_(size) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  Result<std::span<const F>> read(std::uint64_t begin, std::uint64_t count,
                                  PodVector<F>& space) const override {
    space.resize_for_overwrite(std::min<std::uint64_t>(count, kPiece));
    const std::uint64_t at = offset_ + begin * sizeof(F);
    const std::size_t bytes = space.size() * sizeof(F);
    LEITONG_ASSIGN(const std::size_t got, file_.read_at(at, reinterpret_cast<char*>(space.data()), bytes));
    if (got != bytes)
      return fail(ErrorCode::corrupt,
                  fmt::format("{}: ends at offset {}, and went on to {} when it was opened; "
                              "it must not change while it is read",
                              path_, at + got, offset_ + size_ * sizeof(F)));
    return std::span<const F>(space);
  }

 private:
  ReadFile file_;
  std::string path_;
  std::uint64_t offset_, size_;
};

template <Fingerprint F>
class HeldSource final : public Source<F> {
 public:
  explicit HeldSource(PodVector<F> values) : values_(std::move(values)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return values_.size(); }
  Result<std::span<const F>> read(std::uint64_t begin, std::uint64_t count,
                                  PodVector<F>& /*space*/) const override {
    return std::span<const F>(values_).subspan(begin, count);
  }

 private:
  PodVector<F> values_;
};

tl::unexpected<Error> corrupt(const std::string& path, std::uint64_t offset, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("{}: offset {}: {}", path, offset, what));
}

/// The position of the fingerprints in a file, and their number.
struct Extent {
  std::uint64_t offset = 0, count = 0;
};

template <Fingerprint F>
Result<Extent> raw_extent(const std::string& path, std::uint64_t bytes) {
  if (bytes % sizeof(F) != 0)
    return corrupt(path, bytes - bytes % sizeof(F),
                   fmt::format("the file ends within a fingerprint: {} bytes are no multiple of {} (is it "
                               "another width or format?)",
                               bytes, sizeof(F)));
  return Extent{0, bytes / sizeof(F)};
}

template <Fingerprint F>
Result<Extent> npy_extent(const std::string& path, std::string_view head, std::uint64_t bytes) {
  LEITONG_ASSIGN(const NpyHeader header, parse_npy(path, head));
  if (header.type != "'<u8'" && header.type != "'<i8'")
    return corrupt(path, header.text,
                   fmt::format("the array holds {}, and fingerprints are 64-bit words ('<u8')", header.type));
  const std::vector<std::uint64_t>& shape = header.shape;
  const std::uint64_t words = shape.size() == 2 ? shape[1] : 1;
  if (shape.empty() || shape.size() > 2 || words != kWords<F>)
    return corrupt(path, header.text,
                   fmt::format("the array has shape {}; {}-bit fingerprints are {}", header.shape_text,
                               kBits<F>, kWords<F> == 1 ? "(n,)" : "(n, 2)"));
  if (words > 1 && header.fortran_order)
    return corrupt(path, header.text, "the array lies in Fortran order; save it in C order");
  LEITONG_TRY(check_npy_size(path, header, sizeof(F), "fingerprints", bytes));
  return Extent{header.begin, shape[0]};
}

bool is_hex_digits(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEFxX") == std::string_view::npos;
}

/// Does every whole line end in a tab, or in a tab and a number? Raw words never do; ids of other programs
/// may hold control characters.
bool is_rows_of_numbers(std::string_view head) {
  std::size_t rows = 0;
  for (std::size_t begin = 0, end; (end = head.find('\n', begin)) != std::string_view::npos;
       begin = end + 1) {
    std::string_view line = head.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t tab = line.rfind('\t');
    if (tab == std::string_view::npos || !is_hex_digits(line.substr(tab + 1))) return false;
    ++rows;
  }
  return rows > 0;
}

/// Text has no control characters. A few raw words may lack them as well, but they hardly look like a line
/// that ends in a number, or like UTF-8.
bool is_text(std::string_view head) {
  const bool controlled = std::any_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 ? byte != '\t' && byte != '\n' && byte != '\r' : byte == 0x7f;
  });
  if (head.empty()) return false;
  if (controlled) return is_rows_of_numbers(head);
  head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
  const std::size_t end = std::min(head.find('\n'), head.size());
  if (end == kHead) return true;
  std::string_view line = head.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::string_view number = line.substr(line.rfind('\t') + 1);
  return (is_hex_digits(number) && (!number.empty() || end < head.size())) || is_utf8(line);
}

/// The format that `automatic` finds. It remains `automatic` for text, because its numbers decide later.
FileFormat told_by(std::string_view head, FileFormat format) {
  if (format != FileFormat::automatic) return format;
  if (head.starts_with(kNpyMagic)) return FileFormat::npy;
  return is_text(head.substr(0, kHead)) ? FileFormat::automatic : FileFormat::raw;
}

bool holds_words(FileFormat format) { return format == FileFormat::raw || format == FileFormat::npy; }

/// One line of text, split.
struct Line {
  std::string_view id, number;
  std::uint64_t row = 0, offset = 0;  // `offset`: of the number
};

/// Calls `each(line)` for every non-empty line.
template <class Each>
Result<void> for_each_line(std::string_view text, Each each) {
  std::uint64_t row = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t tab = line.rfind('\t');
    const std::size_t skip = tab == std::string_view::npos ? 0 : tab + 1;
    if (!line.empty())
      LEITONG_TRY(each(Line{line.substr(0, skip == 0 ? 0 : tab), line.substr(skip), row, begin + skip}));
    ++row;
    begin = end + 1;
  }
  return {};
}

/// hex, decimal or binary; nothing if the values do not decide it.
std::optional<FileFormat> number_format(std::string_view text) {
  bool letters = false, lengths_differ = false, bits = true;
  std::size_t length = 0;
  (void)for_each_line(text, [&](const Line& line) -> Result<void> {
    if (line.number.empty()) return {};
    for (const char c : line.number) {
      letters = letters || std::isdigit(static_cast<unsigned char>(c)) == 0;
      bits = bits && (c == '0' || c == '1');
    }
    lengths_differ = lengths_differ || (length != 0 && length != line.number.size());
    length = line.number.size();
    return {};
  });
  if (letters) return FileFormat::hex;
  // No hexadecimal or decimal number of 64 or 128 bits is so long.
  if (bits && !lengths_differ && (length == 64 || length == 128)) return FileFormat::binary;
  if (lengths_differ || length < 16) return FileFormat::decimal;
  return std::nullopt;
}

template <Fingerprint F>
Result<FingerprintFile<F>> parse_text(const std::string& path, std::string_view text, FileFormat format) {
  const bool guessed = format == FileFormat::automatic;
  if (guessed) {
    const std::optional<FileFormat> found = number_format(text);
    if (!found)
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: values of digits only, all as long as hexadecimal ones: say whether they are "
                      "hex or decimal by the input format",
                      path),
          "input");
    format = *found;
  }
  const Digits digits = format == FileFormat::hex      ? Digits::hex
                        : format == FileFormat::binary ? Digits::binary
                                                       : Digits::decimal;
  FingerprintFile<F> file;
  PodVector<F> values;
  LEITONG_TRY(for_each_line(text, [&](const Line& line) -> Result<void> {
    if (line.number.empty()) {
      ++file.without;
      return {};
    }
    const std::optional<F> value = parse_digits<F>(line.number, digits);
    if (!value)
      return fail(
          ErrorCode::corrupt,
          fmt::format(
              "{}:{}: offset {}: \"{}\" is no {} number of {} bits{}", path, line.row + 1, line.offset,
              line.number.substr(0, 60),
              digits == Digits::hex ? "hexadecimal" : digits_names()[static_cast<std::size_t>(digits)],
              kBits<F>, guessed ? "; if the file is raw words, set the input format raw" : ""),
          guessed ? "input" : "");
    values.push_back(*value);
    // The first line with an id decides for all.
    if (values.size() == 1 ? !line.id.empty() : !file.ids.empty())
      append_unescaped_tsv_field(line.id, file.ids.emplace_back());
    return {};
  }));
  file.source = std::make_unique<HeldSource<F>>(std::move(values));
  return file;
}

}  // namespace

const std::vector<std::string>& file_format_names() {
  static const std::vector<std::string> names{"auto", "raw", "npy", "hex", "decimal", "binary"};
  return names;
}

template <Fingerprint F>
Result<FingerprintFile<F>> open_fingerprints(const std::string& path, FileFormat format, StopToken stop) {
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path, stop));
  const auto compression = [&](std::string_view head) {
    const bool may_be = format != FileFormat::raw || compression_of_name(path) != Compression::none;
    return may_be ? compression_of_content(head, path) : Compression::none;
  };
  const auto extent = [&](FileFormat binary, std::string_view head, std::uint64_t bytes) {
    return binary == FileFormat::npy ? npy_extent<F>(path, head, bytes) : raw_extent<F>(path, bytes);
  };
  FingerprintFile<F> opened;
  if (file.can_be_read_again()) {
    const std::uint64_t bytes = file.stamp().size;
    std::string head(std::min<std::uint64_t>(bytes, kNpyHead), '\0');
    LEITONG_ASSIGN(const std::size_t got, file.read_at(0, head.data(), head.size()));
    head.resize(got);
    if (const FileFormat told = told_by(head, format);
        holds_words(told) && compression(head) == Compression::none) {
      LEITONG_ASSIGN(const Extent there, extent(told, head, bytes));
      opened.source = std::make_unique<RawSource<F>>(std::move(file), path, there.offset, there.count);
      return opened;
    }
  }
  auto stored = std::make_unique<StoredBytes>(std::move(file), nullptr);
  LEITONG_ASSIGN(const std::string_view beginning, stored->peek());
  const Compression packed = compression(beginning);
  const std::unique_ptr<ByteStream> stream = make_decoder(packed, std::move(stored));
  LEITONG_ASSIGN(const std::string held, read_all(*stream, path));
  const FileFormat told = told_by(held, format);
  if (!holds_words(told)) return parse_text<F>(path, held, told);
  LEITONG_ASSIGN(const Extent there, extent(told, held, held.size()));
  PodVector<F> values;
  values.resize_for_overwrite(there.count);
  if (there.count > 0)
    std::memcpy(static_cast<void*>(values.data()), held.data() + there.offset, there.count * sizeof(F));
  opened.source = std::make_unique<HeldSource<F>>(std::move(values));
  return opened;
}

template Result<FingerprintFile<Fingerprint64>> open_fingerprints(const std::string&, FileFormat, StopToken);
template Result<FingerprintFile<Fingerprint128>> open_fingerprints(const std::string&, FileFormat, StopToken);

}  // namespace leitong::hamming
