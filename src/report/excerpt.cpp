#include "report/excerpt.hpp"

#include <algorithm>

namespace leitong {
namespace {

// A run of up to kWhole bytes is shown completely; of a longer one both ends, where it meets the differences.
// With little room, less of each run is shown, so that one does not take the room of the others.
constexpr std::size_t kWhole = 1200;
constexpr std::size_t kLeastWhole = 240;
// Parts that must be shown have so many bytes around them.
constexpr std::size_t kAround = 48;

std::size_t whole_run(std::size_t most_bytes) noexcept {
  if (most_bytes == SIZE_MAX) return SIZE_MAX;  // everything is shown
  return std::clamp(most_bytes / 4, kLeastWhole, kWhole);
}

bool continues(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::size_t character_start(std::string_view text, std::size_t at) noexcept {
  // The longest sequence has four bytes; more continuation bytes are not UTF-8 and may be cut anywhere.
  for (std::size_t back = 0; back < 4 && at >= back; ++back)
    if (at - back >= text.size() || !continues(text[at - back])) return at - back;
  return at;
}

// The parts that must be shown, with their surroundings, as far as they fit in three quarters of the room;
// earlier entries of `seen` have priority. In order, without overlap.
std::vector<ByteRange> reserve(std::string_view text, std::span<const ByteRange> seen, std::size_t room) {
  std::vector<ByteRange> reserved;
  std::size_t left = room / 4 * 3;
  for (const ByteRange& range : seen) {
    if (range.begin >= std::min(range.end, text.size())) continue;
    const std::size_t begin = character_start(text, range.begin - std::min(kAround, range.begin));
    const std::size_t wanted = std::min(range.end + kAround, text.size());
    const std::size_t end = character_start(text, std::min(wanted, begin + left));
    if (end <= range.begin) break;
    reserved.push_back({begin, end});
    left -= end - begin;
  }
  std::sort(reserved.begin(), reserved.end(),
            [](const ByteRange& x, const ByteRange& y) { return x.begin < y.begin; });
  std::size_t count = 0;
  for (const ByteRange& range : reserved) {
    if (count > 0 && range.begin <= reserved[count - 1].end)
      reserved[count - 1].end = std::max(reserved[count - 1].end, range.end);
    else
      reserved[count++] = range;
  }
  reserved.resize(count);
  return reserved;
}

class Excerpt {
 public:
  Excerpt(std::string_view text, const ExcerptRoom& room)
      : text_(text),
        reserved_(reserve(text, room.seen, room.bytes)),
        compared_(room.compared),
        whole_(whole_run(room.bytes)) {
    for (const ByteRange& range : reserved_) set_aside_ += range.end - range.begin;
    free_ = room.bytes - set_aside_;
  }

  void run(std::size_t begin, std::size_t end, std::uint32_t passage) {
    while (begin < end) {
      while (next_ < reserved_.size() && reserved_[next_].end <= begin) ++next_;
      const bool is_reserved = next_ < reserved_.size() && reserved_[next_].begin <= begin;
      std::size_t to = end;
      if (next_ < reserved_.size())
        to = std::min(end, is_reserved ? reserved_[next_].end : reserved_[next_].begin);
      if (is_reserved)
        show(begin, to, passage, set_aside_);
      else
        ordinary(begin, to, passage);
      begin = to;
    }
  }
  std::vector<ExcerptPart> take() { return std::move(parts_); }

 private:
  void ordinary(std::size_t begin, std::size_t end, std::uint32_t passage) {
    if (end > compared_) {
      if (begin < compared_) ordinary(begin, compared_, passage);
      return skip(end - std::max(begin, compared_), passage);
    }
    if (end - begin <= whole_) return show(begin, end, passage, free_);
    const std::size_t head = std::max(begin, character_start(text_, begin + ends_));
    const std::size_t tail = std::max(head, character_start(text_, end - ends_));
    show(begin, head, passage, free_);
    skip(tail - head, passage);
    show(tail, end, passage, free_);
  }
  void show(std::size_t begin, std::size_t end, std::uint32_t passage, std::size_t& room) {
    const std::string_view fits = utf8_prefix(text_.substr(begin, end - begin), room);
    if (!fits.empty()) {
      // Adjacent pieces that were only cut to be shown for certain become one part.
      if (!parts_.empty() && parts_.back().skipped == 0 && parts_.back().passage == passage &&
          begin == shown_to_)
        parts_.back().text = {parts_.back().text.data(), parts_.back().text.size() + fits.size()};
      else
        parts_.push_back({fits, passage, 0});
      shown_to_ = begin + fits.size();
    }
    room -= fits.size();
    if (fits.size() < end - begin) {
      room = 0;
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
  std::vector<ByteRange> reserved_;
  std::size_t next_ = 0;  // of these
  std::size_t compared_;
  std::size_t whole_;
  std::size_t ends_ = whole_ * 3 / 10;
  std::size_t set_aside_ = 0, free_ = 0;  // bytes that can still be shown: of the reserved parts, of the rest
  std::size_t shown_to_ = 0;
  std::vector<ExcerptPart> parts_;
};

}  // namespace

std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes) noexcept {
  return text.size() <= most_bytes ? text : text.substr(0, character_start(text, most_bytes));
}

std::vector<ExcerptPart> excerpt(std::string_view text, std::vector<MarkedRange> marks,
                                 const ExcerptRoom& room) {
  std::sort(marks.begin(), marks.end(), [](const MarkedRange& x, const MarkedRange& y) {
    return x.begin != y.begin ? x.begin < y.begin : x.number < y.number;
  });
  Excerpt parts(text, room);
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
