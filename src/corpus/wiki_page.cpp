#include "corpus/wiki_page.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace leitong {
namespace {

constexpr std::string_view kPageBegin = "<page", kPageEnd = "</page>";

/// Where a page begins at or after `at`, or npos: <page> and not <pages>.
std::size_t find_page(std::string_view bytes, std::size_t at = 0) noexcept {
  for (; (at = bytes.find(kPageBegin, at)) != std::string_view::npos; at += kPageBegin.size())
    if (const std::string_view next = bytes.substr(at + kPageBegin.size(), 1); next == ">" || next == " ")
      return at;
  return at;
}

/// The inside of the first element of this name, and nothing if it is empty or missing.
std::string_view element_inside(std::string_view xml, std::string_view name) noexcept {
  const std::string begin = std::string("<").append(name), end = std::string("</").append(name) + ">";
  for (std::size_t at = 0; (at = xml.find(begin, at)) != std::string_view::npos;) {
    at += begin.size();
    const char next = at < xml.size() ? xml[at] : '\0';
    if (next != '>' && next != ' ' && next != '/') continue;
    const std::size_t close = xml.find('>', at);
    if (close == std::string_view::npos || xml[close - 1] == '/') return {};
    const std::size_t stop = xml.find(end, close);
    return stop == std::string_view::npos ? std::string_view() : xml.substr(close + 1, stop - close - 1);
  }
  return {};
}

class WikiScanner final : public RecordScanner {
 public:
  std::size_t whole_records(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) override {
    std::size_t last = 0;
    while (last < bytes.size()) {
      std::size_t end = bytes.find(kPageEnd, last);
      if (end == npos) {
        if (!at_end) break;
        end = bytes.size();
      } else {
        end += kPageEnd.size();
        // The line end may be in the next piece.
        if (!at_end && end + 2 > bytes.size()) break;
        end += bytes.substr(end).starts_with("\r\n") ? 2 : bytes.substr(end).starts_with('\n') ? 1 : 0;
      }
      ends.push_back(static_cast<std::uint32_t>(end));
      last = end;
    }
    return last;
  }

  void begin_record() override { tail_.clear(); }

  std::size_t record_end(std::string_view piece) override {
    const std::size_t had = tail_.size();
    const std::string border = tail_ + std::string(piece.substr(0, kPageEnd.size()));
    if (const std::size_t at = border.find(kPageEnd);
        at != npos && at + kPageEnd.size() <= had + piece.size())
      return at + kPageEnd.size() - had;
    if (const std::size_t at = piece.find(kPageEnd); at != npos) return at + kPageEnd.size();
    tail_.append(piece.substr(piece.size() - std::min(piece.size(), kPageEnd.size() - 1)));
    if (tail_.size() >= kPageEnd.size()) tail_.erase(0, tail_.size() - (kPageEnd.size() - 1));
    return npos;
  }

 private:
  std::string tail_;  // the last bytes of a very large page
};

}  // namespace

bool is_wiki_dump(std::string_view bytes) noexcept {
  constexpr std::string_view kWhite = " \t\r\n", kRoot = "<mediawiki";
  bytes.remove_prefix(std::min(bytes.find_first_not_of(kWhite), bytes.size()));
  if (bytes.starts_with("<?xml")) {
    bytes.remove_prefix(std::min(bytes.find("?>"), bytes.size() - 2) + 2);
    bytes.remove_prefix(std::min(bytes.find_first_not_of(kWhite), bytes.size()));
  }
  const std::string_view next = bytes.substr(std::min(kRoot.size(), bytes.size()), 1);
  return bytes.starts_with(kRoot) && (next == ">" || next == " " || next == "\n" || next == "\r");
}

std::size_t first_wiki_page(std::string_view bytes) noexcept {
  std::size_t begin = find_page(bytes);
  if (begin == std::string_view::npos) return begin;
  while (begin > 0 && (bytes[begin - 1] == ' ' || bytes[begin - 1] == '\t')) --begin;
  return begin;
}

std::string_view without_page_surroundings(std::string_view piece) noexcept {
  const std::size_t begin = find_page(piece);
  if (begin == std::string_view::npos) return piece.substr(piece.size());
  const std::size_t end = piece.rfind(kPageEnd);
  const std::size_t stop =
      end == std::string_view::npos || end < begin ? piece.size() : end + kPageEnd.size();
  return piece.substr(begin, stop - begin);
}

WikiPage parse_wiki_page(std::string_view page) noexcept {
  WikiPage parsed;
  const std::size_t first = std::min(page.find("<revision"), page.size());
  const std::string_view head = page.substr(0, first);
  const std::size_t last = page.rfind("<revision>");
  const std::string_view revision = last == std::string_view::npos ? page.substr(first) : page.substr(last);
  parsed.id = element_inside(head, "id");
  parsed.title = element_inside(head, "title");
  parsed.ns = element_inside(head, "ns");
  if (!page.ends_with(kPageEnd))
    parsed.problem = "the page is cut off: its end is missing";
  else if (revision.empty())
    parsed.problem = "the page has no revision";
  else if (page.find("<![CDATA[") != std::string_view::npos)
    parsed.problem = "the page holds a CDATA section, which no dump of MediaWiki does";
  if (parsed.problem != nullptr) return parsed;
  parsed.revision = element_inside(revision, "id");
  parsed.timestamp = element_inside(revision, "timestamp");
  parsed.text = element_inside(revision, "text");
  return parsed;
}

std::unique_ptr<RecordScanner> make_wiki_scanner() { return std::make_unique<WikiScanner>(); }

}  // namespace leitong
