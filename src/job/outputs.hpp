// The files of a run: all begun before the work, all finished after it, or none.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "io/output_folder.hpp"
#include "job/id_table.hpp"
#include "job/outcome.hpp"
#include "job/restorable.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Is a document kept?
using Stays = std::function<bool(DocId document)>;

/// The open outputs of one run.
class OutputSet {
 public:
  /// Opens temporary files for all, so that a name that can't be written is known before the work.
  /// The run outlives it.
  static Result<OutputSet> create(const DedupOutputs& names, const RunContext& run);

  /// Can KEPT be written from what was read? To be asked when all has been read, before hours of work.
  [[nodiscard]] Result<void> check(const Corpus& corpus) const;
  /// Writes everything but the report. Returns the bytes of kept records.
  /// `own_text`: were templates left out? Then rows say what is left without them, and why.
  Result<std::uint64_t> write(const Corpus& corpus, const Outcome& outcome, std::string_view method,
                              bool own_text);
  /// Writes the kept records and the quarantine alone, for a run that decides of each document by itself. The
  /// same.
  Result<std::uint64_t> write(const Corpus& corpus, const Stays& stays);
  /// Kept paths that make two lines of the list; none where a zero byte ends them.
  [[nodiscard]] std::uint64_t names_with_line_feeds() const noexcept { return names_with_line_feeds_; }
  /// The report's file, or null.
  [[nodiscard]] OutputFile* report() noexcept { return report_.get(); }
  /// Makes them all appear under their names, and `also` one more file.
  Result<void> commit(Staged* also = nullptr);

 private:
  /// `places`, where it is given, is told where the kept records stand.
  Result<std::uint64_t> write_kept(const Corpus& corpus, const Stays& stays, KeptPlaces* places);
  Result<std::uint64_t> write_kept_files(const Corpus& corpus, const Stays& stays, KeptPlaces* places);
  /// Of documents that are files: a list or a folder.
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
  std::uint64_t names_with_line_feeds_ = 0;
  std::unique_ptr<OutputFolder> kept_folder_;  // in place of kept_
  std::unique_ptr<OutputFile> kept_, removed_, kept_similar_, clusters_, components_, pairs_, templates_,
      quarantine_, report_, restorable_;
};

}  // namespace leitong
