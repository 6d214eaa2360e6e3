#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/packing.hpp"
#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/numbers.hpp"
#include "io/restorable_file.hpp"
#include "io/restorable_sections.hpp"

namespace leitong {
namespace {

// Smaller blocks repeat their tables. Larger ones take longer to search and find nothing more, because the
// kept text for a difference is in the same block. Bytes without such a text are better in a longer block.
constexpr std::uint64_t kDifferenceBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kPlainWeight = kRestorePart / kDifferenceBytes;
/// Restored bytes with one hash.
constexpr std::uint64_t kMostRestored = std::uint64_t{16} << 20;
constexpr std::size_t kMostNames = std::size_t{1} << 20;
/// A longer name cannot be asked for.
constexpr std::size_t kLongestName = std::size_t{64} << 10;
/// If the kept text is so many times longer than the record, a difference costs more time than it saves
/// bytes.
constexpr std::uint64_t kTimesLonger = 64;
constexpr std::uint64_t kShortBase = std::uint64_t{64} << 10;
/// Of a longer kept text only the part that corresponds to the record's, and its surroundings, are used.
constexpr std::uint64_t kAround = kRestorePart;
/// Blocks that wait to be packed in parallel: bytes of content and bases.
constexpr std::uint64_t kWaiting = std::uint64_t{16} << 20;

/// A block that is being written, and where its bases are read.
struct Draft {
  struct Place {
    std::uint32_t record;
    std::uint64_t begin;
  };
  static constexpr std::uint32_t kNoBase = UINT32_MAX;

  RestoreBlock block;
  std::vector<Place> places;           // of block.bases
  std::vector<std::uint32_t> base_of;  // for each step; kNoBase if it has none
  std::uint64_t base_bytes = 0, weight = 0;
};

/// The memory of zstd at this level, as measured: its tables grow with the bytes up to a limit.
std::uint64_t memory_to_pack(const Draft& draft) {
  constexpr std::uint64_t kTimesBytes = 24, kMostTables = std::uint64_t{32} << 20;
  return std::min(kMostTables, kTimesBytes * (draft.block.content.size() + draft.base_bytes)) +
         draft.base_bytes;
}

/// Records that equal their base become references to it.
void point_to_copies(Draft& draft, std::string_view bases) {
  RestoreBlock& block = draft.block;
  std::vector<std::size_t> begins;
  for (std::size_t begin = 0; const KeptStretch& base : block.bases) {
    begins.push_back(begin);
    begin += base.size;
  }
  std::size_t from = 0, to = 0;
  for (std::size_t i = 0; i < block.steps.size(); ++i) {
    RestoreStep& step = block.steps[i];
    if (!step.has_content()) continue;
    const std::size_t size = step.value;
    const std::uint32_t base = draft.base_of[i];
    const bool is_whole = step.kind == RestoreStep::Kind::record &&
                          (i + 1 == block.steps.size() || block.steps[i + 1].kind != RestoreStep::Kind::part);
    if (is_whole && base != Draft::kNoBase &&
        std::string_view(block.content).substr(from, size) ==
            bases.substr(begins[base], block.bases[base].size)) {
      step = {RestoreStep::Kind::same, base};
    } else {
      if (from != to)
        std::copy_n(block.content.begin() + static_cast<std::ptrdiff_t>(from), size,
                    block.content.begin() + static_cast<std::ptrdiff_t>(to));
      to += size;
    }
    from += size;
  }
  block.content.resize(to);
}

}  // namespace

struct RestorableWriter::Impl {
  Impl(SectionWriter writer, std::function<ReadBase()> reader, std::uint64_t memory_for_blocks,
       StopToken stop_token)
      : sections(std::move(writer)),
        new_reader(std::move(reader)),
        memory(memory_for_blocks),
        stop(stop_token) {
    XXH3_64bits_reset(&block_hash);
    XXH3_64bits_reset(&source_hash);
  }

  Result<void> make_room(std::size_t content, std::size_t base) {
    const RestoreBlock& block = draft.block;
    if (block.content.size() + content > kMostContent || draft.base_bytes + base > kMostBases)
      return end_block();
    return {};
  }

