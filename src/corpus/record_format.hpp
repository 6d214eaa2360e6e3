// How the records of a file are recognised, read, addressed and written. A format is one implementation of
// RecordFormat and one line in format_registry.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "corpus/batch.hpp"
#include "corpus/documents.hpp"
#include "corpus/field_appender.hpp"
#include "corpus/peeked_bytes.hpp"
#include "corpus/place_table.hpp"
#include "corpus/record_fields.hpp"
#include "corpus/text_cut.hpp"
#include "leitong/result.hpp"

namespace leitong {

class RecordFormat;
class RecordStore;
class SourceList;
struct Source;

/// Does an error of a source's bytes end the run? It does if the system refused to read a file that was
/// named. Faults of files found in a folder, and of compressed data, are quarantined records.
[[nodiscard]] bool ends_run(const Error& error, const Source& source) noexcept;
/// The error with the path before it, once.
[[nodiscard]] tl::unexpected<Error> error_at(std::string_view path, const Error& error);

/// What the parts of a format use. All of it outlives them.
struct InputAccess {
  SourceList& sources;
  RecordStore& store;
  const FieldNames& names;
  std::uint64_t max_record_bytes;
  std::uint64_t max_window_bytes;          ///< of compressed data, see make_decoder()
  std::atomic<std::uint64_t>& bytes_read;  ///< as stored, for progress
  StopToken stop;
  std::uint64_t memory = 0;  ///< the run's budget in bytes; 0: grows with the input
};

/// A source that will be streamed.
struct OpenedSource {
  std::uint32_t number;                ///< index in the list of sources
  std::unique_ptr<PeekedBytes> bytes;  ///< from its beginning, uncompressed; null for Source::given
  /// The bytes cannot be read again from their source (a pipe, compressed data, another encoding): the reader
  /// passes all of them to the store's spool, which can return them.
  bool spooled;
};

/// The beginning of a source.
struct Beginning {
  std::string_view bytes;  ///< uncompressed, without a byte order mark
  bool is_stream;          ///< standard input, a pipe or a device
};

/// Divides one source into batches. For one thread.
class RecordStream {
 public:
  virtual ~RecordStream() = default;
  /// The next records of the source; null at its end. Fills the batch's data about places; the reader fills
  /// `source`. Damaged data are a fault of the batch. An error ends the run.
  virtual Result<std::unique_ptr<Batch>> next() = 0;
};

/// A thread's reader for the records of a format; keeps its buffers.
class RecordParser {
 public:
  virtual ~RecordParser() = default;
  /// Fills the results of parse() into a batch that a stream of this format made, or a batch of files if each
  /// is one document, and calls `each` for the accepted records in order.
  virtual void parse(Batch& batch, const EachDocument& each) = 0;
  /// Reads a committed record again. The result is valid until the next call. Fails with corrupt if the
  /// source has changed.
  virtual Result<const RecordFields*> read(const Place& place) = 0;
  /// The names of a committed record's fields, and within the objects that lead to `path`, for messages; none
  /// if records do not name them.
  virtual Result<std::vector<std::string>> field_names(const Place& /*place*/, std::string_view /*path*/) {
    return std::vector<std::string>();
  }
};

using WriteBytes = std::function<Result<void>(std::string_view bytes)>;

/// The position of a record in an output.
struct KeptPlace {
  std::uint64_t begin = 0, size = 0;  ///< in bytes, with the line end of the record in its source
  bool unchanged = true;              ///< byte for byte as in its source, but for what was cut of its text
};

/// Writes records of one format into one output, in the order of their places.
class KeptWriter {
 public:
  virtual ~KeptWriter() = default;
  /// Begins a source; what comes before its records is written even if no record follows. add() does this by
  /// itself.
  virtual Result<void> begin(std::uint32_t source) = 0;
  virtual Result<void> add(const Place& place) = 0;
  /// add_cut() will be called: call it first. `format` has made this writer. Fails with unsupported if its
  /// records can't be changed.
  virtual Result<void> prepare_cuts(const RecordFormat& /*format*/) {
    return fail(ErrorCode::unsupported, "records of this format can't be changed");
  }
  /// Adds a record without these bytes of its text. `edits` becomes what was done to its bytes; nothing if it
  /// has none of its own.
  virtual Result<void> add_cut(const Place& /*place*/, std::span<const ByteRange> /*cuts*/,
                               std::span<const TextEdit>& /*edits*/) {
    return fail(ErrorCode::unsupported, "records of this format can't be changed");
  }
  /// Gives the records that add_extended() adds, which are then all, these fields. Call it first. Fails with
  /// unsupported if records of `format`, which has made this writer, can't carry them.
  virtual Result<void> extend(const RecordFormat& /*format*/, const std::vector<AddedField>& /*fields*/) {
    return fail(ErrorCode::unsupported, "records of this format can't carry added fields");
  }
  /// Adds a record with a value for each of these fields.
  virtual Result<void> add_extended(const Place& /*place*/, std::span<const AddedValue> /*values*/) {
    return fail(ErrorCode::unsupported, "records of this format can't carry added fields");
  }
  /// The place of the record that was added last. Not for rows.
  [[nodiscard]] virtual KeptPlace last() const { return {}; }
  virtual Result<void> finish() = 0;
};

/// The properties of a format.
struct FormatInfo {
  std::string_view name;                  ///< its name as a kind
  std::vector<std::string_view> endings;  ///< endings of file names, in lower case, with the dot
  bool one_document_a_file = false;
  /// Records hold bytes of any kind, so that a source as a whole is no text, and each record is a compressed
  /// member of its own.
  bool is_archive = false;
  /// Rows of typed columns in a binary file.
  bool is_table = false;
  /// Documents of a word processor and the like, whose text another program reads.
  bool is_office = false;
  /// Why a changed text can't be written back into a record; empty if it can, or if that needs no reason.
  std::string_view why_uncut = {};

