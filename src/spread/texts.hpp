// The texts of a spread run, which any part can read by their places. Records of plain files are read where
// they are; those of compressed files and tables are copied, compressed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/placed_records.hpp"
#include "io/run_context.hpp"
#include "spread/part_file.hpp"
#include "spread/plan.hpp"
#include "spread/rows.hpp"

namespace leitong::spread {

/// Writes what is needed to read the records of one input again.
class TextWriter {
 public:
  /// `placed`: the source of its records; without a kind they are copied.
  static Result<TextWriter> create(const Plan& plan, std::uint32_t input, const PlacedSource& placed,
                                   const Context& context);
  /// Adds the next record.
  Result<void> add(const Place& place, std::string_view id, std::string_view text);
  Result<void> finish();

 private:
  TextWriter(PartWriter file, const PlacedSource& placed)
      : file_(std::move(file)), kind_(placed.kind), stamp_(placed.stamp) {}
  Result<void> end_frame();

  PartWriter file_;
  std::string kind_;
  FileStamp stamp_;
  std::string frame_;                        // uncompressed, of copied records
  std::vector<std::uint64_t> frames_ = {0};  // where they begin in the file
  std::vector<std::uint64_t> positions_;     // in the input; or frame << 32 | position in it
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint64_t> lines_;
  bool every_line_ = true;  // line n is record n - 1
};

/// Some texts in memory.
struct TextBlock {
  std::vector<std::string> bytes;
  std::vector<std::string_view> texts;  // in the order in which they were asked for
};

/// Reads them. For one thread, which uses the threads of the context.
class Texts {
 public:
  Texts(const Plan& plan, const Context& context);
  ~Texts();
  /// The texts of these records, in any order. Fails with corrupt if an input has changed.
  Result<TextBlock> read(std::span<const RecordPlace> places);
  /// The ids of these records; a record without an id is named by its place.
  Result<std::vector<std::string>> ids(std::span<const RecordPlace> places);
  /// "data.jsonl:12".
  Result<std::string> place_name(RecordPlace place);
  /// The number of records of an input.
  Result<std::uint64_t> records(std::uint32_t input);

 private:
  struct Input;
  struct Scratch;
  Result<const Input*> open(std::uint32_t input);
  /// Calls `take(chunk, i, id, text)` for each record, the chunks on several threads.
  template <class Begin, class Take>
  Result<void> each(std::span<const RecordPlace> places, Begin begin, Take take);

  const Plan& plan_;
  const Context& context_;
  RunContext run_;
  PlacedRecords placed_;
  std::map<std::uint32_t, std::unique_ptr<Input>> inputs_;
};

}  // namespace leitong::spread
