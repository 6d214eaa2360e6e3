#include "corpus/foreign_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "io/compression.hpp"
#include "leitong/utf8.hpp"

namespace leitong {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPdf = "a PDF document; convert it first, for example: pdftotext FILE.pdf";
constexpr std::string_view kDocx =
    "a Word document; convert it first, for example: pandoc -t plain -o FILE.txt FILE.docx";
constexpr std::string_view kOldOffice =
    "an old Office document; convert it first, for example: soffice --headless --convert-to txt:Text "
    "FILE.doc";
constexpr std::string_view kOdt =
    "an OpenDocument text; convert it first, for example: pandoc -t plain -o FILE.txt FILE.odt";
constexpr std::string_view kEpub =
    "an EPUB book; convert it first, for example: pandoc -t plain -o FILE.txt FILE.epub";
constexpr std::string_view kRtf =
    "an RTF document; convert it first, for example: pandoc -f rtf -t plain -o FILE.txt FILE.rtf";
constexpr std::string_view kSheet = "a spreadsheet; save it as CSV first";
constexpr std::string_view kSlides =
    "a presentation; convert it first, for example: soffice --headless --convert-to pdf FILE, then pdftotext";
constexpr std::string_view kZip = "a ZIP archive; unpack it first, for example: unzip FILE.zip";
constexpr std::string_view kTar = "a tar archive; unpack it first, for example: tar -xf FILE.tar";
constexpr std::string_view kArc =
    "an ARC archive of web pages; convert it to WARC first, for example: warcio recompress FILE.arc.gz "
    "FILE.warc.gz";
constexpr std::string_view kMails =
    "a mailbox; write the texts of its mails as JSONL first, for example with Python's module mailbox";
constexpr std::string_view kArchive = "an archive; unpack it first";
constexpr std::string_view kPicture = "a picture, not a text";
constexpr std::string_view kSound = "sound or video, not a text";
constexpr std::string_view kProgram = "a program, not a text";
constexpr std::string_view kTable =
    "a Parquet table and not a text; its texts are read as records of the kind parquet";
constexpr std::string_view kDatabase = "a database; write its texts as JSONL or CSV first";

struct Magic {
  std::string_view bytes;
  std::string_view what;
};
constexpr std::array<Magic, 18> kMagic{{{"%PDF-"sv, kPdf},
                                        {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, kOldOffice},
                                        {"{\\rtf"sv, kRtf},
                                        {"7z\xbc\xaf\x27\x1c"sv, kArchive},
                                        {"Rar!\x1a\x07"sv, kArchive},
                                        {"\xff\xd8\xff"sv, kPicture},
                                        {"\x89PNG\r\n\x1a\n"sv, kPicture},
                                        {"GIF87a"sv, kPicture},
                                        {"GIF89a"sv, kPicture},
                                        {"II*\0"sv, kPicture},
                                        {"MM\0*"sv, kPicture},
                                        {"\x7f"
                                         "ELF"sv,
                                         kProgram},
                                        {"MZ\x90\0"sv, kProgram},
                                        {"OggS\0"sv, kSound},
                                        {"fLaC\0"sv, kSound},
                                        {"ID3\x03\0"sv, kSound},
                                        {"PAR1"sv, kTable},
                                        {"SQLite format 3\0"sv, kDatabase}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kEndings{{{".tar", kTar},
                                                                                  {".tgz", kTar},
                                                                                  {".zip", kZip},
                                                                                  {".mbox", kMails},
                                                                                  {".pdf", kPdf},
                                                                                  {".docx", kDocx},
                                                                                  {".doc", kOldOffice},
                                                                                  {".odt", kOdt},
                                                                                  {".epub", kEpub},
                                                                                  {".rtf", kRtf},
                                                                                  {".xlsx", kSheet},
                                                                                  {".xls", kSheet},
                                                                                  {".ods", kSheet},
                                                                                  {".pptx", kSlides},
                                                                                  {".ppt", kSlides}}};

/// Office documents and others are ZIP archives, which the names of their first members tell apart.
std::string_view zipped(std::string_view bytes) {
  bytes = bytes.substr(0, 8192);
  const auto holds = [&](std::string_view name) { return bytes.find(name) != std::string_view::npos; };
  if (holds("application/epub+zip")) return kEpub;
  if (holds("opendocument.text")) return kOdt;
  if (holds("opendocument.spreadsheet") || holds("xl/")) return kSheet;
  if (holds("ppt/")) return kSlides;
  if (holds("word/")) return kDocx;
  return kZip;
}

}  // namespace

std::string foreign_by_content(std::string_view first_bytes) {
  if (first_bytes.starts_with("PK\x03\x04"sv)) return std::string(zipped(first_bytes));
  for (const Magic& magic : kMagic)
    if (first_bytes.starts_with(magic.bytes)) return std::string(magic.what);
  if (first_bytes.starts_with("RIFF"sv) && first_bytes.size() >= 12)
    return std::string(first_bytes.substr(8, 4) == "WEBP"sv ? kPicture : kSound);
  if (first_bytes.substr(0, 12).ends_with("ftypisom"sv) || first_bytes.substr(0, 12).ends_with("ftypmp42"sv))
    return std::string(kSound);
  if (first_bytes.size() > 262 && first_bytes.substr(257, 5) == "ustar"sv) return std::string(kTar);
  return {};
}

std::string container_by_content(std::string_view first_bytes) {
  if (first_bytes.starts_with("filedesc://"sv)) return std::string(kArc);
  if (!first_bytes.starts_with("From "sv)) return {};
  // The line of the envelope is followed by fields.
  const std::size_t feed = first_bytes.find('\n');
  if (feed == std::string_view::npos) return {};
  const std::string_view field = first_bytes.substr(feed + 1, 80);
  const std::size_t name =
      field.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
  const bool is_field = name != std::string_view::npos && name > 1 && field[name] == ':';
  return is_field && first_bytes.substr(0, feed).find(':') != std::string_view::npos ? std::string(kMails)
                                                                                     : std::string();
}

std::string foreign_by_name(std::string_view path) {
  const std::string_view stem = without_compression_ending(path);
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos) return {};
  const auto same_letter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  const std::string_view ending = stem.substr(dot);
  for (const auto& [known, what] : kEndings)
    if (std::equal(ending.begin(), ending.end(), known.begin(), known.end(), same_letter))
      return fmt::format("by its name {} (if it is a text all the same, say of which kind)", what);
  return {};
}

std::string binary_content(std::string_view first_bytes) {
  constexpr std::size_t kFewest = 8;  // shorter content is judged by its records
  std::size_t bad = 0;
  for (std::size_t at = 0; at < first_bytes.size();) {
    const auto byte = static_cast<unsigned char>(first_bytes[at]);
    const DecodedPoint point = decode_utf8(first_bytes, at);
    const bool is_last = at + 4 > first_bytes.size();  // may be cut off
    const bool is_control = (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' &&
                             byte != '\v' && byte != 0x1b) ||
                            byte == 0x7f;
    // Letters of other encodings break UTF-8 as well, but are no control characters.
    bad += is_control && !is_last;
    at += point.length;
  }
  if (bad < kFewest || bad * 50 < first_bytes.size()) return {};
  return fmt::format(
      "not a text: {} of the first {} bytes are control characters (if it is a text in UTF-16 or the like, "
      "name "
      "its encoding)",
      bad, first_bytes.size());
}

}  // namespace leitong
