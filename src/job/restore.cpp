// The public functions for restoring (leitong/restore.hpp).
#include "leitong/restore.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/output_folder.hpp"
#include "io/restorable_file.hpp"
#include "io/run_context.hpp"
#include "io/table_bytes.hpp"
#include "io/table_files.hpp"
#include "job/kept_files.hpp"
#include "job/separate_outputs.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

/// Blocks that are unpacked at the same time hold about so many bytes.
constexpr std::uint64_t kBlocksAtOnce = std::uint64_t{16} << 20;
constexpr std::size_t kCopiedPiece = std::size_t{1} << 20;

/// Reads blocks for one thread.
class BlockReader {
 public:
  BlockReader(const RestorableFile& file, const KeptFiles& kept) : file_(file), kept_(kept) {}

  Result<void> unpack(std::size_t number, RestoreBlock& block, std::string& bases) {
    LEITONG_ASSIGN(const std::string_view packed, file_.block(number));
    LEITONG_TRY(decoder_.directory(packed, block));
    bases.clear();
    for (const KeptStretch& base : block.bases) {
      const std::size_t at = bases.size();
      bases.resize(at + base.size);
      LEITONG_TRY(kept_.read(base.begin, base.size, bases.data() + at, cursor_));
    }
    LEITONG_TRY(decoder_.content(packed, bases, block));
    return check_content(block, bases);
  }
  Result<void> directory(std::size_t number, RestoreBlock& block) {
    LEITONG_ASSIGN(const std::string_view packed, file_.block(number));
    return decoder_.directory(packed, block);
  }

 private:
  const RestorableFile& file_;
  const KeptFiles& kept_;
  BlockDecoder decoder_;
  StoreCursor cursor_;
};

/// Calls found(row, name) for the rows that left until it returns true, and returns that row.
template <class Found>
std::optional<std::uint64_t> for_each_name(const RestorableTable& table, Found found) {
  std::uint64_t row = 0;
  for (std::size_t at = 0; at < table.names.size(); ++row) {
    const std::string_view name = table.names.substr(at, table.names.find('\0', at) - at);
    if (found(row, name)) return row;
    at += name.size() + 1;
  }
  return std::nullopt;
}

/// Makes a writer for rows of such a source, which counts the bytes.
Result<std::unique_ptr<TableCopier>> new_copier(const RestorableSource& source, OutputFile& out,
                                                std::uint64_t& written, const RunContext& run) {
  LEITONG_ASSIGN(const TableFiles* const files, table_files());
  const auto write = [&out, &written](std::string_view bytes) {
    written += bytes.size();
    return out.write(bytes);
  };
  return files->new_copier(static_cast<TableKind>(source.table - 1), write, run.memory.limit() / 4);
}

/// Opens a restored file, which is compressed again if the original was.
Result<std::unique_ptr<OutputFile>> open_output(const RestorableSource& source, const std::string& name,
                                                bool force, bool within_folder, StopToken stop) {
  const bool as_it_was = source.stored && compression_of_name(source.path) == compression_of_name(name);
  OutputFileOptions options{.within_folder = within_folder};
  if (as_it_was) options.compression = Compression::none;
  return OutputFile::create(name, force, stop, options);
}

/// Joins the steps of all blocks, which come in their order.
class Restoring {
 public:
  Restoring(const RestorableFile& file, KeptFiles& kept, const RestoreJob& job, const RunContext& run)
      : file_(file), kept_(kept), job_(job), run_(run) {}

