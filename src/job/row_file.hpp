// The outputs that consist of rows: text, or a table of the same columns if the name of the file says so.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pair.hpp"
#include "base/stop.hpp"
#include "base/try.hpp"
#include "cluster/pairs_file.hpp"
#include "cluster/settle.hpp"
#include "io/output_file.hpp"
#include "io/table_files.hpp"
#include "leitong/byte_range.hpp"
#include "leitong/result.hpp"
#include "similarity/relation.hpp"

namespace leitong {

/// The rows of one output, collected in blocks.
class RowFile {
 public:
  /// `name` is that of the file. If it names a table, `columns` are its columns. Both must outlive this
  /// object. Fails as table_files().
  static Result<RowFile> open(OutputFile& file, std::string_view name, std::vector<TableColumn> columns);

  /// Null if rows are text.
  [[nodiscard]] TableWriter* table() noexcept { return table_.get(); }
  /// The text to which a row is appended.
  [[nodiscard]] std::string& text() noexcept { return text_; }
  Result<void> end_row();
  Result<void> finish();

 private:
  explicit RowFile(OutputFile& file) : file_(&file) {}
  Result<void> flush();

  OutputFile* file_;
  std::string text_;
  std::unique_ptr<TableWriter> table_;
};

/// A path may be any bytes: the text with U+FFFD for those that are not UTF-8, as in JSON. In `buffer` if it
/// differs.
[[nodiscard]] std::string_view shown_text(std::string_view text, std::string& buffer);

/// Checks that files of these names can be written, of which some may be tables. To be called before hours of
/// work.
[[nodiscard]] Result<void> check_row_files(const std::vector<std::string>& names);

/// What rows say about losses: nothing, how much, or also the place of the longest lost stretch in the text.
enum class LossColumns : std::uint8_t { none, without_places, with_places };

/// A document that was removed. `place` and `method` occur together, `reason` and `loss` independently.
struct RemovedRow {
  std::string_view id, kept;
  std::uint32_t cluster = 0;
  Measure measure = Measure::identical;
  float score = 1;
  std::optional<std::string> place = std::nullopt;
  std::string kept_place = {};  ///< place of the kept document; written if there is a place
  std::string_view method = {};
  std::optional<std::string> reason = std::nullopt;
  std::optional<Loss> loss = std::nullopt;
  Relation relation = Relation::copy;               ///< if there is a loss
  std::optional<ByteRange> longest = std::nullopt;  ///< the longest lost stretch, in bytes of its text
};
/// The columns of rows of this kind.
[[nodiscard]] std::vector<TableColumn> removed_columns(bool places_and_method, bool reason, LossColumns loss);
Result<void> write_row(RowFile& file, const RemovedRow& row);

/// A document that stays because of what would be lost, though it is similar to another one that stays.
struct StayingRow {
  std::string_view id;
  std::string place;
  /// Of the documents that stay, the one that lacks least of it; empty: none is similar.
  std::string_view relative;
  std::uint32_t cluster = 0;
  std::string reason;
  Loss loss = {};                      ///< what the relative lacks of it
  Relation relation = Relation::copy;  ///< relation of the two
  ByteRange longest = {};
};
[[nodiscard]] std::vector<TableColumn> staying_columns();
Result<void> write_row(RowFile& file, const StayingRow& row);

/// An id, the number of a set, and, where documents may leave for others, the id of the one that is kept.
[[nodiscard]] std::vector<TableColumn> number_columns(std::string_view set, bool kept = false);
Result<void> write_row(RowFile& file, std::string_view id, std::uint32_t number,
                       std::optional<std::string_view> kept = std::nullopt);
/// Writes such a row for each document whose number is not 0. `clusters`: the settlement that made them.
template <class Ids, class Numbers>
Result<void> write_numbers(RowFile& file, const Ids& ids, const Numbers& numbers,
                           const Settlement* clusters = nullptr) {
  for (DocId d = 0; d < numbers.size(); ++d) {
    if (numbers[d] == 0) continue;
    std::optional<std::string_view> kept;
    if (clusters != nullptr && clusters->by_losses()) kept = ids[clusters->kept[d]];
    LEITONG_TRY(write_row(file, ids[d], numbers[d], kept));
  }
  return file.finish();
}

/// Similar pairs. begin_pairs() writes what precedes the first row of text.
[[nodiscard]] std::vector<TableColumn> pair_columns(PairsVersion version);
void begin_pairs(RowFile& file, PairsVersion version);
/// Writes row_of(0), row_of(1) and so on in this order. Rows of text are made on the threads of the run, so
/// row_of() is called by any of them.
Result<void> write_rows(RowFile& file, std::size_t rows, const std::function<PairRow(std::size_t)>& row_of,
                        PairsVersion version, StopToken stop);

}  // namespace leitong
