// Which files are read, and how their records become texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

/// What of an HTML page is its text.
enum class HtmlPart : std::uint8_t {
  all,  ///< what a reader sees
  main  ///< the title and the content, without menus, footers and notices
};

/// Files of texts. The defaults read what leitong recognises: JSONL, CSV, TSV, a text a line, or a text a
/// file
/// (.txt, .md, .html), also compressed (gzip, zstd, bzip2, xz).
struct InputFiles {
  /// Files, folders (read recursively, in byte order of their paths) or "-" for standard input.
  std::vector<std::string> paths = {};
  /// Read before `paths`: texts that others are compared with, and that are never removed and never written.
  std::vector<std::string> reference_paths = {};
  std::string kind = {};        ///< one of input_kinds(); empty: each file by its name or content
  std::string encoding = {};    ///< of all text, such as "GB18030"; empty: each file is looked at
  std::string id_field = "id";  ///< where a record's id stands: JSON path by dots, or CSV column
  std::vector<std::string> text_fields = {
      "text"};                                    ///< where its text stands; several are joined by line feeds
  HtmlPart html = HtmlPart::all;                  ///< what of an HTML page is its text
  std::uint64_t max_record_bytes = 768ULL << 20;  ///< a longer record is quarantined
  std::uint64_t max_window_bytes = 128ULL << 20;  ///< memory that compressed data may ask for
  /// The first bad record or repeated id ends the run with an error; else it is counted.
  bool strict = false;
};

/// A record with an id that an earlier one has.
struct RepeatedId {
  std::string id;            ///< of both
  std::string first_place;   ///< "data.jsonl:12"
  std::string second_place;  ///< of the later record
};

/// The names that InputFiles::kind may have. O(1).
[[nodiscard]] std::vector<std::string> input_kinds();

}  // namespace leitong
