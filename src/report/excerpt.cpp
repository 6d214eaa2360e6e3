#include "report/excerpt.hpp"

#include <algorithm>

namespace leitong {
namespace {

// A run is shown whole up to kWhole bytes; of a longer one the two ends, which is where it meets what
// differs. Where there is little room, less of a run: else one would leave no room for the others.
constexpr std::size_t kWhole = 1200;
constexpr std::size_t kLeastWhole = 240;

std::size_t whole_run(std::size_t most_bytes) noexcept {
  return std::clamp(most_bytes / 4, kLeastWhole, kWhole);
}

bool continues(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::size_t character_start(std::string_view text, std::size_t at) noexcept {
  // Four bytes are the longest sequence; more continuation bytes than that are no UTF-8 and may be cut
  // anywhere.
  for (std::size_t back = 0; back < 4 && at >= back; ++back)
    if (at - back >= text.size() || !continues(text[at - back])) return at - back;
  return at;
}

class Excerpt {
 public:
  Excerpt(std::string_view text, std::size_t most_bytes)
      : text_(text), room_(most_bytes), whole_(whole_run(most_bytes)) {}

  void run(std::size_t begin, std::size_t end, std::uint32_t passage) {
    if (begin >= end) return;
    if (end - begin <= whole_) return show(begin, end, passage);
    const std::size_t head = std::max(begin, character_start(text_, begin + ends_));
    const std::size_t tail = std::max(head, character_start(text_, end - ends_));
    show(begin, head, passage);
    skip(tail - head, passage);
    show(tail, end, passage);
  }
  std::vector<ExcerptPart> take() { return std::move(parts_); }

 private:
  void show(std::size_t begin, std::size_t end, std::uint32_t passage) {
    const std::string_view fits = utf8_prefix(text_.substr(begin, end - begin), room_);
    if (!fits.empty()) parts_.push_back({fits, passage, 0});
    room_ -= fits.size();
    if (fits.size() < end - begin) {
      room_ = 0;
      skip(end - begin - fits.size(), passage);
    }
  }
  void skip(std::size_t bytes, std::uint32_t passage) {
    if (!parts_.empty() && parts_.back().skipped > 0) {
      parts_.back().skipped += bytes;
      parts_.back().passage = 0;
    } else {
      parts_.push_back({{}, passage, bytes});
    }
  }

  std::string_view text_;
  std::size_t room_;
  std::size_t whole_;
  std::size_t ends_ = whole_ * 3 / 10;
  std::vector<ExcerptPart> parts_;
};

}  // namespace

std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes) noexcept {
  return text.size() <= most_bytes ? text : text.substr(0, character_start(text, most_bytes));
}

std::vector<ExcerptPart> excerpt(std::string_view text, std::vector<MarkedRange> marks,
                                 std::size_t most_bytes) {
  std::sort(marks.begin(), marks.end(), [](const MarkedRange& x, const MarkedRange& y) {
    return x.begin != y.begin ? x.begin < y.begin : x.number < y.number;
  });
  Excerpt parts(text, most_bytes);
  std::size_t at = 0;
  for (const MarkedRange& mark : marks) {
    const std::size_t begin = std::max(at, mark.begin);
    const std::size_t end = std::min(mark.end, text.size());
    if (begin >= end) continue;
    parts.run(at, begin, 0);
    parts.run(begin, end, mark.number);
    at = end;
  }
  parts.run(at, text.size(), 0);
  return parts.take();
}

}  // namespace leitong