  /// Is a source one text in some encoding?
  [[nodiscard]] bool is_text() const noexcept { return !is_archive && !is_table && !is_office; }
};

/// Stateless: the objects that it makes hold the state. Virtual calls are made once for each batch, or for
/// each record that is read again.
class RecordFormat {
 public:
  explicit RecordFormat(FormatInfo info) : info_(std::move(info)) {}
  virtual ~RecordFormat() = default;
  RecordFormat(const RecordFormat&) = delete;
  RecordFormat& operator=(const RecordFormat&) = delete;

  [[nodiscard]] const FormatInfo& info() const noexcept { return info_; }
  /// Is a source whose name tells nothing in this format? Formats are tried in their order.
  [[nodiscard]] virtual bool claims(const Beginning& /*beginning*/) const { return false; }

  /// Begins to read a source. The source may get a head (SourceList::set_head). Fails for impossible options
  /// (a missing column).
  [[nodiscard]] virtual Result<std::unique_ptr<RecordStream>> open(const InputAccess& access,
                                                                   OpenedSource source) const = 0;
  [[nodiscard]] virtual std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const = 0;
  /// Takes pieces out of the texts of records that are bytes; null if their format can't write a changed
  /// text.
  [[nodiscard]] virtual std::unique_ptr<TextCutter> new_cutter(const InputAccess& /*access*/) const {
    return nullptr;
  }
  /// Adds fields to records that are bytes; null if their format can't carry them.
  [[nodiscard]] virtual std::unique_ptr<FieldAppender> new_appender(
      const std::vector<AddedField>& /*fields*/) const {
    return nullptr;
  }
  /// Are places offsets and lengths of bytes, as in byte_format.hpp?
  [[nodiscard]] virtual bool has_byte_places() const noexcept { return false; }
  /// Why records of two sources of this format cannot be in one output; empty if they can.
  [[nodiscard]] virtual std::string mismatch(const Source& /*a*/, const Source& /*b*/) const { return {}; }
  /// Its output can be read as this format. `write` outlives it.
  [[nodiscard]] virtual std::unique_ptr<KeptWriter> new_writer(const InputAccess& access,
                                                               const WriteBytes& write) const = 0;

 private:
  FormatInfo info_;
};

/// The formats of a run, in the order in which they are tried.
class FormatRegistry {
 public:
  explicit FormatRegistry(std::vector<const RecordFormat*> formats) : formats_(std::move(formats)) {}
  [[nodiscard]] const std::vector<const RecordFormat*>& formats() const noexcept { return formats_; }
  /// The format of this name, or null.
  [[nodiscard]] const RecordFormat* by_name(std::string_view name) const noexcept;
  /// The format for the ending of a path, without endings of compression and without regard to case; null if
  /// that does not tell.
  [[nodiscard]] const RecordFormat* by_ending(std::string_view path) const noexcept;
  /// The first format that claims it, or null.
  [[nodiscard]] const RecordFormat* by_content(const Beginning& beginning) const;
  /// The allowed kinds.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<const RecordFormat*> formats_;
};

/// All formats that leitong reads.
[[nodiscard]] const FormatRegistry& standard_formats();

}  // namespace leitong
