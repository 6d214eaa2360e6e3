#include "job/repeated_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/packing.hpp"
#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "dedup/stream_batches.hpp"
#include "io/shard_log.hpp"
#include "text/packed_units.hpp"
#include "text/text_parts.hpp"
#include "text/units.hpp"
#include "trim/repeated_runs.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kUsualRun = 100;
/// The log of what is read.
constexpr const char* kKeysStage = "keys";
constexpr std::uint32_t kKeysVersion = 1;
/// Documents whose runs are looked at by one thread at a time.
constexpr std::size_t kDocumentsAtATime = 64;

/// One bit for each document; any number of threads may set bits at once.
class DocumentMarks {
 public:
  explicit DocumentMarks(std::uint64_t documents)
      : words_(std::make_unique<std::atomic<std::uint64_t>[]>(documents / 64 + 1)) {}
  void set(DocId document) noexcept {
    words_[document / 64].fetch_or(std::uint64_t{1} << document % 64, std::memory_order_relaxed);
  }
  [[nodiscard]] bool operator[](DocId document) const noexcept {
    return (words_[document / 64].load(std::memory_order_relaxed) >> document % 64 & 1) != 0;
  }

 private:
  std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
};

/// A batch on its way.
struct TrimBatch {
  std::unique_ptr<RecordBatch> batch;
  std::size_t number = 0;           // in input order
  PodVector<std::uint64_t> words;   // for each part hash and number, or the keys
  std::vector<std::uint64_t> ends;  // of each document's words
  // Of passages:
  std::vector<std::uint32_t> units;      // of each document
  PodVector<std::uint16_t> packed;       // units of the documents
  std::vector<std::size_t> packed_ends;  // of each of them
  std::uint64_t text_bytes = 0;
  std::string record;  // for the stages
  Result<void> state;
};

void pack(TrimBatch& item, const DocumentSource& source) {
  std::string state;
  source.save(*item.batch, state);
  Packer packer(item.record);
  packer.text(state);
  packer.array(std::span<const std::uint64_t>(item.words));
  packer.array(std::span<const std::uint64_t>(item.ends));
  packer.array(std::span<const std::uint32_t>(item.units));
  packer.value(item.text_bytes);
}

/// Gives a batch what an earlier run has stored for it.
Result<void> unpack(std::string_view record, const DocumentSource& source, TrimBatch& item) {
  Unpacker unpacker(record);
  const std::string_view state = unpacker.text();
  unpacker.array(item.words);
  unpacker.array(item.ends);
  unpacker.array(item.units);
  item.text_bytes = unpacker.value<std::uint64_t>();
  LEITONG_TRY(unpacker.done());
  return source.restore(*item.batch, state);
}

}  // namespace

Result<std::size_t> least_units(const TrimSettings& settings) {
  const bool passage = settings.part == TextPart::passage;
  if (!passage && settings.part != TextPart::template_text && settings.border != Border::sentence)
    return fail(ErrorCode::invalid_argument,
                "only passages and templates have borders that can be chosen; other parts are cut as a whole",
                "border");
  if (settings.least_units == 0) return static_cast<std::size_t>(passage ? kUsualRun : 1);
  if (passage && (settings.least_units < RunKeys::kLeastRun || settings.least_units > RunKeys::kMostRun))
    return fail(ErrorCode::invalid_argument,
                fmt::format("passages have {} to {} units at least, not {}", RunKeys::kLeastRun,
                            RunKeys::kMostRun, settings.least_units),
                "least_units");
  return static_cast<std::size_t>(settings.least_units);
}

Result<void> check_trim_memory(const RunContext& run) {
  if (!run.memory.too_small()) return {};
  return fail(
      ErrorCode::limit,
      fmt::format(
          "the memory budget is too small; the smallest that can work is {}M and 100 bytes a document",
          MemoryBudget::least(0) >> 20),
      "memory");
}

