// The files of a run: all begun before the work, all finished after it, or none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "io/output_folder.hpp"
#include "job/id_table.hpp"
#include "job/outcome.hpp"
#include "leitong/job.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The open outputs of one run.
class OutputSet {
 public:
  /// Opens temporary files for all, so that a name that can't be written is known before the work.
  static Result<OutputSet> create(const DedupOutputs& names, StopToken stop);

  /// Can KEPT be written from what was read? To be asked when all has been read, before hours of work.
  [[nodiscard]] Result<void> check(const Corpus& corpus) const;
  /// Writes everything but the report. Returns the bytes of kept records.
  /// `own_text`: were templates left out? Then rows say what is left without them, and why.
  Result<std::uint64_t> write(const Corpus& corpus, const Outcome& outcome, std::string_view method,
                              bool own_text);
  /// Kept paths that make two lines of the list; none where a zero byte ends them.
  [[nodiscard]] std::uint64_t names_with_line_feeds() const noexcept { return names_with_line_feeds_; }
  /// The report's file, or null.
  [[nodiscard]] OutputFile* report() noexcept { return report_.get(); }
  /// Makes them all appear under their names.
  Result<void> commit();

 private:
  Result<std::uint64_t> write_kept(const Corpus& corpus, const Outcome& outcome);
  Result<std::uint64_t> write_kept_files(const Corpus& corpus, const Outcome& outcome);
  Result<void> write_removed(const Corpus& corpus, const IdTable& ids, const Outcome& outcome,
                             std::string_view method, bool own_text);
  Result<void> write_kept_similar(const Corpus& corpus, const IdTable& ids, const Outcome& outcome);
  Result<void> write_clusters(const IdTable& ids, const Outcome& outcome);
  Result<void> write_components(const IdTable& ids, const Outcome& outcome);
  Result<void> write_pairs(const IdTable& ids, const Outcome& outcome, bool own_text);

  DedupOutputs names_;
  StopToken stop_;
  std::uint64_t names_with_line_feeds_ = 0;
  std::unique_ptr<OutputFolder> kept_folder_;  // in place of kept_
  std::unique_ptr<OutputFile> kept_, removed_, kept_similar_, clusters_, components_, pairs_, templates_,
      quarantine_, report_;
};

}  // namespace leitong
