// Restores the input of a run from the records that it kept and the file of what it removed
// (DedupOutputs::restorable).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What is restored, and where it is written.
struct RestoreJob {
  /// What the run wrote as DedupOutputs::kept: a file, also compressed or "-" (standard input); a list of
  /// paths, whose files are read; or a folder.
  std::string kept = {};
  /// What the run wrote as DedupOutputs::restorable; a file, since it is mapped.
  std::string restorable = {};
  /// A file ("-": standard output), compressed according to its name; or, if the name ends in / or is a
  /// folder, a folder with one file for each input file, under the same path. Several input files need a
  /// folder.
  std::string output = {};
  /// Restores only the first removed record with this id, or, for a record without an id, with this place
  /// ("data.jsonl:12").
  std::string id = {};
  bool force = false;  ///< replaces an existing file; a folder has to be new or empty
};

/// What was restored.
struct RestoreSummary {
  std::uint64_t files = 0;    ///< number of files of the input
  std::uint64_t bytes = 0;    ///< bytes written, before compression
  std::uint64_t records = 0;  ///< removed records that were restored
  /// A file of the input that the run could not read completely.
  struct Lost {
    std::string path;  ///< path of the file
    std::string why;   ///< why it ends too early or is missing
  };
  std::vector<Lost> lost;  ///< in the order of the input
};

/// Writes the input again, byte for byte and in its order. For compressed input, or input in another encoding
/// than UTF-8, it writes the unpacked UTF-8 that the run read (a file that is one document comes back
/// unchanged). All bytes are verified by checksums, and the output appears when it is complete. Linear in the
/// bytes of the input. Memory grows only with the number of files.
///
/// Fails with not_found and io for files, and for an id that no removed record has; with corrupt, naming the
/// file and the place, if a byte of either input is not what the run wrote; with invalid_argument for
/// impossible outputs; with unsupported for a file of another version; with cancelled.
[[nodiscard]] Result<RestoreSummary> restore_files(const Context& context, const RestoreJob& job);

}  // namespace leitong
