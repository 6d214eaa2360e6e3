// Documents that are ZIP archives of XML files.
#include <libxml/xmlreader.h>
#include <zip.h>

#include <array>
#include <memory>

#include "reading.hpp"

namespace leitong::documents {
namespace {

struct CloseZip {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
struct CloseMember {
  void operator()(zip_file_t* member) const noexcept { zip_fclose(member); }
};
struct CloseReader {
  void operator()(xmlTextReader* reader) const noexcept { xmlFreeTextReader(reader); }
};
using Archive = std::unique_ptr<zip_t, CloseZip>;
using Reader = std::unique_ptr<xmlTextReader, CloseReader>;

/// XML around a text may have so many times its bytes.
constexpr std::size_t kMarkup = 64;

std::string_view name_of(xmlTextReader* reader) {
  const xmlChar* const name = xmlTextReaderConstName(reader);
  return name == nullptr ? std::string_view() : reinterpret_cast<const char*>(name);
}

Archive open_archive(std::string_view bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) return nullptr;
  zip_t* const archive = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr) zip_source_free(source);
  return Archive(archive);
}

/// Reads a member; false if it is missing or damaged, or holds more than `most` bytes.
bool read_member(zip_t* archive, const char* name, std::size_t most, std::string& bytes) {
  const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen(archive, name, 0));
  if (member == nullptr) return false;
  std::array<char, 1 << 16> block;
  for (;;) {
    const zip_int64_t got = zip_fread(member.get(), block.data(), block.size());
    if (got < 0) return false;
    if (got == 0) return true;
    bytes.append(block.data(), static_cast<std::size_t>(got));
    if (bytes.size() > most) return false;
  }
}

/// What the elements of a format do to its text.
struct Elements {
  std::string_view text;                        ///< only text in it counts; empty: all text
  std::array<std::string_view, 3> paragraphs;   ///< each ends with a line feed
  std::array<std::string_view, 4> left_out;     ///< with all that they hold
  std::array<std::string_view, 2> spaces;       ///< a space
  std::array<std::string_view, 3> line_breaks;  ///< a line feed
};
constexpr Elements kDocx{"w:t", {"w:p"}, {"w:del", "w:moveFrom", "mc:Fallback"}, {"w:tab"}, {"w:br", "w:cr"}};
constexpr Elements kOdt{{},
                        {"text:p", "text:h"},
                        {"text:tracked-changes", "office:annotation", "office:scripts"},
                        {"text:tab", "text:s"},
                        {"text:line-break"}};

template <std::size_t N>
bool among(std::string_view name, const std::array<std::string_view, N>& names) {
  for (const std::string_view one : names)
    if (!one.empty() && name == one) return true;
  return false;
}

/// Appends the text of an XML file; false if it is damaged or too large.
bool append_text(const std::string& xml, const Elements& elements, std::size_t most, std::string& text) {
  // No entities are replaced and nothing is loaded: a document names neither files nor addresses.
  const Reader reader(
      xmlReaderForMemory(xml.data(), static_cast<int>(xml.size()), nullptr, nullptr,
                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE));
  if (reader == nullptr) return false;
  int in_text = 0;
  int more = xmlTextReaderRead(reader.get());
  while (more == 1) {
    const int type = xmlTextReaderNodeType(reader.get());
    const std::string_view name = name_of(reader.get());
    bool skipped = false;
    if (type == XML_READER_TYPE_ELEMENT) {
      const bool is_empty = xmlTextReaderIsEmptyElement(reader.get()) == 1;
      skipped = among(name, elements.left_out);
      if (!skipped && name == elements.text && !is_empty) ++in_text;
      if (among(name, elements.spaces)) text += ' ';
      if (among(name, elements.line_breaks) || (is_empty && among(name, elements.paragraphs))) text += '\n';
    } else if (type == XML_READER_TYPE_END_ELEMENT) {
      if (name == elements.text) --in_text;
      if (among(name, elements.paragraphs)) text += '\n';
    } else if (type == XML_READER_TYPE_TEXT || type == XML_READER_TYPE_CDATA ||
               type == XML_READER_TYPE_SIGNIFICANT_WHITESPACE) {
      const bool counts =
          elements.text.empty() ? type != XML_READER_TYPE_SIGNIFICANT_WHITESPACE : in_text > 0;
      if (const xmlChar* const value = xmlTextReaderConstValue(reader.get()); counts && value != nullptr)
        text += reinterpret_cast<const char*>(value);
      if (text.size() > most) return false;
    }
    more = skipped ? xmlTextReaderNext(reader.get()) : xmlTextReaderRead(reader.get());
  }
  return more == 0;
}

/// What became of a part of an archive; `missing` as well if it cannot be unpacked.
enum class Part { missing, read, damaged };

/// Appends the text of a part; `most` bounds all of the text in bytes.
Part append_part(zip_t* archive, const char* name, const Elements& elements, std::size_t most,
                 std::string& text) {
  std::string xml;
  if (!read_member(archive, name, kMarkup * most, xml)) return Part::missing;
  return append_text(xml, elements, most, text) ? Part::read : Part::damaged;
}

}  // namespace

ReadText read_docx(std::string_view bytes, std::size_t most) {
  const Archive archive = open_archive(bytes);
  ReadText read;
  bool whole = archive != nullptr &&
               append_part(archive.get(), "word/document.xml", kDocx, most, read.text) == Part::read;
  // Most documents have no notes.
  for (const char* const notes : {"word/footnotes.xml", "word/endnotes.xml"})
    whole = whole && append_part(archive.get(), notes, kDocx, most, read.text) != Part::damaged;
  if (!whole) return {{}, "the Word document is damaged or too large"};
  return read;
}

ReadText read_odt(std::string_view bytes, std::size_t most) {
  const Archive archive = open_archive(bytes);
  ReadText read;
  if (archive == nullptr || append_part(archive.get(), "content.xml", kOdt, most, read.text) != Part::read)
    return {{}, "the OpenDocument text is damaged or too large"};
  return read;
}

}  // namespace leitong::documents