  /// The number of the part of the base that probably holds these bytes, or kNoBase.
  Result<std::uint32_t> add_base(const std::optional<Base>& base, std::uint64_t begin, std::uint64_t size,
                                 std::size_t content);

  /// Ends the blocks before, if they have not ended.
  Result<void> append_to_tables(std::string_view bytes);
  void end_run() {
    put_number(std::exchange(kept_rows, 0), runs);
    put_number(std::exchange(left_rows, 0), runs);
  }

  void hash_bytes(std::string_view bytes) {
    draft.block.restored += bytes.size();
    source.size += bytes.size();
    XXH3_64bits_update(&block_hash, bytes.data(), bytes.size());
    XXH3_64bits_update(&source_hash, bytes.data(), bytes.size());
  }

  void add_step(RestoreStep::Kind kind, std::uint64_t value, std::uint32_t base = Draft::kNoBase) {
    draft.block.steps.push_back({kind, value});
    draft.base_of.push_back(base);
  }

  Result<void> add_content(RestoreStep::Kind kind, std::string_view bytes, std::uint32_t base) {
    add_step(kind, bytes.size(), base);
    draft.block.content += bytes;
    draft.block.checksums.push_back(record_checksum(bytes));
    draft.weight += bytes.size() * (base == Draft::kNoBase ? 1 : kPlainWeight);
    hash_bytes(bytes);
    return end_full_block();
  }

  Result<void> end_full_block() {
    const RestoreBlock& block = draft.block;
    // A skip, a copy and a record may be added before the next check.
    const bool is_full = draft.weight >= kRestorePart || block.restored >= kMostRestored ||
                         block.steps.size() + 4 > kMostSteps || block.names.size() >= kMostNames;
    return is_full ? end_block() : Result<void>{};
  }

  Result<void> end_block() {
    if (draft.block.steps.empty()) return {};
    draft.block.hash = XXH3_64bits_digest(&block_hash);
    XXH3_64bits_reset(&block_hash);
    waiting_bytes += draft.block.content.size() + draft.base_bytes;
    waiting.push_back(std::exchange(draft, {}));
    return waiting_bytes >= kWaiting ? write_blocks() : Result<void>{};
  }

  /// The working space of a thread that packs blocks.
  struct Press {
    explicit Press(ReadBase reader) : read(std::move(reader)) {}

    Result<void> pack(Draft& draft, std::string& out) {
      bases.resize(draft.base_bytes);
      char* to = bases.data();
      for (std::size_t i = 0; i < draft.places.size(); ++i) {
        const auto size = static_cast<std::size_t>(draft.block.bases[i].size);
        LEITONG_TRY(read(draft.places[i].record, draft.places[i].begin, size, to));
        to += size;
      }
      point_to_copies(draft, bases);
      return encoder.encode(draft.block, bases, out);
    }

    BlockEncoder encoder;
    ReadBase read;
    std::string bases;
  };

  Result<void> write_blocks() {
    std::vector<std::string> packed(waiting.size());
    for (std::size_t first = 0, last = 0; first < waiting.size(); first = last) {
      for (std::uint64_t bytes = 0; last < waiting.size() && (last == first || bytes < memory); ++last)
        bytes += memory_to_pack(waiting[last]);
      LEITONG_TRY(parallel_for_each(
          stop, last - first, [&] { return std::make_unique<Press>(new_reader()); },
          [&](std::size_t i, const std::unique_ptr<Press>& press) {
            return press->pack(waiting[first + i], packed[first + i]);
          }));
    }
    for (const std::string& block : packed) {
      LEITONG_TRY(sections.append(block));
      written += block.size();
      ends.push_back(written);
    }
    waiting.clear();
    waiting_bytes = 0;
    return {};
  }

