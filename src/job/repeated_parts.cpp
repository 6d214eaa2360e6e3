#include "job/repeated_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "dedup/stream_batches.hpp"
#include "text/text_parts.hpp"
#include "text/units.hpp"
#include "trim/repeated_runs.hpp"

namespace leitong {
namespace {

constexpr std::uint64_t kUsualRun = 100;
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
  std::vector<std::uint64_t> words;  // for each part hash and number, or the keys
  std::vector<std::size_t> ends;     // of each document's words
  std::uint64_t text_bytes = 0;
};

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
  PodVector<std::uint64_t> made;
  std::vector<ByteRange> parts;

  void add_keys(std::string_view text, std::vector<std::uint64_t>& words) {
    to_units(text, units);
    made.clear();
    keys.append_keys(units, made);
    words.insert(words.end(), made.begin(), made.end());
  }

  void add_parts(std::string_view text, TextPart part, std::size_t least, const BaseParts& base,
                 std::vector<std::uint64_t>& words) {
    split_parts(text, part, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      fold_units(text.substr(parts[i].begin, parts[i].size()), Marks::fold, units);
      if (units.size() < least) continue;
      const PartHash hash = hash_of_units(units.data(), units.size());
      if (base.holds(hash)) continue;
      words.insert(words.end(), {hash.high, hash.low, i});
    }
  }
};

RepeatedParts::Space RepeatedParts::new_space(const DocumentSource& source) const {
  return {source.new_scratch(), RunKeys(by_runs() ? least_ : RunKeys::kLeastRun), {}, {}, {}};
}

Result<void> RepeatedParts::read(DocumentSource& source) {
  PartGroups::Writer parts(groups_);
  Partitions::Writer keys(keys_);
  const auto parse = [&](TrimBatch& item, Space& space) {
    source.parse(*item.batch, *space.scratch, [&](const DocumentText& document) {
      item.text_bytes += document.text.size();
      if (by_runs())
        space.add_keys(document.text, item.words);
      else
        space.add_parts(document.text, settings_.part, least_, base_, item.words);
      item.ends.push_back(item.words.size());
    });
  };
  const auto commit = [&](TrimBatch& item) -> Result<void> {
    auto document = static_cast<DocId>(source.size());
    LEITONG_TRY(source.commit(*item.batch));
    std::size_t at = 0;
    for (const std::size_t end : item.ends) {
      if (by_runs())
        // Keys are the least of many hashes, so only their last bits are evenly distributed.
        for (; at < end; ++at)
          LEITONG_TRY(keys.append(item.words[at] % Partitions::kCount,
                                  std::array{item.words[at], std::uint64_t{document}}));
      else
        for (; at < end; at += 3)
          LEITONG_TRY(parts.add({item.words[at], item.words[at + 1]}, document,
                                static_cast<std::uint32_t>(item.words[at + 2])));
      ++document;
    }
    text_bytes_ += item.text_bytes;
    run_.memory.set_documents(source.size());
    run_.memory.set_text_bytes(text_bytes_);
    run_.report("reading", source.bytes_read(), source.total_bytes(), "bytes");
    return {};
  };
  LEITONG_TRY(stream_batches<TrimBatch>(
      source, run_.stop, [&] { return new_space(source); }, parse, commit));
  LEITONG_TRY(keys.flush());
  return parts.flush();
}

Result<void> RepeatedParts::group(const DocumentSource& source) {
  if (by_runs()) LEITONG_TRY(add_runs(source));
  return groups_.group(settings_.least_documents, source.size());
}

/// Reads the documents with repeated keys again, and adds their runs that may repeat to the groups.
Result<void> RepeatedParts::add_runs(const DocumentSource& source) {
  KeyFilter repeated(keys_.size() / 2);
  DocumentMarks marked(source.size());
  const std::uint64_t least_keys = std::max<std::uint64_t>(2, settings_.least_documents);
  LEITONG_TRY(parallel_for_each(
      run_.stop, Partitions::kCount, [] { return PodVector<std::uint64_t>(); },
      [&](std::size_t number, PodVector<std::uint64_t>& words) -> Result<void> {
        LEITONG_TRY(keys_.take(static_cast<unsigned>(number), words));
        const HeldMemory held(run_.memory, words.size() * sizeof(std::uint64_t));
        using KeyAndDocument = std::array<std::uint64_t, 2>;
        const std::span keys(reinterpret_cast<KeyAndDocument*>(words.data()), words.size() / 2);
        std::ranges::sort(keys);
        for (std::size_t i = 0; i < keys.size();) {
          std::size_t end = i;
          while (end < keys.size() && keys[end][0] == keys[i][0]) ++end;
          if (end - i >= least_keys) {
            repeated.add(keys[i][0]);
            for (std::size_t k = i; k < end; ++k) marked.set(static_cast<DocId>(keys[k][1]));
          }
          i = end;
        }
        return {};
      }));
  struct RunSpace {
    Space common;
    PartGroups::Writer writer;
    PodVector<std::uint32_t> runs;
    std::vector<BaseParts::Stretch> base;
  };
  PerThread<RunSpace> spaces([&] {
    return RunSpace{new_space(source), PartGroups::Writer(groups_), {}, {}};
  });
  const std::size_t blocks = source.size() / kDocumentsAtATime + 1;
  LEITONG_TRY(parallel_for_each(run_.stop, blocks, [&](std::size_t block) -> Result<void> {
    RunSpace& space = spaces.local();
    const std::uint64_t first = block * kDocumentsAtATime;
    const std::uint64_t end = std::min<std::uint64_t>(first + kDocumentsAtATime, source.size());
    for (auto document = static_cast<DocId>(first); document < end; ++document) {
      if (!marked[document]) continue;
      LEITONG_ASSIGN(const DocumentText text, source.read(document, *space.common.scratch));
      PodVector<Unit>& units = space.common.units;
      to_units(text.text, units);
      base_.cover(units, space.common.keys, space.base);
      space.common.keys.runs_in(units, repeated, space.runs);
      auto base = space.base.begin();
      for (const std::uint32_t at : space.runs) {
        while (base != space.base.end() && base->end <= at) ++base;
        if (base != space.base.end() && base->begin < at + least_) continue;
        LEITONG_TRY(space.writer.add(space.common.keys.hash_of(at), document, at));
      }
    }
    return {};
  }));
  return spaces.for_each([](RunSpace& space) { return space.writer.flush(); });
}

}  // namespace leitong
