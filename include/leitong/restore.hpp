// The input of a run again, from the records that it kept and the file of what it removed
// (DedupOutputs::restorable).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What is restored, and to where.
struct RestoreJob {
  /// What the run wrote as DedupOutputs::kept: a file, also compressed or "-" (standard input); a list of
  /// paths, whose files are read where they are; or a folder.
  std::string kept = {};
  std::string restorable = {};  ///< what it wrote as DedupOutputs::restorable; a file, since it is mapped
  /// A file ("-": standard output), compressed by its name; or, if it ends in / or is a folder, a folder with
  /// a file for each one of the input, of the same path. Several files need a folder.
  std::string output = {};
  /// Only the removed record that outputs call so: by its id, or its place, "data.jsonl:12", if it has none.
  /// The first one, if there are several.
  std::string id = {};
  bool force = false;  ///< replaces a file that exists; a folder has to be new or empty
};

/// What came back.
struct RestoreSummary {
  std::uint64_t files = 0;    ///< of the input
  std::uint64_t bytes = 0;    ///< written, before they were compressed
  std::uint64_t records = 0;  ///< removed ones among these
  /// A file of the input of which not all could be read, when the run read it.
  struct Lost {
    std::string path;  ///< of the file
    std::string why;   ///< why it ends too early, or is not there
  };
  std::vector<Lost> lost;  ///< in the order of the input
};

/// Writes the input again, byte for byte and in its order. Of what was compressed, or in another encoding
/// than UTF-8, it writes the unpacked stream of UTF-8 that the run read (a file that is one document comes
/// back as it was). All bytes are held against checksums, and the output appears when it is whole. Linear in
/// the bytes of the input; memory does not grow with them, but with the number of files.
///
/// Fails with not_found and io for files, and for an id that no removed record has; with corrupt, naming what
/// and where, if a byte of either input is not what the run wrote; with invalid_argument for outputs that
/// can't be meant; with unsupported for a file of another version; with cancelled.
[[nodiscard]] Result<RestoreSummary> restore_files(const Context& context, const RestoreJob& job);

}  // namespace leitong
