#include "io/restorable_file.hpp"

#include <fmt/core.h>

#include <cstring>
#include <utility>

#include "base/packing.hpp"
#include "base/try.hpp"
#include "io/numbers.hpp"
#include "io/restorable_sections.hpp"

namespace leitong {
namespace {

constexpr std::string_view kCopyAgain = "copy it again from where it came from, or run dedup again";

std::span<const std::byte> as_bytes(std::span<const char> bytes) { return std::as_bytes(bytes); }

}  // namespace

void pack_source(const RestorableSource& source, std::string& out) {
  Packer packer(out);
  packer.text(source.path);
  packer.text(source.lost);
  packer.value<std::uint8_t>(
      static_cast<std::uint8_t>((source.stored ? 1 : 0) | (source.kept ? 2 : 0) | source.table << 2));
  packer.value(source.size);
  packer.value(source.kept_bytes);
  packer.value(source.hash);
}

Result<RestorableFile> RestorableFile::open(const std::filesystem::path& path) {
  LEITONG_ASSIGN(SectionFile mapped,
                 SectionFile::open(path, kRestorableKind, kRestorableVersion, kCopyAgain));
  RestorableFile file(std::move(mapped));
  LEITONG_ASSIGN(file.packed_, file.file_.section<char>(kBlocksSection));
  LEITONG_ASSIGN(file.ends_, file.file_.section<std::uint64_t>(kBlockEndsSection));
  LEITONG_TRY(file.file_.check(std::as_bytes(file.ends_)));
  LEITONG_ASSIGN(file.tables_, file.file_.section<char>(kTablesSection));
  LEITONG_ASSIGN(file.table_ends_, file.file_.section<TableEnds>(kTableEndsSection));
  LEITONG_TRY(file.file_.check(std::as_bytes(file.table_ends_)));
  std::uint64_t before = 0;
  const auto lies_outside = [&](std::uint64_t end, std::uint64_t size) {
    return end < std::exchange(before, end) || end > size;
  };
  bool outside = false;
  for (const std::uint64_t end : file.ends_) outside |= lies_outside(end, file.packed_.size());
  before = 0;
  for (const TableEnds& ends : file.table_ends_)
    for (const std::uint64_t end : {ends.rows, ends.runs, ends.names})
      outside |= lies_outside(end, file.tables_.size());
  if (outside)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: a block or table that lies outside; {}", file.path(), kCopyAgain));
  LEITONG_ASSIGN(const auto facts, file.file_.section<std::uint64_t>(kFactsSection));
  LEITONG_TRY(file.file_.check(std::as_bytes(facts)));
  if (facts.size() != 4 || facts[0] > static_cast<std::uint64_t>(KeptForm::documents))
    return fail(ErrorCode::corrupt, fmt::format("{}: unknown facts; {}", file.path(), kCopyAgain));
  file.facts_ = {static_cast<KeptForm>(facts[0]), facts[1] != 0, facts[2], facts[3]};
  LEITONG_TRY(file.read_sources());
  return file;
}

Result<void> RestorableFile::read_sources() {
  LEITONG_ASSIGN(const auto bytes, file_.section<char>(kSourcesSection));
  LEITONG_TRY(file_.check(as_bytes(bytes)));
  Unpacker unpacker({bytes.data(), bytes.size()});
  const auto count = unpacker.value<std::uint64_t>();
  constexpr std::uint64_t kLeast = 41;  // bytes of a source without a path
  if (count > bytes.size() / kLeast)
    return fail(ErrorCode::corrupt, fmt::format("{}: too many sources; {}", path(), kCopyAgain));
  sources_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    RestorableSource source;
    source.path = unpacker.text();
    source.lost = unpacker.text();
    const auto flags = unpacker.value<std::uint8_t>();
    source.stored = (flags & 1) != 0;
    source.kept = (flags & 2) != 0;
    source.table = flags >> 2;
    source.size = unpacker.value<std::uint64_t>();
    source.kept_bytes = unpacker.value<std::uint64_t>();
    source.hash = unpacker.value<std::uint64_t>();
    sources_.push_back(std::move(source));
  }
  if (!unpacker.done())
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the list of sources doesn't fit; {}", path(), kCopyAgain));
  return {};
}

Result<RestorableTable> RestorableFile::table(std::size_t number) const {
  if (number >= table_ends_.size())
    return fail(ErrorCode::corrupt, fmt::format("{}: a table is missing; {}", path(), kCopyAgain));
  const std::uint64_t begin = number == 0 ? 0 : table_ends_[number - 1].names;
  const TableEnds& ends = table_ends_[number];
  LEITONG_TRY(file_.check(as_bytes(tables_.subspan(begin, ends.names - begin))));
  const auto view = [&](std::uint64_t from, std::uint64_t to) {
    return std::string_view(tables_.data() + from, to - from);
  };
  return RestorableTable{view(begin, ends.rows), view(ends.rows, ends.runs), view(ends.runs, ends.names),
                         ends.kept_hash};
}

Result<void> for_each_run(std::string_view runs, const std::function<Result<void>(const RowRun& run)>& each) {
  NumberReader numbers(runs);
  while (!numbers.left().empty()) {
    const std::uint64_t kept = numbers.next(), left = numbers.next();
    if (numbers.bad()) return fail(ErrorCode::corrupt, "the runs of rows end in the middle of a number");
    // A run of no rows that left ends the table or has a changed row behind it.
    LEITONG_TRY(each({kept, left, left == 0 && !numbers.left().empty()}));
  }
  return {};
}

Result<std::string_view> RestorableFile::block(std::size_t number) const {
  const std::uint64_t begin = number == 0 ? 0 : ends_[number - 1];
  const std::span<const char> bytes = packed_.subspan(begin, ends_[number] - begin);
  LEITONG_TRY(file_.check(as_bytes(bytes)));
  return std::string_view(bytes.data(), bytes.size());
}

}  // namespace leitong
