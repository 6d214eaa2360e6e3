#include "job/report_clusters.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "report/excerpt.hpp"

namespace leitong {
namespace {

// Enough for the first words, whatever white space stands between them.
constexpr std::size_t kOpeningRead = 4 * ReportLimits::opening_bytes;

Result<ReportDocument> opening(const Corpus& corpus, DocId document, ReadScratch& scratch) {
  ReportDocument shown;
  LEITONG_ASSIGN(const DocumentText read, corpus.read(document, scratch));
  shown.place = corpus.place_name(document);
  shown.id = read.id.empty() ? shown.place : std::string(read.id);
  shown.text = utf8_prefix(read.text, kOpeningRead);
  shown.bytes = read.text.size();
  return shown;
}

}  // namespace

std::vector<std::pair<std::uint64_t, std::uint64_t>> size_counts(const Outcome& outcome) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::uint32_t size : outcome.cluster_sizes()) ++counts[size];
  return {counts.begin(), counts.end()};
}

Result<std::vector<ReportCluster>> report_clusters(const Corpus& corpus, const Outcome& outcome) {
  const PodVector<std::uint32_t> sizes = outcome.cluster_sizes();
  std::vector<std::uint32_t> largest(sizes.size());
  std::iota(largest.begin(), largest.end(), 0U);
  const std::size_t shown = std::min(sizes.size(), ReportLimits::clusters);
  std::partial_sort(
      largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(shown), largest.end(),
      [&](std::uint32_t x, std::uint32_t y) { return sizes[x] != sizes[y] ? sizes[x] > sizes[y] : x < y; });
  largest.resize(shown);

  struct Star {
    DocId kept = 0;
    std::vector<DocId> members;
  };
  std::unordered_map<std::uint32_t, Star> stars;
  for (const std::uint32_t cluster : largest) stars[cluster + 1];
  for (DocId d = 0; d < outcome.documents(); ++d) {
    const auto found = stars.find(outcome.cluster[d]);
    if (found == stars.end()) continue;
    if (outcome.found.settlement.stays(d))
      found->second.kept = d;
    else
      found->second.members.push_back(d);
  }

  const auto scratch = corpus.new_scratch();
  std::vector<ReportCluster> clusters;
  for (const std::uint32_t number : largest) {
    Star& star = stars[number + 1];
    ReportCluster cluster;
    cluster.size = sizes[number];
    LEITONG_ASSIGN(cluster.kept, opening(corpus, star.kept, *scratch));
    const std::size_t most = std::min(star.members.size(), ReportLimits::members);
    std::partial_sort(star.members.begin(), star.members.begin() + static_cast<std::ptrdiff_t>(most),
                      star.members.end(), [&](DocId x, DocId y) {
                        return std::pair(outcome.reason(x).second, x) <
                               std::pair(outcome.reason(y).second, y);
                      });
    for (std::size_t i = 0; i < most; ++i) {
      ReportCluster::Member member;
      std::tie(member.measure, member.score) = outcome.reason(star.members[i]);
      LEITONG_ASSIGN(member.document, opening(corpus, star.members[i], *scratch));
      cluster.members.push_back(std::move(member));
    }
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

}  // namespace leitong
