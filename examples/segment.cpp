// One spelling, words and keywords of Chinese texts.
#include <leitong/normalise.hpp>
#include <leitong/segment.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

int stop(const leitong::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

void print(std::string_view text) { std::printf("%.*s ", static_cast<int>(text.size()), text.data()); }

}  // namespace

int main() {
  const leitong::Context context;
  const std::vector<std::string_view> texts = {"渡船清晨六點開第一班，霧大的日子改到七點。",
                                               "乘客請在北岸的石階旁排隊等候。"};
  const auto normal = leitong::normalise(context, texts, {.simplify = leitong::Simplify::characters});
  if (!normal) return stop(normal.error());
  const std::vector<std::string_view> simplified = {normal->texts[0], normal->texts[1]};

  const auto segmenter = leitong::Segmenter::open(context);
  if (!segmenter) return stop(segmenter.error());
  const auto words = segmenter->segment(context, simplified);
  if (!words) return stop(words.error());
  const auto keywords = segmenter->keywords(context, simplified, 3);
  if (!keywords) return stop(keywords.error());
  for (std::size_t i = 0; i < simplified.size(); ++i) {
    for (const leitong::Word word : (*words)[i]) print(word.in(simplified[i]));
    std::printf("\n  keywords: ");
    for (const leitong::Keyword& keyword : (*keywords)[i]) print(keyword.word);
    std::printf("\n");
  }
  return (*words)[0][0].in(simplified[0]) == "渡船" ? 0 : 1;
}
