// The public face of trimming (leitong/trim.hpp).
#include "leitong/trim.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "dedup/stream_batches.hpp"
#include "io/compression.hpp"
#include "io/output_file.hpp"
#include "io/partitions.hpp"
#include "job/separate_outputs.hpp"
#include "job/trim_restorable.hpp"
#include "job/trimmed_documents.hpp"
#include "leitong/settings.hpp"
#include "text/text_parts.hpp"
#include "text/units.hpp"
#include "trim/part_groups.hpp"
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

/// The outputs, all opened before the work.
struct TrimFiles {
  std::unique_ptr<OutputFile> trimmed, spans, removed, quarantine, restorable;

  static Result<TrimFiles> create(const TrimOutputs& names, StopToken stop) {
    TrimFiles files;
    const auto open = [&](const std::string& name, std::unique_ptr<OutputFile>& file) -> Result<void> {
      if (name.empty()) return {};
      LEITONG_ASSIGN(file, OutputFile::create(name, names.force, stop));
      return {};
    };
    LEITONG_TRY(open(names.trimmed, files.trimmed));
    LEITONG_TRY(open(names.spans, files.spans));
    LEITONG_TRY(open(names.too_short, files.removed));
    LEITONG_TRY(open(names.quarantine, files.quarantine));
    LEITONG_TRY(open(names.restorable, files.restorable));
    return files;
  }
};

/// A batch on its way.
struct TrimBatch {
  std::unique_ptr<RecordBatch> batch;
  std::vector<std::uint64_t> words;  // for each part hash and number, or the keys
  std::vector<std::size_t> ends;     // of each document's words
  std::uint64_t text_bytes = 0;
};

/// A thread's buffers.
struct TrimSpace {
  std::unique_ptr<ReadScratch> scratch;
  RunKeys keys;
  PodVector<Unit> units;
  PodVector<std::uint64_t> made;
  std::vector<ByteRange> parts;
};

class Trimming {
 public:
  Trimming(const TrimJob& job, std::size_t least, RunContext& run, const Corpus& corpus, TrimFiles& files)
      : job_(job), least_(least), run_(run), corpus_(corpus), files_(files), groups_(run), keys_(run) {}

  /// The first pass over the input.
  Result<void> read(Corpus& corpus) {
    PartGroups::Writer parts(groups_);
    Partitions::Writer keys(keys_);
    const auto parse = [&](TrimBatch& item, TrimSpace& space) {
      corpus.parse(*item.batch, *space.scratch, [&](const DocumentText& document) {
        item.text_bytes += document.text.size();
        if (by_runs())
          add_keys(document.text, space, item.words);
        else
          add_parts(document.text, space, item.words);
        item.ends.push_back(item.words.size());
      });
    };
    const auto commit = [&](TrimBatch& item) -> Result<void> {
      auto document = static_cast<DocId>(corpus.size());
      LEITONG_TRY(corpus.commit(*item.batch));
      std::size_t at = 0;
      for (const std::size_t end : item.ends) {
        if (by_runs())
          // Keys are the least of many hashes, so only their last bits are evenly distributed.
          for (; at < end; ++at)
            LEITONG_TRY(
                keys.append(item.words[at] & 0xFF, std::array{item.words[at], std::uint64_t{document}}));
        else
          for (; at < end; at += 3)
            LEITONG_TRY(parts.add({item.words[at], item.words[at + 1]}, document,
                                  static_cast<std::uint32_t>(item.words[at + 2])));
        ++document;
      }
      summary_.text_bytes += item.text_bytes;
      run_.memory.set_documents(corpus.size());
      run_.memory.set_text_bytes(summary_.text_bytes);
      run_.report("reading", corpus.bytes_read(), corpus.total_bytes(), "bytes");
      return {};
    };
    LEITONG_TRY(stream_batches<TrimBatch>(
        corpus, run_.stop, [&] { return new_space(); }, parse, commit));
    LEITONG_TRY(keys.flush());
    return parts.flush();
  }

  /// What is equal?
  Result<void> group() {
    if (by_runs()) LEITONG_TRY(add_runs());
    LEITONG_TRY(groups_.group(job_.settings.least_documents, corpus_.size()));
    summary_.parts = groups_.groups();
    return {};
  }

