// How the records of a file are recognised, read, addressed and written again. A format is one implementation
// of RecordFormat and one line in format_registry.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "corpus/batch.hpp"
#include "corpus/documents.hpp"
#include "corpus/peeked_bytes.hpp"
#include "corpus/place_table.hpp"
#include "corpus/record_fields.hpp"
#include "leitong/result.hpp"

namespace leitong {

class RecordStore;
class SourceList;
struct Source;

/// Whether an error of a source's bytes ends the run: the system refused to read a file that was named. What
/// is wrong with a file that was found in a folder, or with compressed data, is a quarantined record.
[[nodiscard]] bool ends_run(const Error& error, const Source& source) noexcept;
/// The error with the path in front, once.
[[nodiscard]] tl::unexpected<Error> error_at(std::string_view path, const Error& error);

/// What a format's parts work with. All of it outlives them.
struct InputAccess {
  SourceList& sources;
  RecordStore& store;
  const FieldNames& names;
  std::uint64_t max_record_bytes;
  std::uint64_t max_window_bytes;          ///< of compressed data, see make_decoder()
  std::atomic<std::uint64_t>& bytes_read;  ///< as stored, for progress
  StopToken stop;
  std::uint64_t memory = 0;  ///< the run's budget in bytes; 0: it grows with the input
};

/// A source that is about to be streamed.
struct OpenedSource {
  std::uint32_t number;                ///< in the list of sources
  std::unique_ptr<PeekedBytes> bytes;  ///< from its beginning, uncompressed; none of Source::given
  /// The bytes can't be had again from where they come (a pipe, compressed data, another encoding): what
  /// reads them hands all of them on to the store's spool, which gives them back.
  bool spooled;
};

/// How a source begins.
struct Beginning {
  std::string_view bytes;  ///< uncompressed, without a byte order mark
  bool is_stream;          ///< standard input, a pipe or a device
};

/// Cuts one source into batches. One thread.
class RecordStream {
 public:
  virtual ~RecordStream() = default;
  /// The next records of the source; null at its end. It fills what Batch says about places; the reader fills
  /// `source`. Damaged data is a fault of the batch. An error ends the run.
  virtual Result<std::unique_ptr<Batch>> next() = 0;
};

/// One thread's reader of a format's records; keeps its buffers.
class RecordParser {
 public:
  virtual ~RecordParser() = default;
  /// Fills what parse() fills of a batch that a stream of this format made, or a batch of files where each is
  /// one document, and calls `each` for the accepted records in order.
  virtual void parse(Batch& batch, const EachDocument& each) = 0;
  /// One committed record again. What it returns lives until the next call. A source that has changed is
  /// ErrorCode::corrupt.
  virtual Result<const RecordFields*> read(const Place& place) = 0;
  /// The names of a committed record's fields, and within the objects that lead to `path`, for messages; none
  /// where records do not name them.
  virtual Result<std::vector<std::string>> field_names(const Place& /*place*/, std::string_view /*path*/) {
    return std::vector<std::string>();
  }
};

using WriteBytes = std::function<Result<void>(std::string_view bytes)>;

/// Where a record stands in an output.
struct KeptPlace {
  std::uint64_t begin = 0, size = 0;  ///< bytes, with the line end that the record has in its source
  bool unchanged = true;              ///< byte for byte as in its source
};

/// Writes records of one format into one output, in the order of their places.
class KeptWriter {
 public:
  virtual ~KeptWriter() = default;
  /// What follows is of this source; what stands before its records is written even if none follows. add()
  /// does so by itself.
  virtual Result<void> begin(std::uint32_t source) = 0;
  virtual Result<void> add(const Place& place) = 0;
  /// Of the record that was added last. Not of rows.
  [[nodiscard]] virtual KeptPlace last() const { return {}; }
  virtual Result<void> finish() = 0;
};

/// What is the same for all files of a format.
struct FormatInfo {
  std::string_view name;                  ///< as `--kind` takes it
  std::vector<std::string_view> endings;  ///< of file names, in small letters, with their dot
  bool one_document_a_file = false;
  /// Records hold bytes of any kind, so that a source is no text as a whole, and each record is a member of
  /// its own where the file is compressed.
  bool is_archive = false;
  /// Rows of typed columns in a binary file.
  bool is_table = false;

  /// Whether a source is one text in some encoding.
  [[nodiscard]] bool is_text() const noexcept { return !is_archive && !is_table; }
};

/// Stateless: what it makes holds the state. Virtual calls come once a batch, or once a record that is read
/// again.
class RecordFormat {
 public:
  explicit RecordFormat(FormatInfo info) : info_(std::move(info)) {}
  virtual ~RecordFormat() = default;
  RecordFormat(const RecordFormat&) = delete;
  RecordFormat& operator=(const RecordFormat&) = delete;

  [[nodiscard]] const FormatInfo& info() const noexcept { return info_; }
  /// Whether a source whose name tells nothing is of this format. Formats are asked in their order.
  [[nodiscard]] virtual bool claims(const Beginning& /*beginning*/) const { return false; }

  /// Begins to read a source. The source may be given a head (SourceList::set_head). Fails if it can't be
  /// meant (a column that isn't there).
  [[nodiscard]] virtual Result<std::unique_ptr<RecordStream>> open(const InputAccess& access,
                                                                   OpenedSource source) const = 0;
  [[nodiscard]] virtual std::unique_ptr<RecordParser> new_parser(const InputAccess& access) const = 0;
  /// Whether places are offsets and lengths of bytes, as byte_format.hpp has them.
  [[nodiscard]] virtual bool has_byte_places() const noexcept { return false; }
  /// Why records of two sources of this format can't stand in one output, or empty.
  [[nodiscard]] virtual std::string mismatch(const Source& /*a*/, const Source& /*b*/) const { return {}; }
  /// What it writes may be read again as this format. `write` outlives it.
  [[nodiscard]] virtual std::unique_ptr<KeptWriter> new_writer(const InputAccess& access,
                                                               const WriteBytes& write) const = 0;

 private:
  FormatInfo info_;
};

/// The formats that a run knows, in the order in which they are asked.
class FormatRegistry {
 public:
  explicit FormatRegistry(std::vector<const RecordFormat*> formats) : formats_(std::move(formats)) {}
  [[nodiscard]] const std::vector<const RecordFormat*>& formats() const noexcept { return formats_; }
  /// The format of this name, or null.
  [[nodiscard]] const RecordFormat* by_name(std::string_view name) const noexcept;
  /// By the ending of a path, endings of compression aside and whatever the case of its letters; null if that
  /// doesn't tell.
  [[nodiscard]] const RecordFormat* by_ending(std::string_view path) const noexcept;
  /// The first format that claims it, or null.
  [[nodiscard]] const RecordFormat* by_content(const Beginning& beginning) const;
  /// What `--kind` may be.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<const RecordFormat*> formats_;
};

/// All that leitong reads.
[[nodiscard]] const FormatRegistry& standard_formats();

}  // namespace leitong
