// The files of the inputs, in the order in which they are read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/compression.hpp"
#include "io/read_file.hpp"
#include "leitong/result.hpp"

namespace leitong {

class FormatRegistry;
class RecordFormat;
struct InputOptions;

/// What a format stores about a source, such as what comes before its records. Formats derive from it.
struct SourceHead {
  virtual ~SourceHead() = default;
  std::string preamble;    ///< the exact bytes: a byte order mark, a CSV header with its line end
  bool is_table = false;   ///< an output without kept records keeps the preamble
  std::uint64_t rows = 0;  ///< for typed columns, after all are read: documents and others
  /// Records do not fill whole lines (objects in an array), so each is written on a line of its own.
  bool is_scattered = false;
};

/// A file or pipe. 48 bytes, because there may be millions; paths are in one string of the list.
struct Source {
  std::uint64_t path_begin = 0;
  const RecordFormat* format = nullptr;  ///< null while it is not known
  const SourceHead* head = nullptr;      ///< owned by the list; null if there is nothing to store
  FileStamp stamp;  ///< size as first listed; after reading, size and time of the file that was read
  std::uint32_t path_size = 0;
  bool reference = false;
  bool regular = false;      ///< a file that can be opened again; no pipe or device
  bool listed = false;       ///< found in a folder, not named
  bool given : 1 = false;    ///< no file: its format reads it itself
  bool decoded : 1 = false;  ///< its bytes are read as UTF-8, and are in another encoding
};

/// Files of folders are listed recursively in byte order of their paths. Links are followed; a folder behind
/// several links is listed once, by its own path if that is below the named folder, else by the first of the
/// links. Names that begin with a dot are skipped inside folders, and so are the files that writers of
/// datasets put beside their data (_SUCCESS, _metadata, state.json beside Arrow files). What cannot be listed
/// or is no file becomes a source with an error, and so does a file whose name shows a kind that is not read
/// (a PDF).
class SourceList {
 public:
  /// `formats` outlives the list.
  explicit SourceList(const FormatRegistry& formats) : formats_(&formats) {}

  /// Adds a file, a folder or "-". A `format` applies to all its files; null: each by its name or content.
  /// Fails if there is nothing readable at this path; but if the path was `found` in a folder instead of
  /// named by a person, this is also a source with an error.
  Result<void> add(const std::string& path, const RecordFormat* format, bool reference, bool found = false);
  /// Adds a reference that is no file. `format` outlives the list.
  void add_given(std::string_view name, const RecordFormat* format, const FileStamp& stamp);

  /// Adds a file that is already open, without examining it.
  void add_file(std::string_view path, const FileStamp& stamp);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(sources_.size()); }
  Source& operator[](std::uint32_t i) noexcept { return sources_[i]; }
  const Source& operator[](std::uint32_t i) const noexcept { return sources_[i]; }
  [[nodiscard]] std::string_view path(std::uint32_t i) const noexcept {
    return std::string_view(paths_).substr(sources_[i].path_begin, sources_[i].path_size);
  }
  /// Gives a source its head. The heads of other sources keep their addresses.
  void set_head(std::uint32_t i, std::unique_ptr<const SourceHead> head) {
    sources_[i].head = head.get();
    heads_.push_back(std::move(head));
  }
  /// Why a source cannot be read, or null.
  [[nodiscard]] const std::string* error(std::uint32_t i) const noexcept;
  /// Refuses a source whose bytes have been looked at.
  void set_error(std::uint32_t i, std::string why) { errors_.emplace(i, std::move(why)); }
  /// The sum of the listed sizes; 0 if there is a pipe.
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

/// All sources that the options name, references first. Fails with invalid_argument for an unknown kind.
Result<SourceList> list_sources(const InputOptions& options);

}  // namespace leitong