  /// The second pass, over the documents that have something equal, and the outputs.
  Result<void> write() {
    TrimmedDocuments trimmed(run_, corpus_, job_, least_, groups_);
    LEITONG_ASSIGN(const TrimmedDocument* next, trimmed.next());
    std::vector<ByteRange> cuts;
    const auto cut = [&](DocId document) -> Result<Corpus::RecordCut> {
      if (document % 4096 == 0) {
        LEITONG_TRY(run_.stop.check());
        run_.report("writing", document, corpus_.size(), "documents");
      }
      if (next == nullptr || next->document != document) return Corpus::RecordCut{};
      LEITONG_TRY(take(*next));
      cuts.clear();
      for (const Cut& each : next->cuts) cuts.push_back(each.bytes);
      const bool keep = !next->removed;
      LEITONG_ASSIGN(next, trimmed.next());
      return Corpus::RecordCut{keep, cuts};
    };
    if (files_.trimmed)
      LEITONG_TRY(copy(cut));
    else
      for (DocId document = 0; document < corpus_.size(); ++document) LEITONG_TRY(cut(document));
    if (files_.quarantine)
      LEITONG_TRY(
          write_quarantine(corpus_, [&](std::string_view block) { return files_.quarantine->write(block); }));
    return {};
  }

  [[nodiscard]] TrimSummary summary() const {
    TrimSummary summary = summary_;
    summary.documents = corpus_.size();
    summary.kept = summary.documents - summary.removed;
    summary.quarantined = corpus_.quarantined();
    summary.first_quarantined = corpus_.first_quarantined();
    summary.truncated_inputs = corpus_.truncated_inputs();
    return summary;
  }

 private:
  [[nodiscard]] bool by_runs() const noexcept { return job_.settings.part == TextPart::passage; }
  [[nodiscard]] TrimSpace new_space() const {
    return {corpus_.new_scratch(), RunKeys(by_runs() ? least_ : RunKeys::kLeastRun), {}, {}, {}};
  }

  void add_keys(std::string_view text, TrimSpace& space, std::vector<std::uint64_t>& words) const {
    to_units(text, space.units);
    space.made.clear();
    space.keys.append_keys(space.units, space.made);
    words.insert(words.end(), space.made.begin(), space.made.end());
  }

  void add_parts(std::string_view text, TrimSpace& space, std::vector<std::uint64_t>& words) const {
    split_parts(text, job_.settings.part, space.parts);
    for (std::size_t i = 0; i < space.parts.size(); ++i) {
      fold_units(text.substr(space.parts[i].begin, space.parts[i].size()), Marks::fold, space.units);
      if (space.units.size() < least_) continue;
      const PartHash hash = hash_of_units(space.units.data(), space.units.size());
      words.insert(words.end(), {hash.high, hash.low, i});
    }
  }

  /// Reads the documents with repeated keys again, and adds their runs that may repeat to the groups.
  Result<void> add_runs() {
    KeyFilter repeated(keys_.size() / 2);
    DocumentMarks marked(corpus_.size());
    const std::uint64_t least_keys = std::max<std::uint64_t>(2, job_.settings.least_documents);
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
    struct Space {
      TrimSpace common;
      PartGroups::Writer writer;
      PodVector<std::uint32_t> runs;
    };
    PerThread<Space> spaces([&] { return Space{new_space(), PartGroups::Writer(groups_), {}}; });
    const std::size_t blocks = corpus_.size() / kDocumentsAtATime + 1;
    LEITONG_TRY(parallel_for_each(run_.stop, blocks, [&](std::size_t block) -> Result<void> {
      Space& space = spaces.local();
      const std::uint64_t first = block * kDocumentsAtATime;
      const std::uint64_t end = std::min<std::uint64_t>(first + kDocumentsAtATime, corpus_.size());
      for (auto document = static_cast<DocId>(first); document < end; ++document) {
        if (!marked[document]) continue;
        LEITONG_ASSIGN(const DocumentText text, corpus_.read(document, *space.common.scratch));
        PodVector<Unit>& units = space.common.units;
        to_units(text.text, units);
        space.common.keys.runs_in(units, repeated, space.runs);
        for (const std::uint32_t at : space.runs)
          LEITONG_TRY(space.writer.add(space.common.keys.hash_of(at), document, at));
      }
      return {};
    }));
    return spaces.for_each([](Space& space) { return space.writer.flush(); });
  }

