// What a program of yours looks like: link leitong::leitong, include leitong/..., look at every Result.
#include <leitong/compare.hpp>
#include <leitong/context.hpp>
#include <leitong/dedup.hpp>
#include <leitong/hamming.hpp>
#include <leitong/sign.hpp>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

namespace {

int stop(const leitong::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

void show(const char* label, std::string_view text) {
  std::printf("%s: %.*s\n", label, static_cast<int>(text.size()), text.data());
}

}  // namespace

int main() {
  const std::vector<std::string_view> texts = {
      "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。",
      "The dough rises twice, once in the bowl and once in the tin, and is baked for forty minutes.",
      "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。",
  };
  const auto answer = leitong::deduplicate(texts);
  if (!answer) return stop(answer.error());

  for (const leitong::SimilarTexts& pair : answer->pairs) {
    const auto comparison = leitong::compare(texts[pair.a], texts[pair.b]);
    if (!comparison) return stop(comparison.error());
    std::printf("%u and %u: jaccard %.2f\n", pair.a, pair.b, comparison->jaccard);
    for (const leitong::Passage& passage : comparison->passages)
      show("shared", texts[pair.a].substr(passage.a.begin, passage.a.end - passage.a.begin));
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (answer->kept[i] == i) show("kept", texts[i]);

  // The same by fingerprints, which can be kept and searched by the billion.
  const auto signatures = leitong::sign(texts, {"simhash", {"features=chars", "weights=constant", "top=0"}});
  if (!signatures) return stop(signatures.error());
  std::vector<std::uint64_t> fingerprints;
  for (const leitong::Signature& signature : *signatures) fingerprints.push_back(signature.at(0));
  std::size_t near = 0;
  const auto joined = leitong::hamming::join<std::uint64_t>(
      leitong::Context({.threads = 2}), fingerprints, {.distance = 16},
      [&](std::span<const leitong::hamming::RowPair> pairs) -> leitong::Result<void> {
        for (const auto& pair : pairs)
          std::printf("%d and %d: %u bits apart\n", static_cast<int>(pair.a), static_cast<int>(pair.b),
                      pair.distance);
        near += pairs.size();
        return {};
      });
  if (!joined) return stop(joined.error());
  return answer->pairs.size() == 1 && near == 1 ? 0 : 1;
}
