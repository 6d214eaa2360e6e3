#include "job/recluster.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/ranks.hpp"
#include "base/try.hpp"
#include "cluster/covering.hpp"
#include "cluster/pair_store.hpp"
#include "io/output_file.hpp"
#include "io/run_context.hpp"
#include "job/recluster_report.hpp"
#include "job/row_file.hpp"
#include "similarity/loss_limits.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

Result<std::vector<std::uint32_t>> ranks(const StoredPairs& stored, const PairStore& pairs, Keep keep,
                                         DocId references, const LossLimits& limits) {
  if (keep == Keep::covering) {
    if (asks_for_losses(limits))
      return covering_ranks(pairs, stored.copies, stored.units, references, limits);
    return fail(
        ErrorCode::invalid_argument,
        "the keep policy covering: it goes by what each text lacks of the others, which nobody asks for "
        "where all that is similar leaves; choose other limits of what may be lost, or another policy",
        "keep");
  }
  return ranks_by(stored.ids.size(), [&](DocId x, DocId y) {
    return keep == Keep::longest && stored.units[x] > stored.units[y];
  });
}

/// Numbers the sets of at least two, in the order of their leaders, and returns how many there are.
template <class LeaderOf>
std::uint32_t number_sets(const LeaderOf& leader_of, std::vector<std::uint32_t>& number) {
  for (DocId d = 0; d < number.size(); ++d)
    if (leader_of(d) != d) number[leader_of(d)] = 1;
  std::uint32_t sets = 0;
  for (std::uint32_t& each : number)
    if (each != 0) each = ++sets;
  for (DocId d = 0; d < number.size(); ++d)
    if (leader_of(d) != d) number[d] = number[leader_of(d)];
  return sets;
}

std::uint64_t key_of(const VerifiedPair& pair) noexcept { return std::uint64_t{pair.a} << 32 | pair.b; }

/// The stored sentences of the pairs that removed documents, by key_of().
std::unordered_map<std::uint64_t, const std::string*> removal_reasons(const Reclustered& result) {
  const StoredPairs& stored = result.stored;
  std::unordered_map<std::uint64_t, const std::string*> reasons;
  for (DocId d = 0; d < stored.ids.size(); ++d)
    if (const VerifiedPair* const pair = result.removal_pair(d)) reasons.emplace(key_of(*pair), nullptr);
  for (std::size_t i = 0; i < stored.reason.size(); ++i)
    if (const auto wanted = reasons.find(key_of(stored.pairs[i])); wanted != reasons.end())
      wanted->second = &stored.reasons[stored.reason[i]];
  return reasons;
}

Result<void> write_removed(RowFile& rows, const Reclustered& result, NumberUnits numbers) {
  const std::vector<std::string>& ids = result.stored.ids;
  const std::vector<std::uint32_t>& units = result.stored.units;
  const bool has_reasons = result.stored.has_reasons;
  const auto reasons = removal_reasons(result);
  for (DocId d = 0; d < ids.size(); ++d) {
    if (result.settlement.stays(d)) continue;
    const VerifiedPair* const pair = result.removal_pair(d);
    const VerifiedPair why = result.why_removed(d);
    RemovedRow row{.id = ids[d],
                   .kept = ids[result.settlement.kept[d]],
                   .cluster = result.cluster[d],
                   .measure = why.measure,
                   .score = why.score};
    if (has_reasons)
      row.reason = pair == nullptr ? reason_of(why, true, numbers) : *reasons.at(key_of(*pair));
    if (result.settlement.by_losses()) {
      const std::optional<Loss> loss = result.removal_loss(d);
      row.loss = loss.value_or(Loss());
      row.relation = relation_of(*row.loss, units[d], units[result.settlement.kept[d]]);
      if (row.reason && loss) *row.reason += "; " + loss_words(*loss);
    }
    LEITONG_TRY(write_row(rows, row));
  }
  return rows.finish();
}

