// How each script is treated when texts mix them; the sentences are written for this project.
#include "text/script_mix.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "text/random_text.hpp"
#include "text/segment/small_dictionary.hpp"

namespace leitong {
namespace {

using testing::ElementsAreArray;

class ScriptMix : public test::SmallDictionary {
 protected:
  ScriptMix() : cutter_(*model(files())) {}

  [[nodiscard]] std::vector<std::string> cut(std::string_view text, Scripts scripts) const {
    static CutScratch scratch;
    PodVector<std::uint32_t> starts;
    cut_scripts(cutter_, scripts, text, true, scratch, starts);
    starts.push_back(static_cast<std::uint32_t>(text.size()));
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      tokens.emplace_back(text.substr(starts[i], starts[i + 1] - starts[i]));
    return tokens;
  }
  /// The tokens that do not separate.
  [[nodiscard]] std::vector<std::string> words(std::string_view text) const {
    std::vector<std::string> found;
    for (std::string& token : cut(text, Scripts::all))
      if (token != " " && token != "\n") found.push_back(std::move(token));
    return found;
  }

  JiebaCutter cutter_;
};

struct Sentence {
  std::string_view script, text;
  std::vector<std::string> words;
};

TEST_F(ScriptMix, SentencesOfEachScriptBetweenChineseWords) {
  const Sentence sentences[] = {
      {"Japanese", "雷が鳴る夜に本を読む", {"雷", "が", "鳴る", "夜", "に", "本", "を", "読む"}},
      {"katakana", "カミナリ、エコー", {"カミナリ", "、", "エコー"}},
      {"Korean", "천둥이 두 번 친다.", {"천둥이", "두", "번", "친다", "."}},
      {"Thai", "ฝนตกหนักในเวลากลางคืน", {"ฝน", "ตกหนัก", "ใน", "เวลา", "กลาง", "คืน"}},
      {"Lao", "ຝົນຕົກ", {"ຝົນຕົກ"}},
      {"Khmer", "ភ្លៀងធ្លាក់", {"ភ្លៀង", "ធ្លាក់"}},
      {"Arabic", "صوت الرعد يتكرر مرتين،", {"صوت", "الرعد", "يتكرر", "مرتين", "،"}},
      {"Hebrew", "הרעם חוזר פעמיים", {"הרעם", "חוזר", "פעמיים"}},
      {"Hindi", "बादल दो बार गरजा।", {"बादल", "दो", "बार", "गरजा", "।"}},
      {"Tamil", "இடி இரண்டு முறை", {"இடி", "இரண்டு", "முறை"}},
      {"Russian", "Гром гремит дважды!", {"Гром", "гремит", "дважды", "!"}},
      {"Greek", "η βροντή ηχεί", {"η", "βροντή", "ηχεί"}},
      {"Vietnamese", "tiếng sấm vang", {"tiếng", "sấm", "vang"}},
      {"French", "l'été déjà fini", {"l'été", "déjà", "fini"}},
  };
  for (const Sentence& sentence : sentences) {
    SCOPED_TRACE(sentence.script);
    EXPECT_THAT(words(sentence.text), ElementsAreArray(sentence.words));
    std::vector<std::string> expected = sentence.words;
    expected.insert(expected.begin(), {"回声定位", "echo"});
    expected.insert(expected.end(), {"雷同", "C++"});
    EXPECT_THAT(words("回声定位 echo " + std::string(sentence.text) + " 雷同 C++"),
                ElementsAreArray(expected));
  }
}

TEST_F(ScriptMix, ChineseAndEnglishAreCutAsByJieba) {
  for (const std::string_view text :
       {"打雷，回声定位 C++ T恤，don't x86-64 1.5 e.g.",
        "“雷同”……甲乙—→×÷🙂👩‍💻 ①㎏\r\n", "雷", ""})
    EXPECT_EQ(cut(text, Scripts::all), cut(text, Scripts::jieba)) << text;
}

TEST_F(ScriptMix, EveryByteBelongsToAToken) {
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(random, 1 + i % 60) + (i % 3 == 0 ? "\nฟ้าร้อง雷同" : "");
    std::string joined;
    for (const std::string& token : cut(text, Scripts::all)) {
      EXPECT_FALSE(token.empty());
      joined += token;
    }
    ASSERT_EQ(joined, text);
  }
}

TEST_F(ScriptMix, LongTextsWithoutSpacesDontBecomeOneToken) {
  for (const std::string_view part : {"ฝนตกหนัก", "雷が鳴る", "ភ្លៀងធ្លាក់", "ᥖᥭᥰᥘᥫᥴ", "𗀀𗀁"}) {
    std::string text;
    while (text.size() < 30'000) text += part;
    std::size_t longest = 0;
    for (const std::string& token : cut(text, Scripts::all)) longest = std::max(longest, token.size());
    EXPECT_LE(longest, 60u) << part;
  }
}

}  // namespace
}  // namespace leitong
