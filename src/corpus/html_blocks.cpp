#include "corpus/html_blocks.hpp"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <climits>
#include <memory>

#include "corpus/html_chrome.hpp"

namespace leitong {
namespace {

// Elements whose content is not readable text.
constexpr std::array<std::string_view, 5> kSilent{"script", "style", "template", "noscript", "svg"};
// Elements within a line of text; all others begin and end a line.
constexpr std::array<std::string_view, 36> kInline{
    "a",  "abbr", "acronym", "b",    "bdi",    "bdo",    "big",   "cite", "code", "data", "del", "dfn",
    "em", "font", "i",       "img",  "ins",    "kbd",    "label", "mark", "q",    "rp",   "rt",  "ruby",
    "s",  "samp", "small",   "span", "strike", "strong", "sub",   "sup",  "time", "tt",   "u",   "wbr"};
constexpr std::array<std::string_view, 4> kControls{"button", "select", "textarea", "datalist"};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

/// The effect of an open element on the blocks within it.
struct Open {
  bool is_silent, is_region, is_main, is_control, is_link, is_pre;
};

/// Takes the parser's events. It builds no tree, because the page would determine its memory and depth.
class BlockBuilder {
 public:
  explicit BlockBuilder(HtmlBlocks& page) : page_(page), text_(page.text) {}

  void open(std::string_view name, const xmlChar** attributes, htmlParserCtxtPtr parser) {
    if (open_.size() >= static_cast<std::size_t>(kDeepestHtml)) {
      too_deep_ = true;
      xmlStopParser(parser);
      return;
    }
    Open element{};
    element.is_silent = silent_ > 0 || among(kSilent, name);
    if (!element.is_silent) {
      if (!among(kInline, name)) break_line();
      const HtmlRole role = html_role(name, attributes);
      element.is_region = role == HtmlRole::chrome;
      element.is_main = role == HtmlRole::main;
      element.is_control = among(kControls, name);
      element.is_link = name == "a";
      element.is_pre = name == "pre";
      if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6')
        block_.heading = static_cast<std::uint8_t>(name[1] - '0');
      if (name == "title") block_.is_title = true;
    }
    count(element, 1);
    open_.push_back(element);
  }

  void close(std::string_view name) {
    if (open_.empty()) return;
    const Open element = open_.back();
    if (!element.is_silent && !among(kInline, name)) break_line();
    open_.pop_back();
    count(element, -1);
  }

  void add(std::string_view characters) {
    if (silent_ > 0) return;
    const std::size_t before = text_.size();
    if (preformatted_ > 0)
      text_ += characters;
    else
      add_words(characters);
    if (link_ > 0) block_.link_bytes += text_.size() - before;
    if (text_.size() > block_begin_) {
      block_.region = region_;
      block_.in_main = main_ > 0;
      block_.in_control = control_ > 0;
      block_.is_preformatted |= preformatted_ > 0;
    }
  }

  void finish() {
    break_line();
    while (!text_.empty() && is_space(text_.back())) text_.pop_back();
    while (!page_.blocks.empty() && page_.blocks.back().text.begin >= text_.size()) page_.blocks.pop_back();
    if (!page_.blocks.empty())
      page_.blocks.back().text.end = std::min(page_.blocks.back().text.end, text_.size());
  }
  [[nodiscard]] bool too_deep() const { return too_deep_; }

 private:
  void count(const Open& element, int step) {
    silent_ += element.is_silent ? step : 0;
    main_ += element.is_main ? step : 0;
    control_ += element.is_control ? step : 0;
    link_ += element.is_link ? step : 0;
    preformatted_ += element.is_pre ? step : 0;
    if (element.is_region) {
      regions_open_ += step;
      if (step > 0 && regions_open_ == 1) region_ = ++page_.regions;
      if (regions_open_ == 0) region_ = 0;
    }
  }

  void add_words(std::string_view characters) {
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

  void break_line() {
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    if (text_.find_first_not_of(" \t\n\r\f", block_begin_) != std::string::npos) {
      block_.text = {block_begin_, text_.size()};
      page_.blocks.push_back(block_);
    }
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    block_begin_ = text_.size();
    block_ = {};
  }

  HtmlBlocks& page_;
  std::string& text_;
  HtmlBlock block_;
  std::size_t block_begin_ = 0;
  std::vector<Open> open_;
  std::uint32_t region_ = 0;
  int silent_ = 0, main_ = 0, control_ = 0, link_ = 0, preformatted_ = 0, regions_open_ = 0;
  bool too_deep_ = false;
};

struct Events {
  htmlParserCtxtPtr parser = nullptr;
  BlockBuilder* builder = nullptr;
};

std::string_view view(const xmlChar* name) { return reinterpret_cast<const char*>(name); }

void on_open(void* user, const xmlChar* name, const xmlChar** attributes) {
  auto& events = *static_cast<Events*>(user);
  events.builder->open(view(name), attributes, events.parser);
}
void on_close(void* user, const xmlChar* name) { static_cast<Events*>(user)->builder->close(view(name)); }
void on_characters(void* user, const xmlChar* characters, int size) {
  static_cast<Events*>(user)->builder->add(
      {reinterpret_cast<const char*>(characters), static_cast<std::size_t>(size)});
}

}  // namespace

std::string read_html_blocks(std::string_view html, HtmlBlocks& page) {
  page.text.clear();
  page.blocks.clear();
  page.regions = 0;
  if (html.empty()) return {};
  if (html.size() > static_cast<std::size_t>(INT_MAX))
    return "an HTML page of more than 2 GiB can't be parsed";
  [[maybe_unused]] static const bool initialised = (xmlInitParser(), true);

  const std::unique_ptr<htmlParserCtxt, void (*)(htmlParserCtxtPtr)> parser(htmlNewParserCtxt(),
                                                                            &htmlFreeParserCtxt);
  if (!parser) return "not enough memory for the page";
  BlockBuilder builder(page);
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

}  // namespace leitong
