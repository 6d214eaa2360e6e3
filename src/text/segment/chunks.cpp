#include "text/segment/chunks.hpp"

namespace leitong {
namespace {

constexpr std::string_view kComma = "\xEF\xBC\x8C", kFullStop = "\xE3\x80\x82";

}  // namespace

bool follows_separator(std::string_view utf8, std::size_t place) {
  if (place == 0) return false;
  const auto last = static_cast<unsigned char>(utf8[place - 1]);
  if (last == ' ' || last == '\t' || last == '\n') return true;
  if (last != 0x8C && last != 0x82) return false;
  return utf8.substr(0, place).ends_with(last == 0x8C ? kComma : kFullStop);
}

std::size_t chunk_end(std::string_view utf8, std::size_t begin) {
  if (utf8.size() - begin <= kChunkBytes) return utf8.size();
  const std::size_t wished = begin + kChunkBytes;
  for (std::size_t end = wished; end > begin + kChunkBytes / 2; --end)
    if (follows_separator(utf8, end)) return end;
  for (std::size_t end = wished + 1; end < utf8.size(); ++end)
    if (follows_separator(utf8, end)) return end;
  return utf8.size();
}

}  // namespace leitong