  Result<void> copy(const std::function<Result<Corpus::RecordCut>(DocId)>& cut) const {
    std::uint64_t written = 0;
    const auto write = [&](std::string_view bytes) {
      written += bytes.size();
      return files_.trimmed->write(bytes);
    };
    if (!files_.restorable) return corpus_.copy_cut(cut, write, {});
    TrimmedPlaces places(run_.work);
    const auto cut_or_remove = [&](DocId document) -> Result<Corpus::RecordCut> {
      Result<Corpus::RecordCut> record = cut(document);
      if (record && !record->keep) LEITONG_TRY(places.removed(document));
      return record;
    };
    LEITONG_TRY(corpus_.copy_cut(
        cut_or_remove, write, [&](DocId document, const KeptPlace& place, std::span<const TextEdit> edits) {
          return places.wrote(document, place, edits);
        }));
    return write_trim_restorable(corpus_, places, written, *files_.restorable, run_);
  }

  Result<void> take(const TrimmedDocument& document) {
    summary_.cuts += document.cuts.size();
    summary_.removed += document.removed ? 1 : 0;
    summary_.changed += !document.removed && !document.cuts.empty() ? 1 : 0;
    summary_.cut_bytes += document.cut_bytes;
    if (files_.spans) LEITONG_TRY(files_.spans->write(document.spans));
    if (files_.removed) LEITONG_TRY(files_.removed->write(document.removed_row));
    return {};
  }

  const TrimJob& job_;
  std::size_t least_;
  RunContext& run_;
  const Corpus& corpus_;
  TrimFiles& files_;
  PartGroups groups_;
  Partitions keys_;  // key and document
  TrimSummary summary_;
};

/// The number of units that a part needs. Fails for settings that contradict each other.
Result<std::size_t> least_units(const TrimSettings& settings) {
  const bool passage = settings.part == TextPart::passage;
  if (settings.least_units == 0) return static_cast<std::size_t>(passage ? kUsualRun : 1);
  if (passage && (settings.least_units < RunKeys::kLeastRun || settings.least_units > RunKeys::kMostRun))
    return fail(ErrorCode::invalid_argument,
                fmt::format("passages have {} to {} units at least, not {}", RunKeys::kLeastRun,
                            RunKeys::kMostRun, settings.least_units),
                "least_units");
  return static_cast<std::size_t>(settings.least_units);
}

Result<TrimSummary> trim(const Context& context, const TrimJob& job) {
  const auto started = std::chrono::steady_clock::now();
  LEITONG_TRY(check_settings(job));
  LEITONG_ASSIGN(const std::size_t least, least_units(job.settings));
  if (job.settings.part != TextPart::passage && job.settings.border != Border::sentence)
    return fail(ErrorCode::invalid_argument,
                "only passages have borders that can be chosen; other parts are cut as a whole", "border");
  if (compression_of_name(job.outputs.restorable) != Compression::none)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: the restorable file is packed already and can't be compressed; name it {}",
                            job.outputs.restorable, without_compression_ending(job.outputs.restorable)),
                "restorable");
  if (!job.input.reference_paths.empty())
    return fail(ErrorCode::invalid_argument, "trimming knows no references", "references");
  const TrimOutputs& names = job.outputs;
  LEITONG_TRY(check_separate({{"the trimmed records", names.trimmed},
                              {"the spans", names.spans},
                              {"the removed documents", names.too_short},
                              {"the quarantine", names.quarantine},
                              {"the restorable file", names.restorable}},
                             job.input.paths));
  RunContext run(context);
  if (run.memory.too_small())
    return fail(
        ErrorCode::limit,
        fmt::format(
            "the memory budget is too small; the smallest that can work is {}M and 100 bytes a document",
            MemoryBudget::least(0) >> 20),
        "memory");
  LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(job.input, run));
  LEITONG_ASSIGN(TrimFiles files, TrimFiles::create(names, run.stop));
  Trimming trimming(job, least, run, *corpus, files);
  LEITONG_TRY(trimming.read(*corpus));
  if (files.trimmed) LEITONG_TRY(corpus->check_cuttable());
  LEITONG_TRY(trimming.group());
  LEITONG_TRY(trimming.write());
  TrimSummary summary = trimming.summary();
  Staged* const made[] = {files.trimmed.get(), files.spans.get(), files.removed.get(), files.quarantine.get(),
                          files.restorable.get()};
  LEITONG_TRY(commit_all(made, run.stop));
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return summary;
}

}  // namespace

Result<TrimSummary> trim_files(const Context& context, const TrimJob& job) {
  return on_threads(context, [&] { return trim(context, job); });
}

}  // namespace leitong
