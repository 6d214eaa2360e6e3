// Measures how good a result is against the truth, and checks whether a file is the one that is expected.
#include <leitong/dedup.hpp>
#include <leitong/digest.hpp>
#include <leitong/evaluate.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

int main() {
  const std::vector<std::string_view> texts = {
      "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。",
      "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。",
      "面团要发两次，一次在盆里，一次在模子里，然后烤四十分钟。",
  };
  const std::vector<leitong::Label> truth = {0, 0, 1};
  const auto decisions = leitong::deduplicate(texts);
  if (!decisions) {
    std::fprintf(stderr, "%s\n", decisions.error().message.c_str());
    return 1;
  }
  const leitong::ClusterMetrics metrics = leitong::cluster_metrics(truth, decisions->kept());
  const leitong::Score pairs = metrics.pairs.score();
  std::printf("precision %.3f, recall %.3f, F1 %.3f, adjusted Rand index %.3f\n", pairs.precision,
              pairs.recall, pairs.f1(), metrics.adjusted_rand);
  std::printf("sha256 of the first text: %s\n",
              leitong::digest(leitong::DigestKind::sha256, texts[0]).value().c_str());
  return pairs.f1() == 1 ? 0 : 1;
}
