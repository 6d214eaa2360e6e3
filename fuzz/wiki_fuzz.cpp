// A dump of MediaWiki of any bytes: every byte belongs to one piece, in whatever pieces the bytes come, and
// no page or subtitle causes an error in memory.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/subtitles.hpp"
#include "corpus/unescape.hpp"
#include "corpus/wiki_page.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS(
    "<mediawiki>\n<page><id>1</id><revision><text>a &lt; b</text></revision></page>\n</mediawiki>",
    "<page><text/></page><page", "WEBVTT\n\n00:01.000 --> 00:02.000\n<i>x</i>\n",
    "1\n00:00:01,0 --> 00:00:02,0\n{\\an8}x\n")

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint32_t> ends, first_ends, rest_ends;
  require(leitong::make_wiki_scanner()->whole_records(bytes, true, ends) == size);
  const auto scanner = leitong::make_wiki_scanner();
  const std::size_t half = scanner->whole_records(bytes.substr(0, size / 2), false, first_ends);
  require(half <= size / 2);
  require(scanner->whole_records(bytes.substr(half), true, rest_ends) == size - half);

  std::string text;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    require(end > begin);
    const std::string_view page = leitong::without_page_surroundings(bytes.substr(begin, end - begin));
    if (!page.empty())
      require(leitong::unescape_xml(leitong::parse_wiki_page(page).text, text).size() <= 4 * page.size());
    begin = end;
  }
  require(begin == size);
  leitong::subtitles_to_text(bytes, text);
  require(text.size() <= size + size / 2);
  static_cast<void>(leitong::is_subtitles(bytes) || leitong::is_wiki_dump(bytes));
  static_cast<void>(leitong::first_wiki_page(bytes));
  return 0;
}