  SectionWriter sections;
  std::function<ReadBase()> new_reader;
  std::uint64_t memory;
  StopToken stop;
  Draft draft;
  XXH3_state_t block_hash, source_hash;
  std::vector<Draft> waiting;
  std::uint64_t waiting_bytes = 0;
  std::uint64_t kept_at = 0;  // kept bytes at which the next copy would continue
  std::uint64_t written = 0;
  std::vector<std::uint64_t> ends;
  RestorableSource source;
  std::uint64_t sources = 0, records = 0;
  std::string packed_sources;
  // For tables.
  bool blocks_ended = false;
  std::uint64_t table_bytes = 0;
  std::string runs, names;
  std::uint64_t kept_rows = 0, left_rows = 0;  // of the present run
  bool ends_changed = false;                   // true if the run before ended with a changed row
  std::vector<RestorableFile::TableEnds> table_ends;
};

RestorableWriter::RestorableWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RestorableWriter::~RestorableWriter() = default;

Result<std::unique_ptr<RestorableWriter>> RestorableWriter::create(ByteSink sink,
                                                                   std::function<ReadBase()> new_reader,
                                                                   std::uint64_t memory, StopToken stop) {
  LEITONG_ASSIGN(SectionWriter sections,
                 SectionWriter::create(std::move(sink), kRestorableKind, kRestorableVersion));
  LEITONG_TRY(sections.begin(kBlocksSection));
  return std::unique_ptr<RestorableWriter>(
      new RestorableWriter(std::make_unique<Impl>(std::move(sections), std::move(new_reader), memory, stop)));
}

void RestorableWriter::begin_source(std::string_view path, bool stored, std::uint8_t table) {
  impl_->source = {};
  impl_->source.path = path;
  impl_->source.stored = stored;
  impl_->source.table = table;
  XXH3_64bits_reset(&impl_->source_hash);
}

Result<void> RestorableWriter::copied(std::uint64_t kept_begin, std::string_view bytes) {
  Impl& in = *impl_;
  if (bytes.empty()) return {};
  if (kept_begin != in.kept_at) in.add_step(RestoreStep::Kind::skipped, kept_begin - in.kept_at);
  auto& steps = in.draft.block.steps;
  if (!steps.empty() && steps.back().kind == RestoreStep::Kind::copied)
    steps.back().value += bytes.size();
  else
    in.add_step(RestoreStep::Kind::copied, bytes.size());
  in.kept_at = kept_begin + bytes.size();
  in.hash_bytes(bytes);
  return in.end_full_block();
}

Result<std::uint32_t> RestorableWriter::Impl::add_base(const std::optional<Base>& base, std::uint64_t begin,
                                                       std::uint64_t size, std::size_t content) {
  std::uint64_t from = 0, length = base ? base->size : 0;
  if (length > std::max(kShortBase, kTimesLonger * size)) length = 0;
  if (length > 0 && (size > kRestorePart || length > 3 * kAround)) {
    const auto middle = static_cast<std::uint64_t>(static_cast<double>(begin) / static_cast<double>(size) *
                                                   static_cast<double>(length));
    from = middle > kAround ? middle - kAround : 0;
    length = std::min(length - std::min(from, length), middle - from + 2 * kAround);
  }
  LEITONG_TRY(make_room(content, length));
  if (length == 0) return Draft::kNoBase;
  auto& bases = draft.block.bases;
  const KeptStretch stretch{base->kept_begin + from, length};
  const auto known = std::find(bases.rbegin(), bases.rend(), stretch);
  if (known != bases.rend()) return static_cast<std::uint32_t>(bases.rend() - known - 1);
  bases.push_back(stretch);
  draft.places.push_back({base->record, from});
  draft.base_bytes += length;
  return static_cast<std::uint32_t>(bases.size() - 1);
}

Result<void> RestorableWriter::removed(std::string_view name, const std::optional<Base>& base,
                                       std::uint64_t begin, std::uint64_t size, std::string_view bytes) {
  Impl& in = *impl_;
  LEITONG_ASSIGN(const std::uint32_t number, in.add_base(base, begin, size, bytes.size()));
  if (begin > 0) return in.add_content(RestoreStep::Kind::part, bytes, number);
  ++in.records;
  if (name.size() <= kLongestName) in.draft.block.names += name;
  in.draft.block.names += '\0';
  return in.add_content(RestoreStep::Kind::record, bytes, number);
}

Result<void> RestorableWriter::changed(const Base& base, std::uint64_t begin, std::uint64_t size,
                                       std::string_view bytes) {
  LEITONG_ASSIGN(const std::uint32_t number, impl_->add_base(base, begin, size, bytes.size()));
  return impl_->add_content(RestoreStep::Kind::between, bytes, number);
}

Result<void> RestorableWriter::between(std::string_view bytes) {
  if (bytes.empty()) return {};
  LEITONG_TRY(impl_->make_room(bytes.size(), 0));
  return impl_->add_content(RestoreStep::Kind::between, bytes, Draft::kNoBase);
}

Result<void> RestorableWriter::end_source(std::uint64_t kept_bytes, bool kept, std::string_view lost) {
  Impl& in = *impl_;
  in.add_step(RestoreStep::Kind::source_end, 0);
  in.source.kept_bytes = kept_bytes;
  in.source.kept = kept;
  in.source.lost = lost;
  in.source.hash = XXH3_64bits_digest(&in.source_hash);
  pack_source(in.source, in.packed_sources);
  ++in.sources;
  return in.end_full_block();
}

Result<void> RestorableWriter::Impl::append_to_tables(std::string_view bytes) {
  if (!std::exchange(blocks_ended, true)) {
    LEITONG_TRY(end_block());
    LEITONG_TRY(write_blocks());
    LEITONG_TRY(sections.begin(kTablesSection));
  }
  table_bytes += bytes.size();
  return sections.append(bytes);
}

Result<void> RestorableWriter::rows(std::string_view bytes) { return impl_->append_to_tables(bytes); }

void RestorableWriter::row_stays() {
  Impl& in = *impl_;
  if (in.left_rows > 0) in.end_run();
  ++in.kept_rows;
}

void RestorableWriter::row_left(std::string_view name) {
  Impl& in = *impl_;
  ++in.left_rows;
  in.records += !name.empty();
  in.names.append(name).push_back('\0');
}

void RestorableWriter::row_changed() {
  Impl& in = *impl_;
  if (in.left_rows > 0) in.end_run();
  in.end_run();
  in.ends_changed = true;
  in.names.push_back('\0');
}

Result<void> RestorableWriter::end_table(std::uint64_t kept_hash) {
  Impl& in = *impl_;
  // One more run tells that a changed row is not the end.
  if (in.kept_rows + in.left_rows > 0 || std::exchange(in.ends_changed, false)) in.end_run();
  RestorableFile::TableEnds ends{.rows = in.table_bytes, .runs = 0, .names = 0, .kept_hash = kept_hash};
  LEITONG_TRY(in.append_to_tables(std::exchange(in.runs, {})));
  ends.runs = in.table_bytes;
  LEITONG_TRY(in.append_to_tables(std::exchange(in.names, {})));
  ends.names = in.table_bytes;
  in.table_ends.push_back(ends);
  return {};
}

Result<void> RestorableWriter::finish(RestorableFacts facts) {
  Impl& in = *impl_;
  LEITONG_TRY(in.append_to_tables({}));
  LEITONG_TRY(
      in.sections.section(kTableEndsSection, std::span<const RestorableFile::TableEnds>(in.table_ends)));
  LEITONG_TRY(in.sections.section(kBlockEndsSection, std::span<const std::uint64_t>(in.ends)));
  LEITONG_TRY(in.sections.begin(kSourcesSection));
  std::string count;
  Packer(count).value(in.sources);
  LEITONG_TRY(in.sections.append(count));
  LEITONG_TRY(in.sections.append(in.packed_sources));
  const std::array<std::uint64_t, 4> packed = {static_cast<std::uint64_t>(facts.form), facts.null_separated,
                                               facts.kept_bytes, in.records};
  LEITONG_TRY(in.sections.section(kFactsSection, std::span<const std::uint64_t>(packed)));
  return in.sections.finish();
}

}  // namespace leitong
