#include "job/report_clusters.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "base/try.hpp"
#include "job/report_rows.hpp"
#include "report/excerpt.hpp"

namespace leitong {
namespace {

// Enough for the first words, even with much white space between them.
constexpr std::size_t kOpeningRead = 4 * ReportLimits::opening_bytes;

Result<ReportDocument> opening(const Corpus& corpus, DocId document, const std::string& title_field,
                               ReadScratch& scratch) {
  ReportDocument shown;
  LEITONG_ASSIGN(shown.title, title_of(corpus, document, title_field, scratch));
  LEITONG_ASSIGN(const DocumentText read, corpus.read(document, scratch));
  shown.place = corpus.place_name(document);
  shown.id = read.id.empty() ? shown.place : std::string(read.id);
  shown.text = utf8_prefix(read.text, kOpeningRead);
  shown.bytes = read.text.size();
  return shown;
}

}  // namespace

Result<void> add_clusters(const Clustered& clustered, ReportData& data) {
  const PodVector<std::uint32_t> sizes = cluster_sizes(clustered.cluster, clustered.clusters);
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::uint32_t size : sizes) ++counts[size];
  data.cluster_sizes.assign(counts.begin(), counts.end());

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
  for (const std::uint32_t number : largest) stars[number + 1];
  for (DocId d = 0; d < clustered.cluster.size(); ++d) {
    const auto found = stars.find(clustered.cluster[d]);
    if (found == stars.end()) continue;
    if (clustered.settlement.leader(d) == d)
      found->second.kept = d;
    else if (!clustered.settlement.stays(d))
      found->second.members.push_back(d);
  }

  for (const std::uint32_t number : largest) {
    Star& star = stars[number + 1];
    ReportCluster cluster;
    cluster.size = sizes[number];
    LEITONG_ASSIGN(cluster.kept, clustered.describe(star.kept));
    const std::size_t most = std::min(star.members.size(), ReportLimits::members);
    std::partial_sort(star.members.begin(), star.members.begin() + static_cast<std::ptrdiff_t>(most),
                      star.members.end(), [&](DocId x, DocId y) {
                        return std::pair(clustered.reason(x).second, x) <
                               std::pair(clustered.reason(y).second, y);
                      });
    for (std::size_t i = 0; i < most; ++i) {
      ReportCluster::Member member;
      std::tie(member.measure, member.score) = clustered.reason(star.members[i]);
      LEITONG_ASSIGN(member.document, clustered.describe(star.members[i]));
      cluster.members.push_back(std::move(member));
    }
    data.largest_clusters.push_back(std::move(cluster));
  }
  return {};
}

Result<void> add_clusters(const Corpus& corpus, const Outcome& outcome, const std::string& title_field,
                          ReportData& data) {
  const auto scratch = corpus.new_scratch();
  return add_clusters({{outcome.cluster.data(), outcome.cluster.size()},
                       outcome.clusters,
                       outcome.found.settlement,
                       [&](DocId d) { return outcome.reason(d); },
                       [&](DocId d) { return opening(corpus, d, title_field, *scratch); }},
                      data);
}

}  // namespace leitong
