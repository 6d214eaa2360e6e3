#include "corpus/html_text.hpp"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <climits>
#include <memory>

namespace leitong {
namespace {

// Elements whose content nobody reads.
constexpr std::array<std::string_view, 5> kSilent{"script", "style", "template", "noscript", "svg"};
// Elements that stand in a line of text; all others begin and end a line.
constexpr std::array<std::string_view, 36> kInline{
    "a",  "abbr", "acronym", "b",    "bdi",    "bdo",    "big",   "cite", "code", "data", "del", "dfn",
    "em", "font", "i",       "img",  "ins",    "kbd",    "label", "mark", "q",    "rp",   "rt",  "ruby",
    "s",  "samp", "small",   "span", "strike", "strong", "sub",   "sup",  "time", "tt",   "u",   "wbr"};

template <std::size_t n>
bool among(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

/// Takes the parser's events. No tree is built: its memory and its depth would be the page's choice.
class TextBuilder {
 public:
  explicit TextBuilder(std::string& text) : text_(text) {}

  void open(std::string_view name, htmlParserCtxtPtr parser) {
    if (++depth_ > kDeepestHtml) {
      too_deep_ = true;
      xmlStopParser(parser);
    }
    if (silent_ > 0 || among(kSilent, name)) {
      ++silent_;
      return;
    }
    if (name == "pre") ++preformatted_;
    if (!among(kInline, name)) break_line();
  }

  void close(std::string_view name) {
    --depth_;
    if (silent_ > 0) {
      --silent_;
      return;
    }
    if (name == "pre" && preformatted_ > 0) --preformatted_;
    if (!among(kInline, name)) break_line();
  }

  void add(std::string_view characters) {
    if (silent_ > 0) return;
    if (preformatted_ > 0) {
      text_ += characters;
      return;
    }
    while (!characters.empty()) {
      if (is_space(characters.front())) {
        if (!text_.empty() && !is_space(text_.back())) text_ += ' ';
        characters.remove_prefix(1);
        continue;
      }
      const auto word_end = std::find_if(characters.begin(), characters.end(), is_space);
      const auto size = static_cast<std::size_t>(word_end - characters.begin());
      text_ += characters.substr(0, size);
      characters.remove_prefix(size);
    }
  }

  void finish() {
    while (!text_.empty() && is_space(text_.back())) text_.pop_back();
  }
  [[nodiscard]] bool too_deep() const { return too_deep_; }

 private:
  void break_line() {
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
  }

  std::string& text_;
  int depth_ = 0, silent_ = 0, preformatted_ = 0;
  bool too_deep_ = false;
};

struct Events {
  htmlParserCtxtPtr parser = nullptr;
  TextBuilder* builder = nullptr;
};

std::string_view view(const xmlChar* name) { return reinterpret_cast<const char*>(name); }

void on_open(void* user, const xmlChar* name, const xmlChar**) {
  auto& events = *static_cast<Events*>(user);
  events.builder->open(view(name), events.parser);
}
void on_close(void* user, const xmlChar* name) { static_cast<Events*>(user)->builder->close(view(name)); }
void on_characters(void* user, const xmlChar* characters, int size) {
  static_cast<Events*>(user)->builder->add(
      {reinterpret_cast<const char*>(characters), static_cast<std::size_t>(size)});
}

}  // namespace

std::string html_to_text(std::string_view html, std::string& text) {
  text.clear();
  if (html.empty()) return {};
  if (html.size() > static_cast<std::size_t>(INT_MAX))
    return "an HTML page of more than 2 GiB can't be parsed";
  [[maybe_unused]] static const bool initialised = (xmlInitParser(), true);

  const std::unique_ptr<htmlParserCtxt, void (*)(htmlParserCtxtPtr)> parser(htmlNewParserCtxt(),
                                                                            &htmlFreeParserCtxt);
  if (!parser) return "not enough memory for the page";
  TextBuilder builder(text);
  Events events{parser.get(), &builder};
  *parser->sax = htmlSAXHandler{};
  parser->sax->startElement = on_open;
  parser->sax->endElement = on_close;
  parser->sax->characters = on_characters;
  parser->sax->ignorableWhitespace = on_characters;
  parser->userData = &events;
  const int flags = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                    HTML_PARSE_IGNORE_ENC | XML_PARSE_HUGE;
  if (htmlDocPtr tree = htmlCtxtReadMemory(parser.get(), html.data(), static_cast<int>(html.size()), nullptr,
                                           "UTF-8", flags))
    xmlFreeDoc(tree);
  if (builder.too_deep()) return "HTML is nested deeper than " + std::to_string(kDeepestHtml) + " elements";
  builder.finish();
  return {};
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
