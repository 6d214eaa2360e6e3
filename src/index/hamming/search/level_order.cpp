#include "index/hamming/search/level_order.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "base/try.hpp"

namespace leitong::hamming {
namespace {

tl::unexpected<Error> impossible(const std::filesystem::path& path, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("{}: {}; make the file anew", path.string(), what));
}

}  // namespace

template <Fingerprint F>
Result<void> check_buckets(const TableParts<F>& table, std::size_t first, std::size_t count,
                           const std::filesystem::path& path) {
  const auto part = table.directory.subspan(first, count);
  if (!std::is_sorted(part.begin(), part.end()) || part.back() > table.directory.back())
    return impossible(path, "section \"directories\" has buckets that don't rise");
  return {};
}

template <Fingerprint F>
Result<void> check_directories(const LevelParts<F>& parts, std::span<const std::byte> bytes,
                               const std::filesystem::path& path) {
  const std::less<const std::byte*> before;
  for (const TableParts<F>& table : parts.tables) {
    const auto all = std::as_bytes(table.directory);
    const std::byte* const begin = std::max(bytes.data(), all.data(), before);
    const std::byte* const end = std::min(bytes.data() + bytes.size(), all.data() + all.size(), before);
    if (!before(begin, end)) continue;
    auto first = static_cast<std::size_t>(begin - all.data()) / sizeof(std::uint32_t);
    const auto last = (static_cast<std::size_t>(end - all.data()) - 1) / sizeof(std::uint32_t);
    if (first > 0) --first;
    LEITONG_TRY(check_buckets(table, first, last + 1 - first, path));
  }
  return {};
}

template <Fingerprint F>
Result<void> check_splits(const LevelParts<F>& parts, const std::filesystem::path& path) {
  std::vector<bool> taken(parts.nodes.size());
  const Split* last = nullptr;
  for (const Split& split : parts.splits) {
    const bool rises =
        last == nullptr || last->table < split.table || (last->table == split.table && last->key < split.key);
    if (!rises || parts.nodes[split.node].first_table <= split.table || taken[split.node])
      return impossible(path, "section \"splits\" has buckets that don't rise, or share a node");
    taken[split.node] = true;
    last = &split;
  }
  return {};
}

template <Fingerprint F>
Result<void> check_groups(const LevelParts<F>& parts, const std::filesystem::path& path) {
  const Group& last = parts.groups.back();
  const bool rise = std::ranges::adjacent_find(parts.groups, [](const Group& x, const Group& y) {
                      return x.position >= y.position || x.surplus > y.surplus;
                    }) == parts.groups.end();
  if (!rise || last.position != parts.fingerprints || last.surplus != parts.rows - parts.fingerprints)
    return impossible(path, "section \"groups\" doesn't account for the rows");
  return {};
}

template Result<void> check_buckets(const TableParts<Fingerprint64>&, std::size_t, std::size_t,
                                    const std::filesystem::path&);
template Result<void> check_buckets(const TableParts<Fingerprint128>&, std::size_t, std::size_t,
                                    const std::filesystem::path&);
template Result<void> check_directories(const LevelParts<Fingerprint64>&, std::span<const std::byte>,
                                        const std::filesystem::path&);
template Result<void> check_directories(const LevelParts<Fingerprint128>&, std::span<const std::byte>,
                                        const std::filesystem::path&);
template Result<void> check_splits(const LevelParts<Fingerprint64>&, const std::filesystem::path&);
template Result<void> check_splits(const LevelParts<Fingerprint128>&, const std::filesystem::path&);
template Result<void> check_groups(const LevelParts<Fingerprint64>&, const std::filesystem::path&);
template Result<void> check_groups(const LevelParts<Fingerprint128>&, const std::filesystem::path&);

}  // namespace leitong::hamming
