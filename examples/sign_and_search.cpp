// Signatures that can be kept, and a search among them: which of the texts that were seen is near this one?
#include <leitong/hamming.hpp>
#include <leitong/scheme.hpp>
#include <leitong/sign.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

int stop(const leitong::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  using leitong::hamming::Fingerprint64;
  const leitong::Context context;
  const auto signer = leitong::Signer::open(
      context, {.method = "simhash", .params = {"features=chars", "weights=constant", "top=0"}});
  if (!signer) return stop(signer.error());
  std::printf("signed by %s\n",
              leitong::scheme_text(signer->id()).c_str());  // to be kept beside the signatures

  const std::vector<std::string_view> seen = {
      "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。",
      "The dough rises twice, once in the bowl and once in the tin, and is baked for forty minutes.",
  };
  const auto signatures = signer->sign(context, seen);
  if (!signatures) return stop(signatures.error());

  auto index = leitong::hamming::Index<Fingerprint64>::open(context, {.distance = 10});
  if (!index) return stop(index.error());
  std::vector<leitong::hamming::Row<Fingerprint64>> rows;
  for (std::size_t i = 0; i < signatures->size(); ++i) rows.push_back({(*signatures)[i][0], i});
  if (const auto done = index->insert(rows); !done) return stop(done.error());

  const std::vector<std::string_view> query = {
      "渡船清晨六點開第一班，霧大的日子改到七點。乘客請在北岸的石階旁排隊等候。"};
  const auto asked = signer->sign(context, query);
  if (!asked) return stop(asked.error());
  const auto hits = index->search((*asked)[0], 10, leitong::hamming::HitRule::nearest);
  if (!hits) return stop(hits.error());
  for (const auto& hit : *hits)
    std::printf("near text %d: %u bits differ\n", static_cast<int>(hit.id), hit.distance);
  return hits->size() == 1 && hits->front().id == 0 ? 0 : 1;
}
