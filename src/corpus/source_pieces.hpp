// Reads the bytes of sources again, from the first to the last, divided where records begin and end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/padded_bytes.hpp"
#include "corpus/place_table.hpp"
#include "corpus/record_format.hpp"
#include "corpus/record_store.hpp"

namespace leitong {

/// The longest piece; a longer record comes in several pieces.
inline constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Takes the pieces of sources in their order.
class PieceSink {
 public:
  virtual ~PieceSink() = default;
  /// `stored`: the bytes are those of the file; otherwise they were unpacked or decoded. `table`: the name of
  /// the format if it has rows of typed columns (then no pieces follow); else empty.
  virtual Result<void> begin_source(std::string_view path, bool stored, std::string_view table) = 0;
  /// Bytes [begin, begin + bytes.size()) of the `size` bytes of a document's record with its line end; for
  /// kNoDocument, bytes that belong to no document: a header, blank lines, quarantined records.
  virtual Result<void> piece(DocId document, std::uint64_t begin, std::uint64_t size,
                             std::string_view bytes) = 0;
  /// `lost`: why the source's bytes, or those after the pieces, cannot be read; else empty.
  virtual Result<void> end_source(std::string_view lost) = 0;
};

/// What became of a row of a table.
enum class RowFate : std::uint8_t {
  stays,    ///< it is in the output
  changed,  ///< it is there with another text
  left      ///< it is not
};

/// Takes the rows of tables that an output of kept rows lacks.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual Result<void> begin_table(std::string_view path) = 0;
  /// The next row of the table.
  virtual void row(RowFate fate, DocId document) = 0;
  /// The bytes of a table of the rows that do not stay, as they were, if there are any.
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual Result<void> end_table() = 0;
};

/// Divides one source after another. REQUIRES the end of the corpus's stream.
class SourcePieces {
 public:
  SourcePieces(const InputAccess& access, const PlaceTable& places) : access_(access), places_(places) {}

  /// The pieces of one source, whose first document is `document`; returns the first document of the next
  /// source. `cut`: why its bytes end early, or empty. A changed file is an error.
  Result<DocId> cut_source(std::uint32_t source, DocId document, std::string_view cut, PieceSink& sink);

 private:
  /// Begins to read the source. Returns why it cannot be read, or an empty string.
  Result<std::string> open(std::uint32_t source);
  /// Bytes from `offset` on, at least `least` of them unless the source ends before. Offsets ascend.
  Result<std::string_view> bytes_at(std::uint64_t offset, std::size_t least);
  Result<void> hand_on(PieceSink& sink, DocId document, std::uint64_t begin, std::uint64_t size);
  Result<std::size_t> line_end_at(std::uint64_t offset);

  const InputAccess& access_;
  const PlaceTable& places_;
  std::uint32_t source_ = 0;
  std::uint64_t size_ = 0;        // of the source
  std::optional<ReadFile> file_;  // empty if it is in the spool
  StoreCursor cursor_;
  std::string window_;
  std::uint64_t window_begin_ = 0;
};

/// Reads the bytes of records as kept_copy.hpp writes them. For one thread.
class KeptBytes {
 public:
  explicit KeptBytes(const InputAccess& access) : access_(access) {}
  /// Bytes [begin, begin + size) of a record with its line end. REQUIRES that it has them.
  Result<void> read(const Place& place, std::uint64_t begin, std::size_t size, char* out);

 private:
  const InputAccess& access_;
  StoreCursor cursor_;
  PaddedBytes record_, line_;
};

}  // namespace leitong
