#include "report/escape.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace leitong {
namespace {

using namespace std::string_literals;

std::string html(std::string_view text) {
  std::string out;
  append_html_escaped(text, out);
  return out;
}

std::string json(std::string_view text) {
  std::string out;
  append_json_in_script(text, out);
  return out;
}

std::string terminal(std::string_view text) {
  std::string out;
  append_terminal_safe(text, out);
  return out;
}

TEST(HtmlEscape, LeavesNoMarkup) {
  EXPECT_EQ(html("</script><img src=x onerror='a(\"&\")'>"),
            "&lt;/script&gt;&lt;img src=x onerror=&#39;a(&quot;&amp;&quot;)&#39;&gt;");
}

TEST(HtmlEscape, KeepsPlainTextOfAllScripts) {
  EXPECT_EQ(html("雷同 Ähnlich\tمرحبا 😀\n"), "雷同 Ähnlich\tمرحبا 😀\n");
  EXPECT_EQ(html(""), "");
}

TEST(HtmlEscape, MakesControlsVisible) {
  EXPECT_EQ(html("a\0b\x1b[31m\x7f"s), "a␀b␛[31m␡");
  EXPECT_EQ(html("\xC2\x85"), "[U+0085]");
}

TEST(HtmlEscape, MakesDirectionControlsVisible) {
  EXPECT_EQ(html("user\u202Egpj.exe"), "user[U+202E]gpj.exe");
  EXPECT_EQ(html("\u2066x\u2069\u200F"), "[U+2066]x[U+2069][U+200F]");
}

TEST(HtmlEscape, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(html("a\xFF\xE4\xB8z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(html("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
}

TEST(HtmlEscape, UnifiesLineEnds) { EXPECT_EQ(html("a\r\nb\rc\nd\r"), "a\nb\nc\nd\n"); }

TEST(JsonInScript, CannotEndTheScript) {
  const std::string text = json("</script><!-- ]]> & \u2028\u2029");
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(text.find("\u2028"), std::string::npos);
  EXPECT_EQ(text.find("\u2029"), std::string::npos);
}

TEST(JsonInScript, IsTheSameStringToAParser) {
  for (const std::string& text : {""s, "\"\\/"s, "</script>"s, "a\0\x1b\x7f\r\n\t"s, "雷同\u202E\u2028😀"s})
    EXPECT_EQ(nlohmann::json::parse(json(text)).get<std::string>(), text);
}

TEST(JsonInScript, IsValidJsonForAnyBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 20, ' ');
    for (char& c : text) c = static_cast<char>(random());
    EXPECT_TRUE(nlohmann::json::accept(json(text)));
  }
}

TEST(TerminalSafe, LetsNoEscapeSequenceThrough) {
  EXPECT_EQ(terminal("\x1b]0;owned\x07 \xC2\x9B"
                     "31m a<b\r\n"),
            "␛]0;owned␇ [U+009B]31m a<b\n");
}

}  // namespace
}  // namespace leitong
