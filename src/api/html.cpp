#include "leitong/html.hpp"

#include <simdjson.h>

#include "base/try.hpp"
#include "corpus/html_text.hpp"

namespace leitong {

Result<std::string> html_text(std::string_view page, HtmlPart part) {
  if (!simdjson::validate_utf8(page.data(), page.size()))
    return fail(ErrorCode::corrupt, "the page is not valid UTF-8");
  std::string text;
  if (std::string problem = html_to_text(page, text, part); !problem.empty())
    return fail(ErrorCode::corrupt, std::move(problem));
  return text;
}

}  // namespace leitong
