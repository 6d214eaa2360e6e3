// The files that inputs stand for, in the order in which they are read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/compression.hpp"
#include "io/read_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

class FormatRegistry;
class RecordFormat;
struct InputOptions;

/// What a format has to remember of a source: what stands before its records, for example. Formats derive
/// from it what else they need.
struct SourceHead {
  virtual ~SourceHead() = default;
  std::string preamble;    ///< the exact bytes: a byte order mark, a CSV header with its line end
  bool is_table = false;   ///< an output that keeps no record keeps the preamble
  std::uint64_t rows = 0;  ///< of typed columns, once all are read: documents and others
  /// Records don't fill whole lines (objects in an array), so that each is written on a line of its own.
  bool is_scattered = false;
};

/// One file or pipe. 48 bytes, since there may be millions; paths lie in one string of the list.
struct Source {
  std::uint64_t path_begin = 0;
  const RecordFormat* format = nullptr;  ///< null while it isn't known
  const SourceHead* head = nullptr;      ///< owned by the list; null where there is nothing to remember
  FileStamp stamp;  ///< size as listed at first, and both as they were when the file was read
  std::uint32_t path_size = 0;
  bool reference = false;
  bool regular = false;  ///< a file that can be opened again; not a pipe or a device
  bool listed = false;   ///< found in a folder, not named
  bool given = false;    ///< no file: its format reads it by itself
};

/// Files of folders are listed recursively in byte order of their paths. Links are followed; a folder that
/// several links lead to is listed once, by its own path if that lies below the folder that was named, else
/// by the first of the links. Names that begin with a dot are passed over inside folders. What can't be
/// listed or isn't a file becomes a source with an error, and so does what its name tells to be of a kind
/// that isn't read (a PDF).
class SourceList {
 public:
  /// `formats` outlives the list.
  explicit SourceList(const FormatRegistry& formats) : formats_(&formats) {}

  /// Adds a file, a folder or "-". A `format` holds for all its files; null: each by its name or content.
  /// Fails if there is nothing at this path that may be read; but if the path was `found` in a folder and not
  /// named by a person, that is a source with an error, too.
  Result<void> add(const std::string& path, const RecordFormat* format, bool reference, bool found = false);
  /// Adds what is no file, a reference. `format` outlives the list.
  void add_given(std::string_view name, const RecordFormat* format, const FileStamp& stamp);

  /// Adds a file that is open already, without looking at it.
  void add_file(std::string_view path, const FileStamp& stamp);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(sources_.size()); }
  Source& operator[](std::uint32_t i) noexcept { return sources_[i]; }
  const Source& operator[](std::uint32_t i) const noexcept { return sources_[i]; }
  [[nodiscard]] std::string_view path(std::uint32_t i) const noexcept {
    return std::string_view(paths_).substr(sources_[i].path_begin, sources_[i].path_size);
  }
  /// Gives a source its head. Other sources' heads stay where they are.
  void set_head(std::uint32_t i, std::unique_ptr<const SourceHead> head) {
    sources_[i].head = head.get();
    heads_.push_back(std::move(head));
  }
  /// Why a source can't be read, or null.
  [[nodiscard]] const std::string* error(std::uint32_t i) const noexcept;
  /// Sum of the sizes as listed; 0 if a pipe is among them.
  [[nodiscard]] std::uint64_t total_bytes() const noexcept { return has_pipe_ ? 0 : total_bytes_; }

 private:
  struct Found;
  class FolderWalk;
  void add_source(std::string_view path, const RecordFormat* format, bool reference, bool regular,
                  bool listed, std::uint64_t size);
  void add_broken(std::string_view path, bool reference, std::string why);

  const FormatRegistry* formats_;
  std::string paths_;
  std::vector<Source> sources_;
  std::vector<std::unique_ptr<const SourceHead>> heads_;
  std::unordered_map<std::uint32_t, std::string> errors_;
  std::uint64_t total_bytes_ = 0;
  bool has_pipe_ = false;
};

/// All that the options name, references first. Fails with invalid_argument for a kind that isn't known.
Result<SourceList> list_sources(const InputOptions& options);

}  // namespace leitong