/// A thread's buffers.
struct RepeatedParts::Space {
  std::unique_ptr<ReadScratch> scratch;
  RunKeys keys;
  PodVector<Unit> units;
  std::vector<ByteRange> parts;

  void add_keys(std::string_view text, TrimBatch& item) {
    to_units(text, units);
    keys.append_keys(units, item.words);
    item.units.push_back(static_cast<std::uint32_t>(std::min<std::size_t>(units.size(), UINT32_MAX)));
    pack_units(units, item.packed);
    item.packed_ends.push_back(item.packed.size());
  }

  void add_parts(std::string_view text, TextPart part, std::size_t least, const BaseParts& base,
                 TrimBatch& item) {
    split_parts(text, part, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      fold_units(text.substr(parts[i].begin, parts[i].size()), Marks::fold, units);
      if (units.size() < least) continue;
      const PartHash hash = hash_of_units(units.data(), units.size());
      if (base.holds(hash)) continue;
      item.words.append(std::array<std::uint64_t, 3>{hash.high, hash.low, i});
    }
  }

  /// Replaces `units` by those of a document.
  Result<void> read_units(DocId document, const DocumentSource& source, const KeptUnits& kept) {
    LEITONG_ASSIGN(const bool found, kept.find(document, units));
    if (found) return {};
    LEITONG_ASSIGN(const DocumentText text, source.read(document, *scratch));
    to_units(text.text, units);
    return {};
  }
};

RepeatedParts::Space RepeatedParts::new_space(const DocumentSource& source) const {
  return {source.new_scratch(), RunKeys(by_runs() ? least_ : RunKeys::kLeastRun), {}, {}};
}

Result<void> RepeatedParts::read(DocumentSource& source) {
  std::optional<ShardLog> log;
  if (stages_ != nullptr) {
    LEITONG_ASSIGN(log, ShardLog::open(*stages_, kKeysStage, kKeysVersion));
  }
  const auto was_read = [&](const TrimBatch& item) { return log && item.number < log->size(); };
  const bool grouped = is_grouped();
  PartGroups::Writer parts(groups_);
  const auto parse = [&](TrimBatch& item, Space& space) {
    if (was_read(item)) {
      item.state = unpack((*log)[item.number], source, item);
      return;
    }
    source.parse(*item.batch, *space.scratch, [&](const DocumentText& document) {
      item.text_bytes += document.text.size();
      if (by_runs())
        space.add_keys(document.text, item);
      else
        space.add_parts(document.text, settings_.part, least_, base_, item);
      item.ends.push_back(item.words.size());
    });
    if (log) pack(item, source);
  };
  const auto commit = [&](TrimBatch& item) -> Result<void> {
    LEITONG_TRY(std::move(item.state));
    const auto first = static_cast<DocId>(source.size());
    LEITONG_TRY(source.commit(*item.batch));
    if (log && !was_read(item)) LEITONG_TRY(log->append(item.record));
    if (grouped) item.ends.clear();
    table_.units.append(item.units);
    std::size_t at = 0;
    for (std::size_t i = 0; i < item.ends.size(); ++i) {
      const auto document = static_cast<DocId>(first + i);
      if (by_runs())
        for (; at < item.ends[i]; ++at) LEITONG_TRY(keys_.add(item.words[at], document));
      else
        for (; at < item.ends[i]; at += 3)
          LEITONG_TRY(parts.add({item.words[at], item.words[at + 1]}, document,
                                static_cast<std::uint32_t>(item.words[at + 2])));
      if (i >= item.packed_ends.size()) continue;
      const std::size_t begin = i == 0 ? 0 : item.packed_ends[i - 1];
      LEITONG_TRY(kept_->keep(document, {item.packed.data() + begin, item.packed_ends[i] - begin}));
    }
    text_bytes_ += item.text_bytes;
    run_.memory.set_documents(source.size());
    run_.memory.set_text_bytes(text_bytes_);
    LEITONG_TRY(kept_->fit());
    run_.report("reading", source.bytes_read(), source.total_bytes(), "bytes");
    return {};
  };
  LEITONG_TRY(stream_batches<TrimBatch>(
      source, run_.stop, [&] { return new_space(source); }, parse, commit));
  if (log) LEITONG_TRY(log->flush());
  LEITONG_TRY(keys_.flush());
  return parts.flush();
}

