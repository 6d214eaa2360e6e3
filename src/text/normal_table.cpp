#include "text/normal_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "text/table_runs.hpp"

namespace leitong {
namespace {

#include "normal_table.inc"

/// A punctuation character and its nearest ASCII character. Neither of the two composes with a mark.
struct AsciiTwin {
  char32_t first, last;
  char twin;
};
constexpr AsciiTwin kAsciiTwins[] = {
    {0x00AB, 0x00AB, '"'},  {0x00B7, 0x00B7, '.'},  {0x00BB, 0x00BB, '"'},  {0x055D, 0x055D, ','},
    {0x0589, 0x0589, '.'},  {0x05BE, 0x05BE, '-'},  {0x05F3, 0x05F3, '\''}, {0x05F4, 0x05F4, '"'},
    {0x060C, 0x060C, ','},  {0x061B, 0x061B, ';'},  {0x061F, 0x061F, '?'},  {0x066A, 0x066A, '%'},
    {0x066B, 0x066C, ','},  {0x06D4, 0x06D4, '.'},  {0x0964, 0x0965, '.'},  {0x1362, 0x1362, '.'},
    {0x1363, 0x1363, ','},  {0x17D4, 0x17D5, '.'},  {0x2010, 0x2015, '-'},  {0x2018, 0x201B, '\''},
    {0x201C, 0x201F, '"'},  {0x2022, 0x2022, '.'},  {0x2027, 0x2027, '.'},  {0x2032, 0x2032, '\''},
    {0x2035, 0x2035, '\''}, {0x2039, 0x203A, '\''}, {0x2043, 0x2043, '-'},  {0x2044, 0x2044, '/'},
    {0x2212, 0x2212, '-'},  {0x2215, 0x2215, '/'},  {0x2E3A, 0x2E3B, '-'},  {0x3001, 0x3001, ','},
    {0x3002, 0x3002, '.'},  {0x3008, 0x300F, '"'},  {0x3010, 0x3010, '['},  {0x3011, 0x3011, ']'},
    {0x3014, 0x3014, '['},  {0x3015, 0x3015, ']'},  {0x3016, 0x3016, '['},  {0x3017, 0x3017, ']'},
    {0x3018, 0x3018, '['},  {0x3019, 0x3019, ']'},  {0x301A, 0x301A, '['},  {0x301B, 0x301B, ']'},
    {0x301C, 0x301C, '~'},  {0x301D, 0x301F, '"'},  {0x3030, 0x3030, '~'},  {0x30FB, 0x30FB, '.'},
};

/// Maps each code point of NFKC to its result under the options; with run_space_together ' ' means any white
/// space.
std::vector<std::uint32_t> point_map(const NormaliseOptions& options) {
  std::vector<std::uint32_t> map(kFoldLimit);
  std::iota(map.begin(), map.end(), 0u);
  const auto to_space = [&](std::span<const PointRange> ranges) {
    for (const PointRange& range : ranges)
      std::fill(map.begin() + range.begin, map.begin() + range.end, std::uint32_t{' '});
  };
  if (options.simplify)
    for (const auto& [from, to] : kSimplified) map[from] = to;
  if (options.punctuation == Punctuation::fold)
    for (const AsciiTwin& twins : kAsciiTwins)
      std::fill(map.begin() + twins.first, map.begin() + twins.last + 1,
                static_cast<std::uint32_t>(twins.twin));
  if (options.punctuation == Punctuation::space) to_space(kPunctuation);
  if (options.run_space_together) to_space(kWhite);
  return map;
}

}  // namespace

NormalTable::NormalTable(const NormaliseOptions& options)
    : ascii{},
      entries(options.fold_case ? expand_runs(kCasefoldRuns) : expand_runs(kNfkcRuns)),
      expansions(std::begin(kNormalLists), std::end(kNormalLists)),
      drops_invisible(options.drop_invisible) {
  const std::vector<std::uint32_t> map = point_map(options);
  for (std::size_t i = 0; i < expansions.size(); i += expansions[i] + 1)
    for (std::uint32_t j = 1; j <= expansions[i]; ++j) expansions[i + j] = map[expansions[i + j]];

  const std::uint32_t space = options.run_space_together ? normal_entry(NormalKind::space, ' ')
                                                         : normal_entry(NormalKind::single, ' ');
  for (std::uint32_t& entry : entries) {
    if (normal_kind(entry) == NormalKind::single) {
      const std::uint32_t to = map[entry];
      entry = to == ' ' ? space : to;
    } else if (normal_kind(entry) == NormalKind::expansion) {
      // An expansion with a space inside is left to the slow path, which knows what precedes it.
      const std::uint32_t* list = expansions.data() + (entry & kNormalValue);
      if (std::find(list + 1, list + 1 + list[0], std::uint32_t{' '}) != list + 1 + list[0])
        entry = normal_entry(NormalKind::composing, entry & kNormalValue);
    }
  }
  if (options.drop_invisible)
    for (const PointRange& range : kInvisible)
      std::fill(entries.begin() + range.begin, entries.begin() + range.end,
                normal_entry(NormalKind::dropped, 0));
  for (std::uint32_t c = 0; c < ascii.size(); ++c) {
    const NormalKind kind = normal_kind(entries[c]);
    ascii[c] = kind == NormalKind::space     ? kAsciiSpace
               : kind == NormalKind::dropped ? kAsciiDropped
                                             : static_cast<std::uint8_t>(entries[c]);
  }
}

std::uint64_t normal_table_id() {
  const NormalTable table{NormaliseOptions()};
  const std::uint64_t lists =
      XXH3_64bits(table.expansions.data(), table.expansions.size() * sizeof table.expansions[0]);
  return XXH3_64bits_withSeed(table.entries.data(), table.entries.size() * sizeof table.entries[0], lists);
}

}  // namespace leitong
