#include "index/hamming/search/level_file.hpp"

#include <fmt/core.h>

#include <cstring>

#include "base/try.hpp"
#include "index/hamming/search/level_order.hpp"
#include "index/hamming/search/scheme_section.hpp"

namespace leitong::hamming {
namespace {

struct LevelRecord {
  std::uint32_t bits, distance, fingerprints, rows;
};
struct TableRecord {
  std::uint64_t mask_low, mask_high;
  std::uint64_t directory;  // index of its first element in the section
  std::uint64_t entries;    // index of its first byte in the section
  std::uint32_t radius, code;
};
struct NodeRecord {
  std::uint32_t first_table, tables;
};
struct SplitRecord {
  std::uint32_t table, key, node;
};
static_assert(sizeof(LevelRecord) == 16 && sizeof(TableRecord) == 40 && sizeof(NodeRecord) == 8 &&
              sizeof(SplitRecord) == 12 && sizeof(Group) == 8);

template <Fingerprint F>
F mask_of(const TableRecord& record) noexcept {
  if constexpr (kWords<F> == 1)
    return record.mask_low;
  else
    return {record.mask_low, record.mask_high};
}

template <class T>
std::span<const T> one(const T& value) noexcept {
  return {&value, 1};
}

/// A small section, verified, because it is read at the opening.
template <class T>
Result<std::span<const T>> checked_section(const SectionFile& file, std::string_view name) {
  LEITONG_ASSIGN(const std::span<const T> values, file.section<T>(name));
  LEITONG_TRY(file.check(std::as_bytes(values)));
  return values;
}

tl::unexpected<Error> impossible(const SectionFile& file, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("{}: {}; make the file anew", file.path().string(), what));
}

Result<LevelRecord> read_record(const SectionFile& file) {
  LEITONG_ASSIGN(const auto records, checked_section<LevelRecord>(file, "level"));
  if (records.size() != 1 || (records[0].bits != 64 && records[0].bits != 128))
    return impossible(file, "section \"level\" describes no level");
  return records[0];
}

template <Fingerprint F>
Result<void> read_tables(const SectionFile& file, LevelParts<F>& parts) {
  LEITONG_ASSIGN(const auto tables, checked_section<TableRecord>(file, "tables"));
  LEITONG_ASSIGN(const auto nodes, checked_section<NodeRecord>(file, "nodes"));
  LEITONG_ASSIGN(const auto splits, checked_section<SplitRecord>(file, "splits"));
  LEITONG_ASSIGN(const auto directories, file.section<std::uint32_t>("directories"));
  LEITONG_ASSIGN(const auto entries, file.section<std::uint8_t>("entries"));
  for (const TableRecord& record : tables) {
    TableShape<F> shape{mask_of<F>(record), record.radius, static_cast<BucketCode>(record.code)};
    const bool coded = shape.code == BucketCode::hamming31;
    if (record.radius > kMaxRadius || record.code > 1 || count_ones(shape.mask) > 32 ||
        (coded && (count_ones(shape.mask) != 31 || kBits<F> != 64 || record.radius > 1)))
      return impossible(file, "section \"tables\" has a table of an impossible shape");
    const std::uint64_t size = (std::uint64_t{1} << shape.key_bits()) + 1;
    if (record.directory > directories.size() || size > directories.size() - record.directory)
      return impossible(file, "section \"tables\" has a directory that lies outside");
    const auto directory = directories.subspan(record.directory, size);
    LEITONG_TRY(file.check(std::as_bytes(directory.last(1))));
    const std::uint64_t bytes = std::uint64_t{directory.back()} * shape.entry_bytes() + kEntrySlack;
    if (record.entries > entries.size() || bytes > entries.size() - record.entries)
      return impossible(file, "section \"tables\" has entries that lie outside");
    parts.tables.push_back({shape, directory, entries.data() + record.entries});
  }
  for (const NodeRecord& node : nodes) {
    if (node.tables == 0 || node.first_table > tables.size() ||
        node.tables > tables.size() - node.first_table)
      return impossible(file, "section \"nodes\" has tables that lie outside");
    parts.nodes.push_back({node.first_table, node.tables});
  }
  if (parts.nodes.empty()) return impossible(file, "section \"nodes\" is empty");
  for (const SplitRecord& split : splits) {
    if (split.table >= tables.size() || split.node >= nodes.size())
      return impossible(file, "section \"splits\" has a node that lies outside");
    parts.splits.push_back({split.table, split.key, split.node});
  }
  return check_splits(parts, file.path());
}

template <Fingerprint F>
Result<LevelParts<F>> read_parts(const SectionFile& file) {
  LEITONG_ASSIGN(const LevelRecord record, read_record(file));
  if (record.bits != kBits<F>)
    return fail(ErrorCode::invalid_argument, fmt::format("{}: holds fingerprints of {} bits, not of {}",
                                                         file.path().string(), record.bits, kBits<F>));
  LevelParts<F> parts;
  parts.distance = record.distance;
  parts.fingerprints = record.fingerprints;
  parts.rows = record.rows;
  LEITONG_TRY(read_tables(file, parts));
  LEITONG_ASSIGN(parts.groups, file.section<Group>("groups"));
  LEITONG_ASSIGN(parts.narrow_ids, file.section<std::uint32_t>("ids32"));
  LEITONG_ASSIGN(parts.wide_ids, file.section<std::uint64_t>("ids64"));
  LEITONG_ASSIGN(parts.removed, file.section<Row<F>>("removed"));
  if (record.distance > kMaxDistance || parts.tables[0].directory.back() != record.fingerprints)
    return impossible(file, "section \"level\" contradicts the tables");
  if (parts.narrow_ids.size() + parts.wide_ids.size() != record.rows ||
      (!parts.narrow_ids.empty() && !parts.wide_ids.empty()) || parts.groups.empty())
    return impossible(file, "there isn't one id for each row");
  LEITONG_TRY(file.check(std::as_bytes(parts.groups.last(1))));
  if (parts.groups.back().position != record.fingerprints || record.rows < record.fingerprints ||
      parts.groups.back().surplus != record.rows - record.fingerprints)
    return impossible(file, "section \"groups\" doesn't account for the rows");
  return parts;
}

template <class T>
HugeArray<T> copy_of(std::span<const T> values, std::size_t slack = 0) {
  HugeArray<T> copy(values.size() + slack);
  if (!values.empty()) std::memcpy(copy.data(), values.data(), values.size_bytes());
  return copy;
}

/// Copies the parts to memory.
template <Fingerprint F>
std::unique_ptr<LevelImage<F>> load(const LevelParts<F>& parts) {
  auto image = std::make_unique<LevelImage<F>>();
  image->parts = parts;
  image->tables.resize(parts.tables.size());
  for (std::size_t i = 0; i < parts.tables.size(); ++i) {
    TableParts<F>& table = image->parts.tables[i];
    const std::size_t bytes = std::size_t{table.directory.back()} * table.shape.entry_bytes();
    image->tables[i].directory = copy_of(table.directory);
    image->tables[i].entries = copy_of(std::span(table.entries, bytes), kEntrySlack);
    table.directory = image->tables[i].directory.span();
    table.entries = image->tables[i].entries.data();
  }
  image->groups.assign(parts.groups.begin(), parts.groups.end());
  image->narrow_ids = copy_of(parts.narrow_ids);
  image->wide_ids = copy_of(parts.wide_ids);
  image->removed.assign(parts.removed.begin(), parts.removed.end());
  image->parts.groups = image->groups;
  image->parts.narrow_ids = image->narrow_ids.span();
  image->parts.wide_ids = image->wide_ids.span();
  image->parts.removed = image->removed;
  return image;
}

template <class T>
Result<void> append(SectionWriter& writer, std::span<const T> values) {
  return writer.append({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace

template <Fingerprint F>
Result<void> write_level(const LevelParts<F>& parts, const ByteSink& sink,
                         const std::optional<SchemeId>& scheme) {
  std::vector<TableRecord> tables;
  std::uint64_t directories = 0, entries = 0;
  for (const TableParts<F>& table : parts.tables) {
    const TableShape<F>& shape = table.shape;
    tables.push_back({word(shape.mask, 0), kWords<F> == 2 ? word(shape.mask, 1) : 0, directories, entries,
                      shape.radius, static_cast<std::uint32_t>(shape.code)});
    directories += table.directory.size();
    entries += std::uint64_t{table.directory.back()} * shape.entry_bytes();
  }
  std::vector<NodeRecord> nodes;
  nodes.reserve(parts.nodes.size());
  for (const Node& node : parts.nodes) nodes.push_back({node.first_table, node.tables});
  std::vector<SplitRecord> splits;
  splits.reserve(parts.splits.size());
  for (const Split& split : parts.splits) splits.push_back({split.table, split.key, split.node});
  const LevelRecord record{kBits<F>, parts.distance, parts.fingerprints, parts.rows};

  LEITONG_ASSIGN(SectionWriter writer, SectionWriter::create(sink, kLevelKind, kLevelVersion));
  LEITONG_TRY(writer.section("level", one(record)));
  LEITONG_TRY(writer.section("tables", std::span<const TableRecord>(tables)));
  LEITONG_TRY(writer.section("nodes", std::span<const NodeRecord>(nodes)));
  LEITONG_TRY(writer.section("splits", std::span<const SplitRecord>(splits)));
  LEITONG_TRY(writer.begin("directories"));
  for (const TableParts<F>& table : parts.tables) LEITONG_TRY(append(writer, table.directory));
  LEITONG_TRY(writer.begin("entries"));
  for (const TableParts<F>& table : parts.tables) {
    const std::uint64_t bytes = std::uint64_t{table.directory.back()} * table.shape.entry_bytes();
    LEITONG_TRY(append(writer, std::span(table.entries, bytes)));
  }
  static constexpr std::array<char, kEntrySlack> kZeros{};
  LEITONG_TRY(writer.append({kZeros.data(), kZeros.size()}));
  LEITONG_TRY(writer.section("groups", parts.groups));
  LEITONG_TRY(writer.section("ids32", parts.narrow_ids));
  LEITONG_TRY(writer.section("ids64", parts.wide_ids));
  LEITONG_TRY(writer.section("removed", parts.removed));
  if (scheme) {
    LEITONG_TRY(writer.begin(kSchemeSection));
    LEITONG_TRY(writer.append(scheme_text(*scheme)));
  }
  return writer.finish();
}

Result<unsigned> level_bits(const std::filesystem::path& path) {
  LEITONG_ASSIGN(const SectionFile file, SectionFile::open(path, kLevelKind, kLevelVersion));
  LEITONG_ASSIGN(const LevelRecord record, read_record(file));
  return record.bits;
}

Result<std::optional<SchemeId>> level_scheme(const std::filesystem::path& path) {
  LEITONG_ASSIGN(const SectionFile file, SectionFile::open(path, kLevelKind, kLevelVersion));
  return read_scheme_section(file);
}

template <Fingerprint F>
Result<std::shared_ptr<const Level<F>>> Level<F>::open(const std::filesystem::path& path,
                                                       Residence residence) {
  LEITONG_ASSIGN(SectionFile opened, SectionFile::open(path, kLevelKind, kLevelVersion));
  auto file = std::make_unique<SectionFile>(std::move(opened));
  LEITONG_ASSIGN(LevelParts<F> parts, read_parts<F>(*file));
  if (residence == Residence::mapped)
    return std::shared_ptr<const Level>(new Level(std::move(parts), nullptr, std::move(file)));
  LEITONG_TRY(file->verify());
  LEITONG_TRY(check_directories(parts, file->bytes(), path));
  LEITONG_TRY(check_groups(parts, path));
  return std::make_shared<const Level>(load(parts));
}

template Result<void> write_level(const LevelParts<Fingerprint64>&, const ByteSink&,
                                  const std::optional<SchemeId>&);
template Result<void> write_level(const LevelParts<Fingerprint128>&, const ByteSink&,
                                  const std::optional<SchemeId>&);
template Result<std::shared_ptr<const Level<Fingerprint64>>> Level<Fingerprint64>::open(
    const std::filesystem::path&, Residence);
template Result<std::shared_ptr<const Level<Fingerprint128>>> Level<Fingerprint128>::open(
    const std::filesystem::path&, Residence);

}  // namespace leitong::hamming
