#include <gmock/gmock.h>

#include <string>

#include "corpus/html_text.hpp"

namespace leitong {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kStory =
    "<p>The first clap of thunder came over the ridge while the shepherd counted his flock by the wall.</p>"
    "<p>He heard it a second time from the valley, and could not tell which of the two had been the "
    "echo.</p>";

std::string main_of(std::string_view page) {
  std::string text;
  EXPECT_EQ(html_to_text(page, text, HtmlPart::main), "");
  return text;
}
std::string all_of(std::string_view page) {
  std::string text;
  EXPECT_EQ(html_to_text(page, text), "");
  return text;
}

std::string page(std::string_view before, std::string_view content, std::string_view after) {
  return "<html><head><title>Two thunders</title></head><body>" + std::string(before) + std::string(content) +
         std::string(after) + "</body></html>";
}

TEST(HtmlMainTest, MenusAndFootersByElementOrRoleGo) {
  const std::string text = main_of(page(
      "<nav>Home and other places of this site, all of them</nav><div role=search>Find a page here</div>",
      std::string("<h1>Echo</h1>") + std::string(kStory),
      "<footer>Printed by a shepherd, in the year of the storm</footer>"));
  EXPECT_EQ(text, "Two thunders\nEcho\n" + all_of(kStory));
}

TEST(HtmlMainTest, MenusAndFootersByClassOrIdGo) {
  for (const std::string_view name : {"class=\"side-nav\"", "id=topNav", "class='wide breadcrumbs'",
                                      "id=page_footer", "class=sphinxsidebar", "class=navheader"}) {
    const std::string chrome = "<div " + std::string(name) + ">Some words that stand on every page</div>";
    EXPECT_THAT(main_of(page(chrome, kStory, "")), Not(HasSubstr("every page"))) << name;
  }
  for (const std::string_view name : {"class=unavailable", "class=has-sidebar", "class=navigator-of-seas",
                                      "id=withFooter", "class=menuhin"}) {
    const std::string content = "<div " + std::string(name) + ">" + std::string(kStory) + "</div>";
    EXPECT_THAT(main_of(page("", content, "<p>" + std::string(200, 'x') + "</p>")), HasSubstr("ridge"))
        << name;
  }
}

TEST(HtmlMainTest, AWrapperWithATellingNameIsNoMenu) {
  EXPECT_THAT(main_of(page("<div class=menu>", kStory, "</div>")), HasSubstr("shepherd counted"));
}

TEST(HtmlMainTest, TextOutsideOfMainIsDropped) {
  const std::string text =
      main_of(page("<p>A paragraph that looks like prose but is a teaser for quite another story.</p>",
                   "<main><h1>Echo</h1>" + std::string(kStory) + "</main>", "<p>Yet another teaser.</p>"));
  EXPECT_THAT(text, Not(HasSubstr("teaser")));
  EXPECT_THAT(text, HasSubstr("Echo"));
  EXPECT_THAT(text, HasSubstr("Two thunders"));
}

TEST(HtmlMainTest, AnEmptyMainIsIgnored) {
  EXPECT_THAT(main_of(page("<main><p>Loading</p></main>", kStory, "")), HasSubstr("shepherd counted"));
}

TEST(HtmlMainTest, ListsOfLinksAreDroppedWithTheirHeadingAndShortTexts) {
  const std::string links =
      "<h3>See also</h3><ul><li><a href=a>Lightning for beginners</a><li><a href=b>The valley of echoes</a>"
      "<li>|<li><a href=c>Sheep</a></ul><p>Updated lately</p>";
  const std::string text = main_of(page("", kStory, links));
  EXPECT_EQ(text, "Two thunders\n" + all_of(kStory));
}

TEST(HtmlMainTest, LinksWithinProseStay) {
  const std::string content =
      std::string(kStory) + "<p><a href=x>A line that is all link</a></p>" + std::string(kStory);
  EXPECT_THAT(main_of(page("", content, "")), HasSubstr("all link"));
}

TEST(HtmlMainTest, CookieNoticesGoAndTextsAboutCookiesStay) {
  EXPECT_THAT(main_of(page("<div><p>We use cookies. Read our privacy policy, then accept them all to go on "
                           "with the page that you came for.</p></div>",
                           kStory, "")),
              Not(HasSubstr("cookies")));
  EXPECT_THAT(main_of(page("<div>本站使用Cookie，继续浏览即表示您同意。</div>", kStory, "")),
              Not(HasSubstr("同意")));
  EXPECT_THAT(main_of(page("<p>A cookie wants an egg, some flour and a hot oven; nothing else is needed.</p>",
                           kStory, "")),
              HasSubstr("flour"));
}

TEST(HtmlMainTest, CodeAndShortLinesWithinContentStay) {
  const std::string content = std::string(kStory) +
                              "<pre>ring(twice);\n</pre><p>Twice.</p><table><tr><td>1<td>2"
                              "</table>" +
                              std::string(kStory);
  const std::string text = main_of(page("", content, ""));
  EXPECT_THAT(text, HasSubstr("ring(twice);"));
  EXPECT_THAT(text, HasSubstr("Twice."));
}

TEST(HtmlMainTest, FormControlsGo) {
  EXPECT_THAT(main_of(page("<select><option>Every language of the world and then some</select>", kStory, "")),
              Not(HasSubstr("language")));
}

TEST(HtmlMainTest, APageThatIsAllLinksIsKeptWhole) {
  const std::string links = "<ul><li><a href=a>Lightning</a><li><a href=b>Echo</a></ul>";
  EXPECT_EQ(main_of(links), all_of(links));
  EXPECT_EQ(main_of("<p>short</p>"), "short");
  EXPECT_EQ(main_of(""), "");
  EXPECT_EQ(main_of("<pre>\n\n</pre><a href=x>all of it a link</a>"), "all of it a link")
      << "blank is no prose";
}

}  // namespace
}  // namespace leitong
