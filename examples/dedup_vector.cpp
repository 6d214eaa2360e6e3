// Finds which of these texts are the same, and what two of them share.
#include <leitong/compare.hpp>
#include <leitong/dedup.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

int main() {
  const std::vector<std::string_view> texts = {
      "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。",
      "The dough rises twice, once in the bowl and once in the tin, and is baked for forty minutes.",
      "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。",
  };
  const auto decisions = leitong::deduplicate(texts);
  if (!decisions) {
    std::fprintf(stderr, "%s\n", decisions.error().message.c_str());
    return 1;
  }
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    if (decisions->stays(i)) {
      std::printf("text %u stays\n", i);
      continue;
    }
    const std::uint32_t kept = decisions->kept()[i];
    const auto reason = decisions->reason(i);
    std::printf("text %u leaves for text %u: %s %.2f\n", i, kept, reason->measure.data(), reason->score);
    const auto comparison = leitong::compare(texts[i], texts[kept]);
    for (const leitong::Passage& passage : comparison->passages) {
      const std::string_view shared = texts[i].substr(passage.a.begin, passage.a.size());
      std::printf("  both say: %.*s\n", static_cast<int>(shared.size()), shared.data());
    }
  }
  return decisions->removed() == 1 ? 0 : 1;
}
