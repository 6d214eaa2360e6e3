#include "corpus/html_main.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace leitong {
namespace {

// All sizes are bytes of UTF-8: a Chinese sentence has about as many as an English one.
constexpr std::size_t kSentence = 80;  // shorter blocks follow their neighbours
constexpr double kMainShare = .25;     // least share of the text for main and article
constexpr double kWrapperShare = .40;  // share of the prose that makes a region a wrapper instead of chrome
constexpr double kLinkShare = .5;      // share of link text that makes a block a list of links
constexpr double kLeastShare = .05;    // least share of the prose that has to stay
constexpr std::size_t kLongestNotice = 600;  // longest notice about cookies

std::size_t prose(const HtmlBlock& block) {
  return block.text.size() - std::min(block.link_bytes, block.text.size());
}
bool is_links(const HtmlBlock& block) {
  return static_cast<double>(block.link_bytes) >= kLinkShare * static_cast<double>(block.text.size());
}

bool contains(std::string_view text, std::string_view lower_word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return std::search(text.begin(), text.end(), lower_word.begin(), lower_word.end(), same) != text.end();
}

/// A text about cookies says more about them than whether they are accepted.
bool is_cookie_notice(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kAnswers{"accept", "agree", "consent", "privacy",
                                                            "同意",   "接受",  "隐私",    "拒绝"};
  if (text.size() > kLongestNotice || !contains(text, "cookie")) return false;
  return std::any_of(kAnswers.begin(), kAnswers.end(),
                     [&](std::string_view answer) { return contains(text, answer); });
}

/// What the page's own structure says.
struct Structure {
  bool has_main;             ///< main, article or role=main hold enough text
  std::vector<bool> chrome;  ///< for each block
};

Structure structure_of(const HtmlBlocks& page) {
  std::vector<std::size_t> in_region(page.regions + 1);
  std::size_t all_prose = 0, all_text = 0, main_text = 0;
  for (const HtmlBlock& block : page.blocks) {
    all_prose += prose(block);
    in_region[block.region] += prose(block);
    all_text += block.text.size();
    main_text += block.in_main ? block.text.size() : 0;
  }
  const auto share = [](std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
  };
  const auto is_wrapper = [&](std::uint32_t region) {
    return in_region[region] >= kLongestNotice && share(in_region[region], all_prose) >= kWrapperShare;
  };
  Structure structure{share(main_text, all_text) >= kMainShare, {}};
  for (const HtmlBlock& block : page.blocks) {
    const bool in_chrome = block.region != 0 && !is_wrapper(block.region);
    structure.chrome.push_back(block.in_control || in_chrome || (structure.has_main && !block.in_main));
  }
  return structure;
}

/// Drops notices, and lists of links without content on both sides.
void drop_links_and_notices(const HtmlBlocks& page, bool has_main, std::vector<bool>& chrome) {
  const std::size_t count = page.blocks.size();
  std::vector<bool> links(count);
  for (std::size_t i = 0; i < count; ++i) {
    const HtmlBlock& block = page.blocks[i];
    const std::string_view text = std::string_view(page.text).substr(block.text.begin, block.text.size());
    if (!block.in_main && is_cookie_notice(text)) chrome[i] = true;
    // Within what the page marks as content, a list of links is content: an index, a table of contents.
    links[i] = !chrome[i] && !has_main && is_links(block) && block.heading == 0;
  }
  const auto is_content = [&](std::size_t i) {
    return i < count && !chrome[i] && !links[i] && prose(page.blocks[i]) >= kSentence;
  };
  std::vector<bool> dropped = chrome;
  for (std::size_t i = 0; i < count; ++i)
    if (links[i] && !(i > 0 && is_content(i - 1) && is_content(i + 1))) dropped[i] = true;
  chrome = std::move(dropped);
}

/// Drops short blocks between two dropped blocks, or between one and the edge of the page: "|", "Next:", a
/// copyright line.
void drop_small_change(const HtmlBlocks& page, std::vector<bool>& chrome) {
  const std::size_t count = page.blocks.size();
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    std::size_t bytes = 0;
    bool plain = true;
    for (end = begin; end < count && !chrome[end]; ++end) {
      bytes += page.blocks[end].text.size();
      plain &=
          page.blocks[end].heading == 0 && !page.blocks[end].is_preformatted && !page.blocks[end].is_title;
    }
    const bool whole_page = begin == 0 && end == count;
    if (plain && !whole_page && bytes < kSentence)
      std::fill(chrome.begin() + static_cast<std::ptrdiff_t>(begin),
                chrome.begin() + static_cast<std::ptrdiff_t>(end), true);
    if (end == begin) ++end;
  }
}

void drop_lone_headings(const HtmlBlocks& page, std::vector<bool>& chrome) {
  // content_below[h]: something stays between here and the next heading of rank <= h.
  std::array<bool, 8> content_below{};
  for (std::size_t i = page.blocks.size(); i-- > 0;) {
    const std::uint8_t rank = page.blocks[i].heading;
    if (rank == 0) {
      if (!chrome[i]) content_below.fill(true);
      continue;
    }
    if (rank > 1 && !content_below[rank]) chrome[i] = true;
    for (std::size_t h = rank; h < content_below.size(); ++h) content_below[h] = false;
    if (!chrome[i])
      for (std::size_t h = 1; h < rank; ++h) content_below[h] = true;
  }
}

}  // namespace

void main_text(const HtmlBlocks& page, std::string& text) {
  auto [has_main, chrome] = structure_of(page);
  drop_links_and_notices(page, has_main, chrome);
  drop_small_change(page, chrome);
  drop_lone_headings(page, chrome);

  std::size_t all = 0, kept = 0;
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    all += prose(page.blocks[i]);
    if (!chrome[i] && !page.blocks[i].is_title) kept += prose(page.blocks[i]);
  }
  const bool whole = kept == 0 || static_cast<double>(kept) < kLeastShare * static_cast<double>(all);
  text.clear();
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const HtmlBlock& block = page.blocks[i];
    if (chrome[i] && !block.is_title && !whole) continue;
    if (!text.empty() && text.back() != '\n') text += '\n';
    text.append(page.text, block.text.begin, block.text.size());
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();  // of a `pre` that is the last block
}

}  // namespace leitong
