#include "corpus/warc_record.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace leitong {
namespace {

constexpr std::string_view kVersion = "WARC/";
/// More than the fields of any writer take; longer content is no record.
constexpr std::size_t kMostFields = std::size_t{64} << 10;
constexpr std::string_view kLineEnds = "\r\n";

bool same_name(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return small(x) == small(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// The end of the fields, after their empty line; npos if it has not come yet.
std::size_t end_of_fields(std::string_view bytes) {
  for (std::size_t feed = bytes.find('\n'); feed != std::string_view::npos;
       feed = bytes.find('\n', feed + 1)) {
    const std::string_view rest = bytes.substr(feed + 1, 2);
    if (rest.starts_with('\n')) return feed + 2;
    if (rest == "\r\n") return feed + 3;
  }
  return std::string_view::npos;
}

std::optional<std::uint64_t> length_in(const NamedFields& fields) {
  const std::string_view text = fields.value("Content-Length");
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  // Its sum with the surrounding bytes must not overflow.
  if (error != std::errc() || end != text.data() + text.size() || text.empty() || length >> 62 != 0)
    return {};
  return length;
}

/// Scans one record after another, in pieces of any size.
class WarcScanner final : public RecordScanner {
 public:
  std::size_t whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) override {
    std::size_t at = 0;
    while (at < bytes.size()) {
      begin_record();
      const std::size_t end = record_end(bytes.substr(at));
      if (end == npos && !at_end) break;
      at = end == npos ? bytes.size() : at + end;
      ends.push_back(static_cast<std::uint32_t>(at));
    }
    return at;
  }

  void begin_record() override {
    part_ = Part::fields;
    fields_.clear();
    left_ = 0;
    line_ends_ = 0;
  }

  std::size_t record_end(std::string_view piece) override {
    std::size_t at = 0;
    if (part_ == Part::fields) at = read_fields(piece);
    if (part_ == Part::block) {
      const std::size_t taken = static_cast<std::size_t>(std::min<std::uint64_t>(left_, piece.size() - at));
      at += taken;
      left_ -= taken;
      if (left_ > 0) return npos;
      part_ = Part::line_ends;
    }
    if (part_ == Part::line_ends) return read_line_ends(piece, at);
    if (part_ == Part::unknown) return next_version(piece, at);
    return npos;
  }

 private:
  enum class Part : unsigned char { fields, block, line_ends, unknown };

  /// Returns where the block begins in the piece, or where to search for another record.
  std::size_t read_fields(std::string_view piece) {
    const std::size_t had = fields_.size();
    std::string_view seen = piece.substr(0, kMostFields);
    if (had > 0) seen = fields_ += seen;
    const std::size_t begin = std::min(seen.find_first_not_of(kLineEnds), seen.size());
    const std::string_view fields = seen.substr(begin);
    const std::size_t end = end_of_fields(fields);
    if (!fields.starts_with(kVersion.substr(0, fields.size())) ||
        (end == npos && seen.size() >= kMostFields)) {
      part_ = Part::unknown;
    } else if (end == npos) {
      if (had == 0) fields_ = seen;
    } else {
      const auto length = length_in(NamedFields(fields.substr(0, end)));
      part_ = length ? Part::block : Part::unknown;
      left_ = length.value_or(0);
      return begin + end - had;
    }
    return had > 0 ? 0 : begin;
  }

  std::size_t read_line_ends(std::string_view piece, std::size_t at) {
    while (at < piece.size() && line_ends_ < 2 && kLineEnds.find(piece[at]) != npos)
      line_ends_ += piece[at++] == '\n';
    return at < piece.size() || line_ends_ == 2 ? at : npos;
  }

  static std::size_t next_version(std::string_view piece, std::size_t at) {
    const std::size_t found = piece.find("\nWARC/", at);
    return found == npos ? npos : found + 1;
  }

  Part part_ = Part::fields;
  std::string fields_;      // the fields so far, with line ends before them
  std::uint64_t left_ = 0;  // bytes left of the block
  unsigned line_ends_ = 0;  // line ends seen after the block
};

}  // namespace

std::optional<std::string_view> NamedFields::find(std::string_view name) const {
  for (std::string_view rest = lines_; !rest.empty();) {
    const std::size_t feed = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, feed);
    rest.remove_prefix(std::min(feed + 1, rest.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || line.starts_with(' ') || line.starts_with('\t')) continue;
    if (same_name(trimmed(line.substr(0, colon)), name)) return trimmed(line.substr(colon + 1));
  }
  return {};
}

bool is_warc(std::string_view bytes) noexcept { return bytes.starts_with(kVersion); }

std::optional<ParsedWarc> parse_warc(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(kLineEnds), bytes.size()));
  if (!is_warc(bytes)) return {};
  const std::size_t end = end_of_fields(bytes.substr(0, kMostFields));
  if (end == std::string_view::npos) return {};
  ParsedWarc parsed;
  parsed.record.fields = NamedFields(bytes.substr(0, end));
  const auto length = length_in(parsed.record.fields);
  if (!length) return {};
  parsed.record.block = bytes.substr(end, static_cast<std::size_t>(*length));
  parsed.cut = parsed.record.block.size() < *length;
  return parsed;
}

std::unique_ptr<RecordScanner> make_warc_scanner() { return std::make_unique<WarcScanner>(); }

}  // namespace leitong
