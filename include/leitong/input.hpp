// The files that are read, and how their records become texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

/// Which part of an HTML page is its text.
enum class HtmlPart : std::uint8_t {
  all,  ///< what a reader sees
  main  ///< the title and the content, without menus, footers and notices
};

/// Files of texts. By default leitong recognises JSONL, CSV, TSV, one text a line, and one text a file (.txt,
/// .md, .html), also compressed (gzip, zstd, bzip2, xz).
struct InputFiles {
  /// Files, folders (read recursively, in byte order of their paths) or "-" for standard input.
  std::vector<std::string> paths = {};
  /// Files of references, which are read before `paths`: other texts are compared with them, and they are
  /// never removed and never written.
  std::vector<std::string> reference_paths = {};
  std::string kind = {};      ///< one of input_kinds(); empty: found by each file's name or content
  std::string encoding = {};  ///< the encoding of all text, such as "GB18030"; empty: detected for each file
  /// What separates the columns of CSV and TSV: one character, or "tab"; empty: found by the first lines.
  std::string delimiter = {};
  /// What encloses values in CSV and TSV: a double quote, or "none"; empty: found by the first lines.
  std::string quote = {};
  std::string id_field = "id";  ///< field of a record's id: a JSON path with dots, or a CSV column
  std::vector<std::string> text_fields = {"text"};  ///< fields of its text, "[]" for each element of
                                                    ///< a list; several texts are joined by line feeds
  HtmlPart html = HtmlPart::all;                    ///< which part of an HTML page is its text
  std::uint64_t max_record_bytes = 768ULL << 20;    ///< longer records are quarantined
  std::uint64_t max_window_bytes = 128ULL << 20;    ///< the most memory that compressed data may ask for
  /// True: the first bad record or repeated id ends the run with an error. False: they are counted.
  bool strict = false;
};

/// A record with the id of an earlier record.
struct RepeatedId {
  std::string id;            ///< the common id
  std::string first_place;   ///< "data.jsonl:12"
  std::string second_place;  ///< the place of the later record
};

/// The possible values of InputFiles::kind. O(1).
[[nodiscard]] std::vector<std::string> input_kinds();

}  // namespace leitong