Result<void> RepeatedParts::group(const DocumentSource& source) {
  if (is_grouped()) return groups_.load(*stages_, kGroupsStage, source.size());
  LEITONG_TRY(find_groups(source));
  return stages_ != nullptr ? groups_.save(*stages_, kGroupsStage) : Result<void>{};
}

Result<void> RepeatedParts::find_groups(const DocumentSource& source) {
  if (!by_runs()) return groups_.group(settings_.least_documents, source.size());
  RunGroups runs(run_, groups_);
  LEITONG_TRY(add_segments(source, runs));
  LEITONG_TRY(runs.compare(source.size()));
  LEITONG_TRY(add_single_runs(source, runs));
  kept_.reset();
  return runs.group(settings_.least_documents);
}

Result<void> RepeatedParts::add_segments(const DocumentSource& source, RunGroups& runs) {
  KeyFilter repeated(keys_.size());
  DocumentMarks marked(source.size());
  LEITONG_TRY(keys_.find_repeated(std::max<std::uint64_t>(2, settings_.least_documents),
                                  [&](std::uint64_t key, std::span<const DocId> documents) {
                                    repeated.add(key);
                                    for (const DocId document : documents) marked.set(document);
                                  }));
  struct SegmentSpace {
    Space common;
    RunGroups::Writer writer;
    PodVector<RunSegment> segments;
  };
  PerThread<SegmentSpace> spaces([&] {
    return SegmentSpace{new_space(source), RunGroups::Writer(runs), {}};
  });
  const std::size_t blocks = source.size() / kDocumentsAtATime + 1;
  LEITONG_TRY(parallel_for_each(run_.stop, blocks, [&](std::size_t block) -> Result<void> {
    SegmentSpace& space = spaces.local();
    const std::uint64_t first = block * kDocumentsAtATime;
    const std::uint64_t end = std::min<std::uint64_t>(first + kDocumentsAtATime, source.size());
    for (auto document = static_cast<DocId>(first); document < end; ++document) {
      if (!marked[document]) continue;
      LEITONG_TRY(space.common.read_units(document, source, *kept_));
      space.common.keys.segments_in(space.common.units, repeated, space.segments);
      base_.leave_out(space.common.units, space.common.keys, space.segments);
      for (const RunSegment& segment : space.segments) LEITONG_TRY(space.writer.add(segment, document));
    }
    return {};
  }));
  return spaces.for_each([](SegmentSpace& space) { return space.writer.flush(); });
}

Result<void> RepeatedParts::add_single_runs(const DocumentSource& source, RunGroups& runs) {
  struct RunSpace {
    Space common;
    RunGroups::HashWriter writer;
    std::vector<RunGroups::Wanted> wanted;
    PodVector<PartHash> hashes;
  };
  PerThread<RunSpace> spaces([&] {
    return RunSpace{new_space(source), RunGroups::HashWriter(runs), {}, {}};
  });
  LEITONG_TRY(parallel_for_each(run_.stop, PartGroups::blocks(), [&](std::size_t block) -> Result<void> {
    RunSpace& space = spaces.local();
    LEITONG_TRY(runs.take_wanted(static_cast<unsigned>(block), space.wanted));
    DocId present = kNoDocument;
    for (const RunGroups::Wanted& segment : space.wanted) {
      if (segment.document != present) LEITONG_TRY(space.common.read_units(segment.document, source, *kept_));
      present = segment.document;
      space.common.keys.hash_runs(space.common.units, segment.at, segment.count, space.hashes);
      LEITONG_TRY(space.writer.add(segment, space.hashes));
    }
    return {};
  }));
  return spaces.for_each([](RunSpace& space) { return space.writer.flush(); });
}

}  // namespace leitong
