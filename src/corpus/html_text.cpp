#include "corpus/html_text.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "corpus/html_blocks.hpp"
#include "corpus/html_main.hpp"
#include "leitong/html.hpp"

namespace leitong {

std::string html_to_text(std::string_view html, std::string& text, HtmlPart part) {
  HtmlBlocks page;
  page.text = std::move(text);  // its memory
  std::string problem = read_html_blocks(html, page);
  if (part == HtmlPart::main && problem.empty()) {
    text = {};
    main_text(page, text);
  } else {
    text = std::move(page.text);
  }
  return problem;
}

Result<std::string> html_text(std::string_view page, HtmlPart part) {
  if (!simdjson::validate_utf8(page.data(), page.size()))
    return fail(ErrorCode::corrupt, "the page is not valid UTF-8");
  std::string text;
  if (std::string problem = html_to_text(page, text, part); !problem.empty())
    return fail(ErrorCode::corrupt, std::move(problem));
  return text;
}

std::string_view declared_charset(std::string_view html) {
  const std::string_view head = html.substr(0, 1024);
  std::string lower(head);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const std::string_view key : {"charset", "encoding"}) {
    for (std::size_t at = lower.find(key); at != std::string::npos; at = lower.find(key, at + 1)) {
      std::size_t begin = lower.find_first_not_of(" \t\r\n", at + key.size());
      if (begin == std::string::npos || lower[begin] != '=') continue;
      begin = lower.find_first_not_of(" \t\r\n\"'", begin + 1);
      if (begin == std::string::npos) continue;
      const std::size_t end = std::min(lower.find_first_of(" \t\r\n\"';/>?", begin), lower.size());
      if (end > begin) return head.substr(begin, end - begin);
    }
  }
  return {};
}

}  // namespace leitong