Result<Reclustered> decide(const ReclusterOptions& options, const Context& context) {
  RunContext run(context);
  Reclustered result;
  LEITONG_ASSIGN(result.stored,
                 read_stored_pairs(options.pairs, options.measure, options.threshold, run.stop));
  const StoredPairs& stored = result.stored;
  const std::size_t documents = stored.ids.size();
  const auto references =
      static_cast<DocId>(std::lower_bound(stored.numbers.begin(), stored.numbers.end(), options.references) -
                         stored.numbers.begin());
  PairStore store(documents, run);
  for (std::size_t i = 0; i < stored.pairs.size(); ++i) {
    const VerifiedPair& pair = stored.pairs[i];
    LEITONG_TRY(store.add(pair));
    if (stored.losses.empty()) continue;
    LEITONG_TRY(store.add_loss(pair.a, pair.b, *stored.losses[i].a));
    LEITONG_TRY(store.add_loss(pair.b, pair.a, *stored.losses[i].b));
  }
  LEITONG_TRY(store.sort());
  LEITONG_TRY(store.for_each([&](const VerifiedPair& pair) { result.pairs.push_back(pair); }));
  const LossLimits limits = options.remove.value_or(stored.has_losses ? LossLimits() : everything_similar());
  const bool by_losses = asks_for_losses(limits);
  const bool asks = !stored.pairs.empty() ||
                    std::ranges::any_of(stored.copies, [](const Copy& copy) { return copy.form.text != 0; });
  if ((by_losses || options.keep == Keep::covering) && !stored.has_losses && asks)
    return fail(ErrorCode::invalid_argument,
                "the columns loss_a and loss_b are missing: nobody asked for losses in the run that wrote "
                "this file; make the pairs anew, or remove all that is similar");
  LEITONG_ASSIGN(const std::vector<std::uint32_t> rank,
                 ranks(stored, store, options.keep, references, limits));
  LEITONG_ASSIGN(result.settlement, settle(documents, store, stored.copies, rank, references));
  if (by_losses) {
    LEITONG_TRY(settle_losses(store, stored.copies, rank, references, limits, {}, result.settlement));
    LEITONG_TRY(store.for_each(
        [&](const VerifiedPair&, const PairLosses& losses) { result.losses.push_back(losses); }));
  }
  result.original = originals(documents, stored.copies);
  result.forms.emplace(stored.copies);
  const Settlement& settlement = result.settlement;
  result.cluster.resize(documents);
  result.component.resize(documents);
  result.clusters = number_sets([&](DocId d) { return settlement.leader(d); }, result.cluster);
  result.components = number_sets([&](DocId d) { return settlement.component[d]; }, result.component);
  for (DocId d = 0; d < documents; ++d) {
    result.removed += settlement.stays(d) ? 0 : 1;
    result.relatives += settlement.stays(d) && settlement.leader(d) != d;
  }
  return result;
}

}  // namespace

VerifiedPair Reclustered::why_removed(DocId document) const {
  if (const VerifiedPair* const pair = removal_pair(document)) return *pair;
  return copies_of_one(0, 1, forms->same_text(document, settlement.kept[document]));
}

std::optional<Loss> Reclustered::removal_loss(DocId document) const noexcept {
  const std::uint32_t index = settlement.pair[original[document]];
  if (index == Settlement::kNoPair || losses.empty()) return std::nullopt;
  return pairs[index].a == original[document] ? losses[index].a : losses[index].b;
}

const VerifiedPair* Reclustered::removal_pair(DocId document) const noexcept {
  const std::uint32_t index = settlement.pair[original[document]];
  return index == Settlement::kNoPair ? nullptr : &pairs[index];
}

Result<Reclustered> recluster(const ReclusterOptions& options, const Context& context) {
  return on_threads(context, [&] { return decide(options, context); });
}

Result<void> write_reclustered(const ReclusterOptions& options, const Reclustered& result,
                               const DedupOutputs& outputs, const Context& context) {
  const StopToken stop = RunContext(context).stop;
  std::vector<std::unique_ptr<OutputFile>> open;
  const auto write = [&](const std::string& name, std::vector<TableColumn> columns,
                         const auto& rows_of) -> Result<void> {
    if (name.empty()) return {};
    LEITONG_ASSIGN(std::unique_ptr<OutputFile> file, OutputFile::create(name, outputs.force, stop));
    LEITONG_ASSIGN(RowFile rows, RowFile::open(*file, name, std::move(columns)));
    LEITONG_TRY(rows_of(rows));
    open.push_back(std::move(file));
    return {};
  };
  LEITONG_TRY(
      write(outputs.removed,
            removed_columns(false, result.stored.has_reasons,
                            result.settlement.by_losses() ? LossColumns::without_places : LossColumns::none),
            [&](RowFile& rows) { return write_removed(rows, result, options.numbers); }));
  LEITONG_TRY(
      write(outputs.clusters, number_columns("cluster", result.settlement.by_losses()), [&](RowFile& rows) {
        return write_numbers(rows, result.stored.ids, result.cluster, &result.settlement);
      }));
  LEITONG_TRY(write(outputs.components, number_columns("component"),
                    [&](RowFile& rows) { return write_numbers(rows, result.stored.ids, result.component); }));
  if (!outputs.report.empty()) {
    LEITONG_ASSIGN(const ReportData data, recluster_report(options, result));
    LEITONG_ASSIGN(std::unique_ptr<OutputFile> file, OutputFile::create(outputs.report, outputs.force, stop));
    LEITONG_TRY(write_report(data, [&](std::string_view part) { return file->write(part); }));
    open.push_back(std::move(file));
  }
  std::vector<Staged*> files;
  for (const auto& file : open) files.push_back(file.get());
  return commit_all(files, stop);
}

}  // namespace leitong
