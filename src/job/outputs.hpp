// The files of a run: all are begun before the work, and all are finished after it, or none.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "io/output_folder.hpp"
#include "job/id_table.hpp"
#include "job/outcome.hpp"
#include "job/resampling.hpp"
#include "job/restorable.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Is a document kept?
using Stays = std::function<bool(DocId document)>;

/// The open outputs of one run.
class OutputSet {
 public:
  /// Opens temporary files for all outputs, so that a name that cannot be written fails before the work. The
  /// run must outlive it.
  static Result<OutputSet> create(const DedupOutputs& names, const RunContext& run);

  /// Checks that KEPT can be written from what was read. To be called when everything has been read, before
  /// hours of work.
  [[nodiscard]] Result<void> check(const Corpus& corpus) const;
  /// Writes everything except the report. Returns the bytes of kept records. `own_text` is true if templates
  /// were left out: then rows give the measures without them, and the reasons.
  Result<std::uint64_t> write(const Corpus& corpus, const Outcome& outcome, std::string_view method,
                              bool own_text);
  /// Writes only the kept records and the quarantine, for a run that decides about each document by itself.
  /// Returns the bytes of kept records.
  Result<std::uint64_t> write(const Corpus& corpus, const Stays& stays);
  /// Checks that records that lose parts of their texts can be written to KEPT: to be called as check().
  [[nodiscard]] Result<void> check_cut(const Corpus& corpus) const;
  /// The same for records that lose parts of their texts (Corpus::copy_cut()), with the restorable file.
  /// Without KEPT `cut` is only called for each document.
  Result<void> write_cut(const Corpus& corpus, const Corpus::CutRecord& cut);
  /// The number of kept paths that take two lines of the list; 0 if a zero byte ends each path.
  [[nodiscard]] std::uint64_t names_with_line_feeds() const noexcept { return names_with_line_feeds_; }
  /// Records that were written by DedupOutputs::resample; 0 without it.
  [[nodiscard]] std::uint64_t resampled() const noexcept { return resampled_; }
  /// The file of the report, or null.
  [[nodiscard]] OutputFile* report() noexcept { return report_.get(); }
  /// The file of the whole texts of its pairs, or null.
  [[nodiscard]] OutputFile* report_texts() noexcept { return report_texts_.get(); }
  /// Gives all files their final names, and some more files, which may be null.
  Result<void> commit(std::initializer_list<Staged*> also = {});

 private:
  /// If `places` is not null, it receives the places of the kept records.
  Result<std::uint64_t> write_kept(const Corpus& corpus, const Stays& stays, KeptPlaces* places);
  /// Copies records into the file of each source.
  using BeginFile = std::function<Result<void>(std::string_view path, bool is_archive)>;
  using WriteFile = std::function<Result<void>(std::string_view bytes)>;
  using CopyFiles = std::function<Result<void>(const BeginFile& begin, const WriteFile& write,
                                               const std::function<Result<void>()>& end)>;
  /// Copies records into one file. Returns their bytes. `written`, if not null, is told of them. If nothing
  /// was written to a table, none could be read: there are no columns to write, and the file is dropped,
  /// since an empty one is no table.
  static Result<std::uint64_t> write_file(std::unique_ptr<OutputFile>& file, std::string_view name,
                                          bool is_archive, WrittenFiles* written,
                                          const std::function<Result<void>(const WriteFile& write)>& copy);
  /// For records, into a folder.
  Result<std::uint64_t> write_kept_files(WrittenFiles* written, const CopyFiles& copy);
  /// Kept records with added fields, or some of them several times.
  Result<std::uint64_t> write_extended(const Corpus& corpus, const Outcome& outcome);
  Result<void> write_annotated(const Corpus& corpus, const IdTable& ids, const Outcome& outcome);
  /// For documents that are files: writes a list or a folder.
  Result<std::uint64_t> write_kept_documents(const Corpus& corpus, const Stays& stays, KeptPlaces* places);
  Result<void> write_quarantined(const Corpus& corpus);
  Result<void> write_removed(const Corpus& corpus, const IdTable& ids, const Outcome& outcome,
                             std::string_view method, bool own_text);
  Result<void> write_kept_similar(const Corpus& corpus, const IdTable& ids, const Outcome& outcome);
  Result<void> write_clusters(const IdTable& ids, const Outcome& outcome);
  Result<void> write_components(const IdTable& ids, const Outcome& outcome);
  Result<void> write_pairs(const IdTable& ids, const Outcome& outcome, bool own_text);

  DedupOutputs names_;
  StopToken stop_;
  const RunContext* run_ = nullptr;
  std::uint64_t names_with_line_feeds_ = 0, resampled_ = 0;
  Resampling resampling_;
  std::unique_ptr<OutputFolder> kept_folder_;  // replaces kept_
  std::unique_ptr<OutputFile> kept_, removed_, kept_similar_, clusters_, components_, pairs_, templates_,
      annotated_, quarantine_, report_, report_texts_, restorable_;
};

}  // namespace leitong
