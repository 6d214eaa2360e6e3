// The formats that leitong reads; format_registry.cpp lists them.
#pragma once

#include "corpus/record_format.hpp"

namespace leitong {

/// One JSON object on each line; also objects in an array, and objects over several lines
/// (json_sequence.hpp).
[[nodiscard]] const RecordFormat& jsonl_format();
/// Rows after a header, separated by commas.
[[nodiscard]] const RecordFormat& csv_format();
/// The same, separated by tabs.
[[nodiscard]] const RecordFormat& tsv_format();
/// One text on each line.
[[nodiscard]] const RecordFormat& lines_format();
/// One text in each file.
[[nodiscard]] const RecordFormat& text_format();
/// Records of an archive of web pages, WARC or WET.
[[nodiscard]] const RecordFormat& warc_format();
/// Rows of a Parquet file.
[[nodiscard]] const RecordFormat& parquet_format();
/// Rows of Arrow IPC, as a file (Feather) or a stream.
[[nodiscard]] const RecordFormat& arrow_format();
/// Pages of a MediaWiki XML dump.
[[nodiscard]] const RecordFormat& mediawiki_format();
/// What is spoken in a film, in each file of subtitles.
[[nodiscard]] const RecordFormat& subtitles_format();
/// A PDF, Word or OpenDocument text in each file.
[[nodiscard]] const RecordFormat& office_format();
/// One page in each file.
[[nodiscard]] const RecordFormat& html_format();

}  // namespace leitong