  Result<void> begin() {
    std::error_code unknown;
    if (job_.output.ends_with('/') || fs::is_directory(job_.output, unknown)) {
      LEITONG_ASSIGN(folder_, OutputFolder::create(job_.output));
    } else if (file_.sources().size() != 1) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: the input was {} files; name a folder for them, {}/", job_.output,
                              file_.sources().size(), job_.output == "-" ? "restored" : job_.output));
    }
    for (const RestorableSource& source : file_.sources()) total_ += source.size;
    return begin_source();
  }

  Result<void> take(const RestoreBlock& block, std::string_view bases) {
    const std::uint64_t kept_from = kept_at_, from = source_bytes_;
    const std::size_t source = source_;
    XXH3_64bits_reset(&block_hash_);
    LEITONG_TRY(for_each_step(
        block, bases, [&](const RestoreStep& step, std::string_view bytes, std::string_view) -> Result<void> {
          summary_.records += step.begins_record();
          switch (step.kind) {
            case RestoreStep::Kind::copied:
              return copy(step.value);
            case RestoreStep::Kind::skipped:
              kept_at_ += step.value;
              return {};
            case RestoreStep::Kind::source_end:
              return end_source();
            default:
              return put(bytes);
          }
        }));
    run_.report("restoring", summary_.bytes, total_, "bytes");
    if (XXH3_64bits_digest(&block_hash_) == block.hash) return {};
    return fail(
        ErrorCode::corrupt,
        fmt::format("{}: the kept records have changed between bytes {} and {}; {} comes out "
                    "otherwise than it was after byte {}",
                    kept_.path_at(kept_from), kept_from, kept_at_, file_.sources()[source].path, from));
  }

  Result<RestoreSummary> finish() {
    if (source_ != file_.sources().size()) return other("it ends too early");
    LEITONG_TRY(file_.verify());
    Staged* const outputs[] = {alone_.get(), folder_.get()};
    LEITONG_TRY(commit_all(outputs, run_.stop));
    summary_.files = file_.sources().size();
    return std::move(summary_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> other(std::string_view what) const {
    return fail(ErrorCode::corrupt, fmt::format("{}: {}", file_.path(), what));
  }

  Result<void> begin_source() {
    source_bytes_ = 0;
    XXH3_64bits_reset(&source_hash_);
    if (source_ == file_.sources().size()) return {};
    const RestorableSource& source = file_.sources()[source_];
    if (!source.lost.empty()) summary_.lost.push_back({source.path, source.lost});
    if (!folder_) {
      LEITONG_ASSIGN(alone_, open_output(source, job_.output, job_.force, false, run_.stop));
      return {};
    }
    const std::string name = source.path == "-" ? "standard-input" : source.path;
    LEITONG_ASSIGN(const fs::path place, folder_->place_of(path_below(name)));
    LEITONG_ASSIGN(in_folder_, open_output(source, place.string(), false, true, run_.stop));
    return {};
  }

  Result<void> end_source() {
    if (source_ == file_.sources().size()) return other("it has more sources than it lists");
    const RestorableSource& source = file_.sources()[source_];
    if (source.table != 0) LEITONG_TRY(put_rows(source));
    if (source_bytes_ != source.size || XXH3_64bits_digest(&source_hash_) != source.hash)
      return fail(
          ErrorCode::corrupt,
          fmt::format("{} comes out otherwise than it was: the kept records have changed", source.path));
    if (in_folder_) LEITONG_TRY(std::exchange(in_folder_, nullptr)->commit());
    if (source.kept) {
      ++kept_file_;
      kept_row_ = 0;
    }
    ++source_;
    return begin_source();
  }

  /// Writes the rows of a table that stayed and those that left, in their original order.
  Result<void> put_rows(const RestorableSource& source) {
    OutputFile& out = folder_ ? *in_folder_ : *alone_;
    LEITONG_ASSIGN(const auto copier, new_copier(source, out, summary_.bytes, run_));
    LEITONG_ASSIGN(const RestorableTable table, file_.table(table_++));
    LEITONG_ASSIGN(std::unique_ptr<TableBytes> kept, kept_.table(kept_file_, table.kept_hash));
    LEITONG_TRY(copier->begin(std::move(kept)));
    if (!table.rows.empty()) LEITONG_TRY(copier->begin(bytes_in_memory(table.rows)));
    bool of_kept = table.rows.empty();
    std::uint64_t left_row = 0;
    const auto keep = [&](bool kept_rows, std::uint64_t& row, std::uint64_t count) -> Result<void> {
      if (count == 0) return {};
      if (of_kept != kept_rows) LEITONG_TRY(copier->change());
      of_kept = kept_rows;
      return copier->keep(std::exchange(row, row + count), count);
    };
    LEITONG_TRY(for_each_run(table.runs, [&](const RowRun& run) -> Result<void> {
      LEITONG_TRY(keep(true, kept_row_, run.kept));
      LEITONG_TRY(keep(false, left_row, run.left));
      if (!run.changed) return {};
      ++kept_row_;
      return keep(false, left_row, 1);
    }));
    for_each_name(table, [&](std::uint64_t, std::string_view name) {
      summary_.records += !name.empty();
      return false;
    });
    return copier->finish();
  }

  Result<void> copy(std::uint64_t size) {
    for (std::uint64_t left = size; left > 0;) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, kCopiedPiece));
      piece_.resize(part);
      LEITONG_TRY(kept_.read(kept_at_, part, piece_.data(), cursor_));
      kept_at_ += part;
      left -= part;
      LEITONG_TRY(put(piece_));
    }
    return {};
  }

  Result<void> put(std::string_view bytes) {
    if (source_ == file_.sources().size()) return other("it has bytes of no source");
    XXH3_64bits_update(&block_hash_, bytes.data(), bytes.size());
    XXH3_64bits_update(&source_hash_, bytes.data(), bytes.size());
    source_bytes_ += bytes.size();
    summary_.bytes += bytes.size();
    return (folder_ ? in_folder_ : alone_)->write(bytes);
  }

  const RestorableFile& file_;
  KeptFiles& kept_;
  const RestoreJob& job_;
  const RunContext& run_;
  std::unique_ptr<OutputFolder> folder_;
  std::unique_ptr<OutputFile> alone_, in_folder_;
  std::size_t source_ = 0;
  std::uint64_t source_bytes_ = 0, kept_at_ = 0, total_ = 0;
  std::size_t table_ = 0;        // the next table
  std::uint32_t kept_file_ = 0;  // the file with kept bytes or rows of the source
  std::uint64_t kept_row_ = 0;   // the next row in that file
  XXH3_state_t block_hash_, source_hash_;
  StoreCursor cursor_;
  std::string piece_;
  RestoreSummary summary_;
};

