// Mean weight of a text's words by their rank: "rank TAB tf-idf TAB j-tidf" over the documents of a file,
// each document's weights taken relative to its heaviest.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "feature/extractor.hpp"
#include "feature/j_tidf.hpp"
#include "scheme/resources.hpp"

namespace leitong {
namespace {

constexpr std::size_t kRanks = 100;

struct Sums {
  std::vector<double> tf_idf = std::vector<double>(kRanks), j_tidf = std::vector<double>(kRanks);
  std::size_t documents = 0;
};

void add(const PodVector<Weighted>& weights, std::vector<double>& sums) {
  for (std::size_t i = 0; i < weights.size() && i < kRanks; ++i)
    sums[i] += double{weights[i].weight} / double{weights[0].weight};
}

Result<void> run(const std::string& path, const std::string& model_path) {
  const Context context;
  LEITONG_ASSIGN(const auto words, resources_of(context).words());
  LEITONG_ASSIGN(TermModel loaded, TermModel::load(model_path));
  const auto model = std::make_shared<const TermModel>(std::move(loaded));
  const FeatureExtractor extractor(ExtractorOptions{}, words, model);
  LEITONG_ASSIGN(const auto corpus, Corpus::open(InputOptions{{.paths = {path}}}, RunContext(context)));
  const auto scratch = corpus->new_scratch();
  FeatureSpace space;
  std::vector<std::span<const Partner>> partners;
  Sums sums;
  for (;;) {
    LEITONG_ASSIGN(const auto batch, corpus->next_batch());
    if (batch == nullptr) break;
    corpus->parse(*batch, *scratch, [&](const DocumentText& document) {
      extractor.gather(document.text, {}, space);
      extractor.weigh(WeightScheme::tf_idf, kRanks, space);
      if (space.weights.size() < kRanks) return;
      ++sums.documents;
      add(space.weights, sums.tf_idf);
      std::vector<std::uint64_t> ids;
      for (const Weighted& each : space.weights) ids.push_back(space.bag.terms[each.term].id);
      model->partners(ids, partners);
      share_weights(ids, partners, space.weights);
      keep_heaviest(space.bag, kRanks, space.weights);
      add(space.weights, sums.j_tidf);
    });
    LEITONG_TRY(corpus->commit(*batch));
  }
  const auto n = static_cast<double>(std::max<std::size_t>(1, sums.documents));
  for (std::size_t i = 0; i < kRanks; ++i)
    fmt::print("{}\t{:.6f}\t{:.6f}\n", i + 1, sums.tf_idf[i] / n, sums.j_tidf[i] / n);
  return {};
}

}  // namespace
}  // namespace leitong

int main(int argc, char** argv) {
  CLI::App app{"mean weights of words by rank"};
  std::string path, model;
  app.add_option("CORPUS", path)->required();
  app.add_option("MODEL", model)->required();
  CLI11_PARSE(app, argc, argv);
  if (const auto result = leitong::run(path, model); !result) {
    fmt::print(stderr, "rank_weights: {}\n", result.error().message);
    return 1;
  }
}
