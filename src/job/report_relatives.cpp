#include "job/report_relatives.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/halves.hpp"
#include "base/try.hpp"
#include "cluster/settle.hpp"
#include "report/choose_rows.hpp"

namespace leitong {

Result<std::vector<RowRequest>> choose_relatives(const Outcome& outcome) {
  std::vector<RowRequest> requests;
  if (outcome.relatives == 0) return requests;
  LEITONG_ASSIGN(const Relatives relatives, Relatives::read(outcome));
  RowChooser chooser(ReportLimits::relatives);
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (!outcome.is_relative(d)) continue;
    const Relatives::Nearest* const nearest = relatives.of(d);
    chooser.add(nearest != nullptr ? nearest->loss.share() : 1, d);
  }
  const Settlement& settlement = outcome.found.settlement;
  const PodVector<std::uint32_t>& units = outcome.found.table.units;
  const std::vector<DocId> original = originals(outcome.documents(), outcome.found.copies);
  const auto key = [](DocId x, DocId y) { return join_halves(std::min(x, y), std::max(x, y)); };
  std::unordered_multimap<std::uint64_t, std::size_t> by_pair;
  for (const std::uint64_t number : chooser.take()) {
    const auto d = static_cast<DocId>(number);
    RowRequest request{.a = d, .b = settlement.kept[settlement.leader(d)], .outcome = RowOutcome::relative};
    request.scores.jaccard = request.scores.containment = request.scores.score =
        -1;  // if no pair gives another value
    if (const Relatives::Nearest* const nearest = relatives.of(d)) {
      request.b = nearest->document;
      request.loss = nearest->loss;
      request.relation = relation_of(nearest->loss, units[d], units[nearest->document]);
    }
    by_pair.emplace(key(original[d], original[request.b]), requests.size());
    requests.push_back(request);
  }
  LEITONG_TRY(outcome.found.pairs->for_each([&](const VerifiedPair& pair) {
    const auto [begin, end] = by_pair.equal_range(key(pair.a, pair.b));
    for (auto at = begin; at != end; ++at) requests[at->second].scores = pair;
  }));
  return requests;
}

}  // namespace leitong
