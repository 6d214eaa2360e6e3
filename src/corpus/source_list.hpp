// The files that inputs stand for, in the order in which they are read.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/compression.hpp"
#include "corpus/csv_record.hpp"
#include "corpus/input_kind.hpp"
#include "io/read_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

struct InputOptions;

/// What stands before the records of a source.
struct SourceHead {
  std::string preamble;  ///< the exact bytes: a byte order mark, a CSV header with its line end
  CsvLayout csv;
};

/// One file or pipe. 48 bytes, since there may be millions; paths lie in one string of the list.
struct Source {
  std::uint64_t path_begin = 0;
  std::uint32_t path_size = 0;
  InputKind kind = InputKind::automatic;
  Compression compression = Compression::none;
  bool reference = false;
  bool regular = false;  ///< a file that can be opened again; not a pipe or a device
  bool listed = false;   ///< found in a folder, not named
  FileStamp stamp;       ///< size as listed at first, and both as they were when the file was read
  const SourceHead* head = nullptr;  ///< owned by the list; null where there is nothing before the records
};

/// Files of folders are listed recursively in byte order of their paths. Links are followed, except back into
/// a folder that is being listed. Names that begin with a dot are passed over inside folders. What can't be
/// listed or isn't a file becomes a source with an error.
class SourceList {
 public:
  /// Adds a file, a folder or "-". `kind` other than automatic holds for all its files. Fails if there is
  /// nothing at this path that may be read; but if the path was `found` in a folder and not named by a
  /// person, that is a source with an error, too.
  Result<void> add(const std::string& path, InputKind kind, bool reference, bool found = false);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(sources_.size()); }
  Source& operator[](std::uint32_t i) noexcept { return sources_[i]; }
  const Source& operator[](std::uint32_t i) const noexcept { return sources_[i]; }
  [[nodiscard]] std::string_view path(std::uint32_t i) const noexcept {
    return std::string_view(paths_).substr(sources_[i].path_begin, sources_[i].path_size);
  }
  /// Gives a source its head. Other sources' heads stay where they are.
  void set_head(std::uint32_t i, SourceHead head) {
    sources_[i].head = &heads_.emplace_back(std::move(head));
  }
  /// Why a source can't be read, or null.
  [[nodiscard]] const std::string* error(std::uint32_t i) const noexcept;
  /// Sum of the sizes as listed; 0 if a pipe is among them.
  [[nodiscard]] std::uint64_t total_bytes() const noexcept { return has_pipe_ ? 0 : total_bytes_; }

 private:
  struct Ancestor {
    std::uint64_t device, inode;
    bool operator==(const Ancestor&) const = default;
  };
  Source& add_source(std::string_view path, InputKind kind, bool reference, bool regular, std::uint64_t size);
  void add_broken(std::string_view path, bool reference, std::string why);
  void add_folder(const std::string& path, InputKind kind, bool reference, std::vector<Ancestor>& ancestors);

  std::string paths_;
  std::vector<Source> sources_;
  std::deque<SourceHead> heads_;
  std::unordered_map<std::uint32_t, std::string> errors_;
  std::uint64_t total_bytes_ = 0;
  bool has_pipe_ = false;
};

/// All that the options name, references first.
Result<SourceList> list_sources(const InputOptions& options);

}  // namespace leitong
