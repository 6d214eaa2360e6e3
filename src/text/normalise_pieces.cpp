#include "text/normalise_pieces.hpp"

#include "text/compose.hpp"

namespace leitong {
namespace {

// Large enough that the cost of cutting does not matter, and small enough that the room reserved for the
// worst case stays in the cache.
constexpr std::size_t kReadPieceBytes = 2048;

void append_point(std::uint32_t c, std::string& utf8) {
  std::uint8_t bytes[4];
  std::uint8_t* end = bytes;
  put_point(c, end);
  utf8.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(end - bytes));
}

}  // namespace

NormalView view_of(const NormalTable& table) {
  return {table.entries.data(), table.expansions.data(), table.ascii.data(), table.drops_invisible};
}

NormalPiece next_piece(const NormalView& view, std::string_view utf8, std::size_t begin) {
  if (utf8.size() - begin <= kReadPieceBytes) return {utf8.size(), false};
  const auto* const text = reinterpret_cast<const std::uint8_t*>(utf8.data());
  const std::uint8_t* latest = text + begin + kReadPieceBytes;
  while (!begins_character(*latest)) --latest;
  const auto offset = [&](const std::uint8_t* p) { return static_cast<std::size_t>(p - text); };
  for (const std::uint8_t* p = latest; offset(latest) - offset(p) < kLongestMarkRun; p = character_before(p))
    if (begins_afresh(view, normal_entry_of(view, decode(p)))) return {offset(p), false};
  return {offset(latest), true};
}

const std::uint8_t* segment_end(const NormalView& view, const std::uint8_t* p, const std::uint8_t* end) {
  while (p < end && !begins_afresh(view, normal_entry_of(view, decode(p)))) p += character_length(*p);
  return p;
}

void compose_segment(const NormalView& view, const std::uint8_t* begin, const std::uint8_t* end,
                     ComposeScratch& scratch) {
  scratch.mapped.clear();
  for (const std::uint8_t* p = begin; p < end; p += character_length(*p)) {
    const std::uint32_t entry = normal_entry_of(view, decode(p));
    switch (normal_kind(entry)) {
      case NormalKind::single:
      case NormalKind::mark:
        append_point(entry & kNormalValue, scratch.mapped);
        break;
      case NormalKind::expansion:
      case NormalKind::composing: {
        const std::uint32_t* list = view.expansions + (entry & kNormalValue);
        for (std::uint32_t i = 1; i <= list[0]; ++i) append_point(list[i], scratch.mapped);
        break;
      }
      case NormalKind::space:
        scratch.mapped += ' ';
        break;
      case NormalKind::dropped:
        break;
    }
  }
  to_nfc(scratch.mapped, scratch.composed);
}

}  // namespace leitong