Result<RestoreSummary> restore_all(const RestorableFile& file, KeptFiles& kept, const RestoreJob& job,
                                   const RunContext& run) {
  Restoring restoring(file, kept, job, run);
  LEITONG_TRY(restoring.begin());
  struct Slot {
    RestoreBlock block;
    std::string bases;
  };
  std::vector<Slot> slots;
  for (std::size_t first = 0; first < file.blocks();) {
    std::size_t last = first;
    for (std::uint64_t bytes = 0; last < file.blocks() && (last == first || bytes <= kBlocksAtOnce); ++last) {
      LEITONG_ASSIGN(const std::string_view packed, file.block(last));
      bytes += packed.size() + 2 * content_bytes(packed);  // with bases of about that size
    }
    slots.resize(last - first);
    LEITONG_TRY(parallel_in_order(
        run.stop, slots.size(), [&] { return std::make_unique<BlockReader>(file, kept); },
        [&](std::size_t i, std::unique_ptr<BlockReader>& reader) {
          return reader->unpack(first + i, slots[i].block, slots[i].bases);
        },
        [&](std::size_t i) { return restoring.take(slots[i].block, slots[i].bases); }));
    first = last;
  }
  return restoring.finish();
}

/// Writes the row that left under this name as a table of its own. Returns its bytes, or 0 if there is none.
Result<std::uint64_t> restore_row(const RestorableFile& file, const std::string& name, OutputFile& out,
                                  const RunContext& run) {
  std::size_t number = 0;
  for (const RestorableSource& source : file.sources()) {
    if (source.table == 0) continue;
    LEITONG_ASSIGN(const RestorableTable table, file.table(number++));
    const auto row = for_each_name(table, [&](std::uint64_t, std::string_view here) { return here == name; });
    if (!row) continue;
    std::uint64_t written = 0;
    LEITONG_ASSIGN(const auto copier, new_copier(source, out, written, run));
    LEITONG_TRY(copier->begin(bytes_in_memory(table.rows)));
    LEITONG_TRY(copier->keep(*row, 1));
    LEITONG_TRY(copier->finish());
    return written;
  }
  return 0;
}

Result<RestoreSummary> restore_one(const RestorableFile& file, const KeptFiles& kept, const RestoreJob& job,
                                   const RunContext& run) {
  LEITONG_ASSIGN(const auto out, OutputFile::create(job.output, job.force, run.stop));
  BlockReader reader(file, kept);
  RestoreBlock block;
  std::string bases;
  RestoreSummary summary;
  const std::string wanted = job.id + '\0';
  bool goes_on = false;  // true if the record may have parts in the next block
  for (std::size_t number = 0; number < file.blocks() && (goes_on || summary.records == 0); ++number) {
    LEITONG_TRY(run.stop.check());
    LEITONG_TRY(reader.directory(number, block));
    const bool is_here =
        block.names.starts_with(wanted) || block.names.find('\0' + wanted) != std::string::npos;
    if (!is_here && !goes_on) continue;
    LEITONG_TRY(reader.unpack(number, block, bases));
    LEITONG_TRY(for_each_step(
        block, bases,
        [&](const RestoreStep& step, std::string_view bytes, std::string_view name) -> Result<void> {
          const bool begins = summary.records == 0 && step.begins_record() && name == job.id;
          goes_on = begins || (goes_on && step.kind == RestoreStep::Kind::part);
          if (!goes_on) return {};
          summary.records = 1;
          summary.bytes += bytes.size();
          return out->write(bytes);
        }));
  }
  if (summary.records == 0) {
    LEITONG_ASSIGN(summary.bytes, restore_row(file, job.id, *out, run));
    summary.records = summary.bytes > 0 ? 1 : 0;
  }
  if (summary.records == 0)
    return fail(ErrorCode::not_found,
                fmt::format("{}: no removed record is called \"{}\"; what was not removed is in {}",
                            file.path(), job.id, job.kept));
  LEITONG_TRY(out->commit());
  return summary;
}

Result<RestoreSummary> restore(const Context& context, const RestoreJob& job) {
  if (job.output.empty()) return fail(ErrorCode::invalid_argument, "no output; name a file or a folder");
  LEITONG_TRY(check_separate({{"what is restored", job.output}}, {job.kept, job.restorable}));
  const RunContext run(context);
  LEITONG_ASSIGN(const RestorableFile file, RestorableFile::open(job.restorable));
  LEITONG_ASSIGN(const auto kept, KeptFiles::open(job.kept, file, run));
  return job.id.empty() ? restore_all(file, *kept, job, run) : restore_one(file, *kept, job, run);
}

}  // namespace

Result<RestoreSummary> restore_files(const Context& context, const RestoreJob& job) {
  return on_threads(context, [&] { return restore(context, job); });
}

}  // namespace leitong
