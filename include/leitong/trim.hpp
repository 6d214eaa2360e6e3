// Removes the parts of documents that repeat (lines, paragraphs, sentences, passages), and keeps the
// documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"
#include "leitong/context.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What is compared and cut. Parts are equal if their units are (folding.hpp).
enum class TextPart : std::uint8_t {
  line,       ///< a line with its line end
  paragraph,  ///< lines up to a blank line, with the blank lines behind them
  sentence,   ///< up to a full stop, question or exclamation mark, or line end, with the spaces behind it
  passage,    ///< any run of at least TrimSettings::least_units units
  /// What deduplicate() knows as templates (docs/methods.md): text that at least 8 families of otherwise
  /// different documents hold. TrimSettings::least_documents counts families.
  template_text
};

/// Which of several equal parts stays.
enum class KeptPart : std::uint8_t {
  first,  ///< the first one, in the order of the input
  none    ///< none: for frames of pages, such as menus
};

/// Where cuts of passages may begin and end. Cuts never divide what a reader sees as one character.
enum class Border : std::uint8_t {
  sentence,  ///< at ends of sentences, as far as the guarantee allows; otherwise as `word`
  word,      ///< between words; scripts that are written without spaces are divided between characters
  character  ///< between units
};

/// Which parts are cut.
///
/// Passages that stay hold no run of `least_units` units twice: a run is so many successive units of one
/// document of the input with no cut among them. With KeptPart::first every unit that is cut lies in a run
/// that stays elsewhere; only a text that overlaps its own copy (one sentence over and over) keeps its first
/// run and the rest of a sentence.
struct TrimSettings {
  TextPart part = TextPart::line;        ///< what is compared and cut
  KeptPart kept_part = KeptPart::first;  ///< which of several equal parts stays
  std::uint64_t least_documents = 1;     ///< cuts only what at least so many documents hold
  /// The fewest units of a part that is cut. 0: 100 for passages, 1 for other parts. For passages it must be
  /// at least 8 and at most 1,000. A unit is a Chinese character, or two letters or digits.
  std::uint64_t least_units = 0;
  Border border = Border::sentence;  ///< where cuts of passages and templates begin and end
  /// A document of which parts are cut is removed if fewer units are left.
  std::uint64_t least_left = 1;
};

/// Files to write. An empty name: the file is not written; "-": standard output. A name that ends in .gz,
/// .zst, .bz2 or .xz is compressed.
struct TrimOutputs {
  /// The records with all their bytes, except for what is cut from their texts. If it is a folder (it exists,
  /// or its name ends in /), it gets a file for each input file, by its path.
  std::string trimmed = {};
  std::string spans = {};       ///< JSONL, Parquet or Arrow by its name: each cut, and the place that stays
  bool with_text = false;       ///< rows of `spans` hold the text that was cut
  std::string too_short = {};   ///< JSONL: documents of which less than TrimSettings::least_left is left
  std::string quarantine = {};  ///< JSONL: the records that could not be read, with place and reason
  /// A file with what was cut, from which restore_files() (restore.hpp) makes the input again, together with
  /// `trimmed`, byte for byte.
  std::string restorable = {};
  std::string report = {};  ///< one HTML page: what was cut most often, and documents with their cuts
  bool force = false;       ///< replaces existing files
};

/// A run over files.
struct TrimJob {
  InputFiles input = {};       ///< what is read; reference_paths must be empty
  TrimSettings settings = {};  ///< what is cut
  TrimOutputs outputs = {};    ///< what is written; without outputs the run only counts
  /// Files whose text does not count, such as question sheets and licences: it is never cut, and a passage
  /// ends where it begins. They are read like DedupJob::base. They must be empty for TextPart::template_text.
  std::vector<std::string> base = {};
  /// A folder, made if missing, that keeps finished stages until the outputs are in place. After a stop or a
  /// crash the same job continues from them to the same outputs. Empty: the run leaves no named files.
  std::filesystem::path resume_folder = {};
  std::string command = {};  ///< as DedupJob::command
  std::string date = {};     ///< as DedupJob::date
};

/// The figures of a run.
struct TrimSummary {
  std::uint64_t documents = 0;    ///< documents that were read: kept + removed
  std::uint64_t kept = 0;         ///< documents that were written
  std::uint64_t removed = 0;      ///< documents of which too little was left
  std::uint64_t changed = 0;      ///< documents that were written without some of their text
  std::uint64_t cuts = 0;         ///< pieces of text that were cut, those of removed documents included
  std::uint64_t parts = 0;        ///< different parts (runs, for passages) that repeat often enough to be cut
  std::uint64_t text_bytes = 0;   ///< bytes of the documents' texts
  std::uint64_t cut_bytes = 0;    ///< of these, bytes that are no longer there
  std::uint64_t quarantined = 0;  ///< records that could not be read
  std::string first_quarantined;  ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;  ///< compressed files of which records are lost
  double seconds = 0;                  ///< of the whole run
};

/// Reads the input twice or three times, and writes all outputs or none of them. The outputs are the same for
/// any number of threads. What repeats is found by hashes of 128 bits, 24 bytes a part, which go to the
/// context's work folder beyond its memory; what stays in memory is one bit for each different part that
/// repeats, 8 bytes more if spans are written, and 12 bytes more for a report. Linear in the input, except
/// for sorting.
///
/// Records of JSONL, CSV, TSV, Parquet, Arrow and lines can be trimmed. Fails with unsupported for other
/// formats, naming the file; with invalid_argument for impossible settings; with not_found and io for files;
/// with corrupt for bad records if InputFiles::strict; with limit if the memory is not enough; with
/// cancelled.
[[nodiscard]] Result<TrimSummary> trim_files(const Context& context, const TrimJob& job);

/// A piece that was cut out of a text.
struct TextCut {
  ByteRange bytes;          ///< of the text
  std::uint64_t units = 0;  ///< units that it holds
  /// The number of texts that hold the part. For a passage: that hold its first run. For a template: the
  /// number of families of texts.
  std::uint64_t documents = 0;
  /// With KeptPart::first: the text in which an equal part stays. With KeptPart::none the text itself.
  std::uint32_t kept_text = 0;
  /// The bytes of that part; for a passage, as much of it as stands there without a gap. Empty with
  /// KeptPart::none.
  ByteRange kept_bytes;
};

/// A text from which something was cut.
struct TrimmedText {
  std::uint32_t text = 0;     ///< the position of the text
  bool removed = false;       ///< less than TrimSettings::least_left is left of it
  std::vector<TextCut> cuts;  ///< by their places
};

/// Trims texts in memory, as trim_files() trims those of files; the texts of `base` do not count. Returns the
/// texts from which something is cut, by their positions. The texts are valid UTF-8, fewer than 2^32, and
/// stay alive during the call. Fails with corrupt for other texts; with invalid_argument for impossible
/// settings; with io, limit and cancelled.
[[nodiscard]] Result<std::vector<TrimmedText>> trim_texts(const Context& context,
                                                          std::span<const std::string_view> texts,
                                                          const TrimSettings& settings,
                                                          std::span<const std::string_view> base = {});

/// What is left of a text.
[[nodiscard]] std::string without_cuts(std::string_view text, std::span<const TextCut> cuts);

}  // namespace leitong
