// The text of one document, whatever it is stored as.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// What a document is known to be.
enum class DocumentForm : std::uint8_t {
  unknown,  ///< its content tells: a PDF, Word or OpenDocument text, an HTML page, or a plain text
  text,     ///< a plain text
  html,     ///< an HTML page
};

/// How a document is read.
struct DocumentHints {
  DocumentForm form = DocumentForm::unknown;  ///< what it is known to be
  std::string encoding = {};                  ///< the encoding of a text or page; empty: it is recognised
  HtmlPart part = HtmlPart::all;              ///< which part of an HTML page is read
  std::uint64_t most = 256u << 20;            ///< the most bytes that its text may have
};

/// A document that was read.
struct PlainDocument {
  std::string text;      ///< UTF-8
  std::string kind;      ///< "text", "html", "pdf", "docx" or "odt"
  std::string encoding;  ///< the encoding of a text or page: "UTF-8", "GB18030" ..
};

/// Reads a document as the readers of files do: in any encoding, an HTML page without its markup, and PDF,
/// Word and OpenDocument texts by the component leitong-documents. Fails with corrupt for bytes that hold no
/// text (a picture, an archive, a text in no known encoding, or one of which a tenth cannot be decoded), with
/// unsupported if the component is missing, with limit for too large a text, and with invalid_argument for an
/// unknown encoding; the message says what the document is and what would help.
[[nodiscard]] Result<PlainDocument> read_document(std::string_view bytes, const DocumentHints& hints = {});

}  // namespace leitong
