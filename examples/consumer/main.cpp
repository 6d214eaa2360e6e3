// What a program of yours looks like: link leitong::leitong, include leitong/..., look at every Result.
#include <leitong/compare.hpp>

#include <cstdio>
#include <string_view>

int main() {
  const std::string_view a = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。";
  const std::string_view b = "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。";

  const leitong::Result<leitong::CompareResult> result = leitong::compare(a, b);
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return 1;
  }
  std::printf("jaccard %.2f, containment %.2f and %.2f\n", result->jaccard, result->a.containment,
              result->b.containment);
  for (const leitong::Passage& passage : result->passages) {
    const std::string_view shared = a.substr(passage.a.begin, passage.a.end - passage.a.begin);
    std::printf("shared: %.*s\n", static_cast<int>(shared.size()), shared.data());
  }
  return result->jaccard > 0.5 && !result->passages.empty() ? 0 : 1;
}
