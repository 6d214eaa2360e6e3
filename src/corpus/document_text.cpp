#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"
#include "corpus/charset.hpp"
#include "corpus/foreign_file.hpp"
#include "corpus/formats/formats.hpp"
#include "corpus/html_text.hpp"
#include "corpus/office_text.hpp"
#include "io/encoding.hpp"
#include "leitong/document.hpp"

namespace leitong {

Result<PlainDocument> read_document(std::string_view bytes, const DocumentHints& hints) {
  LEITONG_TRY(check_encoding(hints.encoding));
  if (bytes.size() > hints.most)
    return fail(ErrorCode::limit, fmt::format("the document has more than {} bytes", hints.most));
  PlainDocument read;
  if (const std::string_view kind = office_kind(bytes); !kind.empty()) {
    LEITONG_ASSIGN(read.text, office_text(bytes, hints.most));
    read.kind = kind;
    if (std::string problem = damaged_text(read.text); !problem.empty())
      return fail(ErrorCode::corrupt, std::move(problem));
    return read;
  }
  std::string problem = foreign_by_content(bytes);
  if (problem.empty() && hints.encoding.empty()) problem = binary_problem(bytes);
  if (!problem.empty()) return fail(ErrorCode::corrupt, std::move(problem));

  std::string buffer;
  // A page in UTF-16 shows that it is one when it is decoded.
  const bool may_be_page = hints.form != DocumentForm::text;
  DecodedText decoded =
      decode_text(bytes, may_be_page ? declared_charset(bytes) : std::string_view(), buffer, hints.encoding);
  if (!decoded.problem.empty()) return fail(ErrorCode::corrupt, std::move(decoded.problem));
  const bool is_page =
      hints.form == DocumentForm::html || (may_be_page && html_format().claims({decoded.text, false}));
  read.kind = is_page ? "html" : "text";
  read.encoding = std::move(decoded.encoding);
  problem = damaged_text(decoded.text);
  if (problem.empty() && is_page)
    problem = html_to_text(decoded.text, read.text, hints.part);
  else
    read.text = decoded.text;
  if (!problem.empty()) return fail(ErrorCode::corrupt, std::move(problem));
  return read;
}

}  // namespace leitong
