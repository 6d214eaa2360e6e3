// Which documents hold items of a benchmark: test questions that stand inside of training texts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"
#include "leitong/context.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What happens to a document that holds a leaked item.
enum class LeakAction : std::uint8_t {
  list,    ///< it is only listed
  remove,  ///< it is left out of the kept records
  cut      ///< it loses the sentences that hold leaks, and is left out if nothing else is in it
};

/// Which items a document holds. docs/decontaminate.md states the rules.
struct LeakSettings {
  /// The share of an item's shingles (pairs of neighbouring units, numbers masked) that must stand in one
  /// window of the document, above 0 and at most 1. Unset: 0.9 for items of up to 12 shingles, falling to 0.7
  /// for items of 60 and more.
  std::optional<double> share = {};
  /// An item is found if a document holds so many words of it in a row (a Han character, kana or hangul
  /// syllable is a word), and `share` decides nothing. 0: the share decides.
  std::uint64_t ngram = 0;
  /// An item that more documents than this hold is common text, such as a famous quotation: a document that
  /// holds it is doubtful and no leak.
  std::uint64_t common = 100;
};

/// A run over files.
struct DecontaminateJob {
  InputFiles input = {};                  ///< the documents
  std::vector<std::string> against = {};  ///< files of benchmarks; a record is an item
  /// Fields of an item: its question, and then those of its answers. If an item has answers, its question is
  /// a leak only where one of the answers stands near it.
  std::vector<std::string> against_fields = {"text"};
  LeakSettings settings = {};            ///< when an item is found
  LeakAction action = LeakAction::list;  ///< what happens to a document with a leak
  /// With LeakAction::remove: the records without leaks, in the form of DedupOutputs::kept. With
  /// LeakAction::cut: one file in the form of TrimOutputs::trimmed (trim.hpp).
  std::string kept = {};
  std::string hits = {};        ///< JSONL: a row for each document and each item that it holds
  std::string quarantine = {};  ///< JSONL: the documents that could not be read
  std::string report = {};      ///< one HTML page: a table of the benchmarks, and passages side by side
  bool force = false;           ///< replaces existing files
  std::string command = {};     ///< as DedupJob::command
  std::string date = {};        ///< as DedupJob::date
};

/// The figures of one file of a benchmark.
struct BenchmarkFigures {
  std::string path;             ///< as it was named or found in a folder
  std::uint64_t items = 0;      ///< records that could be read
  std::uint64_t too_short = 0;  ///< of these, items that are too short to be looked for
  std::uint64_t leaked = 0;     ///< items with a leak
  std::uint64_t doubtful = 0;   ///< items that were found, but only in doubtful cases
  std::uint64_t documents = 0;  ///< documents with a leak of one of its items
};

/// The figures of a run.
struct DecontaminateSummary {
  std::uint64_t documents = 0;          ///< documents that were read
  std::uint64_t leaking = 0;            ///< documents with a leak
  std::uint64_t removed = 0;            ///< documents that were left out
  std::uint64_t cut = 0;                ///< documents that were written without the sentences of leaks
  std::uint64_t hits = 0;               ///< pairs of a document and an item that it holds
  std::uint64_t leaks = 0;              ///< of these, leaks; the others are doubtful
  std::uint64_t quarantined = 0;        ///< records of documents that could not be read
  std::string first_quarantined;        ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;   ///< compressed files of which records are lost, benchmarks included
  std::uint64_t items_quarantined = 0;  ///< records of benchmarks that could not be read
  std::string first_item_quarantined;   ///< "place: reason", or empty
  std::vector<BenchmarkFigures> benchmarks;  ///< in the order of their files
};

/// Finds the items of benchmarks in documents, and writes all outputs or none of them. Documents are read
/// once, and those with a hit a second time. The results are the same for any number of threads. Linear in
/// the input; about 400 bytes of memory for an item of 60 characters, 40 for a hit, and 40 for a document;
/// with a report, also the texts of the items.
///
/// Fails with invalid_argument for impossible settings, if no item of a benchmark can be looked for, and for
/// outputs that cannot be written from this input; with not_found and io for files; with corrupt for bad
/// records if InputFiles::strict; with cancelled.
[[nodiscard]] Result<DecontaminateSummary> decontaminate_files(const Context& context,
                                                               const DecontaminateJob& job);

/// An item of a benchmark in memory.
struct LeakItem {
  std::string_view question;                   ///< the question, or the whole item
  std::vector<std::string_view> answers = {};  ///< as DecontaminateJob::against_fields
};

/// An item that a text holds.
struct TextLeak {
  std::uint32_t text = 0;  ///< position of the text
  std::uint32_t item = 0;  ///< position of the item
  bool leak = false;       ///< true: a leak; false: doubtful
  bool equal = false;      ///< all units of the item, numbers included, stand in the text as one run
  double share = 0;        ///< the share of the item's shingles, or of its n-grams, that was found
  ByteRange passage;       ///< the bytes of the text that hold the item
  std::string why;         ///< why it is doubtful; empty for a leak
};

/// The items of a benchmark that texts hold.
struct TextLeaks {
  std::vector<TextLeak> hits;            ///< by text and item
  std::vector<std::uint32_t> too_short;  ///< items that are too short to be looked for
};

/// Finds items in texts in memory, as decontaminate_files() finds them in files. Texts and items are valid
/// UTF-8, fewer than 2^32 each, and must outlive the call. Fails with corrupt for other texts; with
/// invalid_argument for impossible settings and if no item can be looked for; with cancelled.
[[nodiscard]] Result<TextLeaks> find_leaks(const Context& context, std::span<const std::string_view> texts,
                                           std::span<const LeakItem> items, const LeakSettings& settings);

}  // namespace leitong
