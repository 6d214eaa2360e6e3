#include <fmt/core.h>

#include <algorithm>

#include "api/find_in_texts.hpp"
#include "api/text_batches.hpp"
#include "base/ranks.hpp"
#include "base/try.hpp"
#include "cluster/settle.hpp"
#include "cluster/stored_pairs.hpp"
#include "corpus/memory_documents.hpp"
#include "corpus/stored_texts.hpp"
#include "dedup/find_options.hpp"
#include "dedup/find_pairs.hpp"
#include "dedup/pair_result.hpp"
#include "dedup/settling.hpp"
#include "job/outcome.hpp"
#include "leitong/dedup.hpp"
#include "similarity/loss_limits.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

/// Does text x come before y by the policy? Equal texts come in their order.
bool goes_first(const KeepPolicy& keep, std::span<const std::uint64_t> ranks,
                std::span<const std::uint32_t> units, DocId x, DocId y) {
  const auto by_one = [&](Keep by) {  // below 0: x comes first
    if (by == Keep::ranked) return ranks[x] < ranks[y] ? -1 : ranks[x] > ranks[y] ? 1 : 0;
    const int longer = units[x] > units[y] ? -1 : units[x] < units[y] ? 1 : 0;
    return by == Keep::first ? 0 : by == Keep::shortest ? -longer : longer;
  };
  if (keep.by == Keep::first) return false;
  int order = by_one(keep.by);
  for (auto next = keep.then.begin(); order == 0 && next != keep.then.end() && next->by != Keep::first;
       ++next)
    order = by_one(next->by);
  return order < 0;
}

/// The order in which documents stay. `ranks` of every document are for Keep::ranked; the first `references`
/// are protected.
PrecedenceFn precedence_of(KeepPolicy keep, std::vector<std::uint64_t> ranks, DocId references) {
  return [keep = std::move(keep), ranks = std::move(ranks), references](
             const DocumentTable& table, const std::vector<bool>&) -> Result<Precedence> {
    return Precedence{ranks_by(table.units.size(),
                               [&](DocId x, DocId y) { return goes_first(keep, ranks, table.units, x, y); }),
                      references};
  };
}

SimilarTexts similar(const VerifiedPair& pair) { return {pair.a, pair.b, pair.jaccard, pair.containment}; }

VerifiedTexts verified(const VerifiedPair& pair) {
  return {similar(pair), pair.score, measure_name(pair.measure)};
}

NearMiss near_miss(const RefusedPair& refused) {
  const WithoutTemplate own = own_measures(refused.pair);
  return {.texts = similar(refused.pair),
          .closeness = refused.closeness,
          .own_jaccard = own.jaccard,
          .own_containment = own.containment,
          .template_share = own.template_share,
          .families = own.families,
          .reason = reason_of(refused.pair, false)};
}

Result<StoredMeasure> stored_measure(std::string_view name) {
  for (const bool own_text : {false, true})
    for (const Measure measure : {Measure::jaccard, Measure::containment})
      if (name == fmt::format("{}{}", own_text ? "own_" : "", measure_name(measure)))
        return StoredMeasure{measure, own_text};
  if (name.empty()) return StoredMeasure{};
  return fail(ErrorCode::invalid_argument,
              fmt::format("pairs have no measure \"{}\"; choose jaccard, containment, own_jaccard or "
                          "own_containment, or none for the one that decided each pair",
                          name));
}

template <class T>
PodVector<T> copy_of(const PodVector<T>& values) {
  PodVector<T> copy;
  copy.append(values);
  return copy;
}

}  // namespace

/// Pairs are in the memory and the work folder of the run that found them.
struct Decisions::Impl {
  std::shared_ptr<const Context> own_context;  // if the caller has none; the run must end before it
  std::shared_ptr<RunContext> run;
  PrecedenceFn precedence;
  Outcome outcome;
  std::vector<NearMiss> near_misses;
  bool has_own_text;  // templates did not count
  LossLimits remove;
  bool covering;                         // Keep::covering
  std::vector<std::uint32_t> keep_each;  // TextGroups::keep_each

  static Result<Decisions> decide(std::unique_ptr<RunContext> run, DocumentSource& source,
                                  const FindOptions& options, PrecedenceFn precedence) {
    LEITONG_ASSIGN(Outcome outcome, on_threads(run->context, [&]() -> Result<Outcome> {
                     LEITONG_ASSIGN(PairResult found, find_pairs(source, options, precedence, *run));
                     return conclude(std::move(found));
                   }));
    std::vector<NearMiss> near_misses;
    for (const RefusedPair& refused : outcome.found.near_misses) near_misses.push_back(near_miss(refused));
    const bool has_own_text = outcome.found.marks != nullptr;
    std::vector<std::uint32_t> keep_each;
    if (options.keep_each) {
      LEITONG_ASSIGN(keep_each, options.keep_each());
    }
    return Decisions(std::unique_ptr<Impl>(new Impl{nullptr, std::move(run), std::move(precedence),
                                                    std::move(outcome), std::move(near_misses), has_own_text,
                                                    options.remove, options.covering, std::move(keep_each)}));
  }

  /// What the pairs that `counts` accepts decide about the same documents.
  template <class Counts>
  [[nodiscard]] Result<Outcome> settled_by(Counts counts) const {
    PairResult found;
    const DocumentTable& table = outcome.found.table;
    found.table = {copy_of(table.units), copy_of(table.content)};
    found.copies = outcome.found.copies;
    found.copies_apart = outcome.found.copies_apart;
    found.pairs = std::make_unique<PairStore>(outcome.documents(), *run);
    const auto add_loss = [&](DocId leaves, DocId stays, const std::optional<Loss>& loss) {
      return loss ? found.pairs->add_loss(leaves, stays, *loss) : Result<void>();
    };
    LEITONG_TRY(outcome.found.pairs->for_each(
        [&](const VerifiedPair& pair, const PairLosses& losses) -> Result<void> {
          if (!counts(pair)) return {};
          LEITONG_TRY(found.pairs->add(pair));
          LEITONG_TRY(add_loss(pair.a, pair.b, losses.a));
          return add_loss(pair.b, pair.a, losses.b);
        }));
    LEITONG_TRY(found.pairs->sort());
    LEITONG_ASSIGN(const std::vector<bool> paired, found.paired());
    LEITONG_ASSIGN(Precedence who, precedence(found.table, paired));
    LEITONG_TRY(covering ? settle_by_covering(remove, who, found) : settle_by_similarity(who, found));
    if (asks_for_losses(remove)) {
      LEITONG_TRY(settle_losses(*found.pairs, found.copies, who.rank, who.protected_count, remove, {},
                                found.settlement, found.copies_apart));
    }
    if (!keep_each.empty()) found.kept_for_value = keep_one_of_each(keep_each, who.rank, found.settlement);
    return conclude(std::move(found));
  }
};

Decisions::Decisions(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Decisions::Decisions(Decisions&&) noexcept = default;
Decisions& Decisions::operator=(Decisions&&) noexcept = default;
Decisions::~Decisions() = default;

std::size_t Decisions::size() const noexcept { return impl_->outcome.documents(); }
std::span<const std::uint32_t> Decisions::kept() const noexcept {
  return impl_->outcome.found.settlement.kept;
}
std::uint64_t Decisions::removed() const noexcept { return impl_->outcome.removed; }

std::uint64_t Decisions::relatives() const noexcept { return impl_->outcome.relatives; }

std::optional<RemovalReason> Decisions::reason(std::uint32_t text) const noexcept {
  if (stays(text)) return std::nullopt;
  const auto [measure, score] = impl_->outcome.reason(text);
  RemovalReason reason{measure_name(measure), score};
  if (const Outcome& outcome = impl_->outcome; !outcome.loss.empty()) {
    reason.loss = outcome.loss[text];
    reason.relation = relation_name(outcome.relation[text]);
  }
  return reason;
}

Result<void> Decisions::for_each_removal(
    const std::function<Result<void>(std::uint32_t, std::string_view)>& each) const {
  LEITONG_ASSIGN(const RemovalReasons reasons, RemovalReasons::read(impl_->outcome));
  for (std::uint32_t text = 0; text < size(); ++text)
    if (!stays(text)) LEITONG_TRY(each(text, reasons.of(text)));
  return {};
}

Result<void> Decisions::for_each_pair(const std::function<Result<void>(const VerifiedTexts&)>& each) const {
  const PairResult& found = impl_->outcome.found;
  // Pairs and copies are sorted by (a, b), and none is in both. Copies that are never compared with each
  // other are no pairs, and those that are compared are in the store.
  auto copy = found.copies_apart ? found.copies.end() : found.copies.begin();
  const auto pass_copies_before = [&](std::uint32_t a, std::uint32_t b) -> Result<void> {
    for (; copy != found.copies.end() && std::pair(copy->original, copy->copy) < std::pair(a, b); ++copy)
      LEITONG_TRY(each(verified(copies_of_one(copy->original, copy->copy, copy->form.text == 0))));
    return {};
  };
  const auto pass = [&](const VerifiedPair& pair) -> Result<void> {
    LEITONG_TRY(pass_copies_before(pair.a, pair.b));
    return each(verified(pair));
  };
  LEITONG_TRY(found.pairs->for_each(pass));
  return pass_copies_before(kNoDocument, kNoDocument);
}

Result<std::vector<VerifiedTexts>> Decisions::pairs() const {
  std::vector<VerifiedTexts> all;
  LEITONG_TRY(for_each_pair([&](const VerifiedTexts& pair) -> Result<void> {
    all.push_back(pair);
    return {};
  }));
  return all;
}

std::span<const NearMiss> Decisions::near_misses() const noexcept { return impl_->near_misses; }

RecallEstimate Decisions::recall() const noexcept { return recall_of(impl_->outcome.found.audit); }

VectorCounts Decisions::vectors() const { return impl_->outcome.found.vectors; }

std::span<const std::pair<std::string, double>> Decisions::stage_seconds() const noexcept {
  return impl_->outcome.found.stage_seconds;
}

Result<Decisions> Decisions::rethreshold(std::string_view measure, double threshold) const {
  LEITONG_ASSIGN(const StoredMeasure value, stored_measure(measure));
  if (value.own_text && !impl_->has_own_text)
    return fail(ErrorCode::invalid_argument,
                fmt::format("templates counted when these texts were compared, so that pairs have no {}; "
                            "choose jaccard or containment, or decide with templates ignored",
                            measure));
  if (!(threshold >= 0 && threshold <= 1))
    return fail(ErrorCode::invalid_argument,
                fmt::format("the threshold is {}; it is a number from 0 to 1", threshold));
  LEITONG_ASSIGN(
      Outcome outcome, on_threads(impl_->run->context, [&] {
        // Compared as floats, which scores are, so that 0.7 accepts a score of 0.7.
        return impl_->settled_by([&, least = static_cast<float>(threshold)](const VerifiedPair& pair) {
          return value.of(pair) >= least;
        });
      }));
  return Decisions(std::unique_ptr<Impl>(new Impl{impl_->own_context,
                                                  impl_->run,
                                                  impl_->precedence,
                                                  std::move(outcome),
                                                  {},
                                                  impl_->has_own_text,
                                                  impl_->remove,
                                                  impl_->covering,
                                                  impl_->keep_each}));
}

Result<Decisions> deduplicate(const Context& context, std::span<const std::string_view> texts,
                              const DedupSettings& settings) {
  LEITONG_ASSIGN(const FindOptions options,
                 find_options_of_texts(settings, [size = texts.size()] { return size; }));
  if (settings.keep.by == Keep::ranked)
    return fail(
        ErrorCode::invalid_argument,
        "texts in one array have no ranks; choose longest, shortest, first or covering, or give them to a "
        "Deduplicator");
  LEITONG_TRY(check_texts(texts));
  MemoryDocuments source(texts);
  return Decisions::Impl::decide(std::make_unique<RunContext>(context), source, options,
                                 precedence_of(settings.keep, {}, 0));
}

Result<Decisions> deduplicate(std::span<const std::string_view> texts, const DedupSettings& settings) {
  auto context = std::make_unique<const Context>();
  LEITONG_ASSIGN(Decisions decisions, deduplicate(*context, texts, settings));
  decisions.impl_->own_context = std::move(context);
  return decisions;
}

struct Deduplicator::Impl {
  DedupSettings settings;
  FindOptions options = {};
  std::unique_ptr<RunContext> run;
  StoredTexts texts;
  std::vector<std::uint64_t> ranks = {};
  DocId references = 0;

  // Half of the memory for buffers; the other half is for what the search stores about the texts.
  Impl(DedupSettings given, std::unique_ptr<RunContext> context)
      : settings(std::move(given)),
        run(std::move(context)),
        texts(run->work, run->memory.for_buffers() / 2) {}

  Result<void> take(std::span<const std::string_view> batch) {
    if (run == nullptr) return fail(ErrorCode::invalid_argument, "the texts have been decided on already");
    if (texts.stored() + batch.size() >= kNoDocument)
      return fail(ErrorCode::limit, "more than 4,294,967,294 texts; decide on parts of them");
    LEITONG_TRY(check_texts(batch, texts.stored()));
    for (const std::string_view text : batch) {
      if (text.size() > UINT32_MAX)
        return fail(ErrorCode::limit, fmt::format("text {} has 4 GiB or more", texts.stored()));
      LEITONG_TRY(texts.append(text));
    }
    return {};
  }
};

Deduplicator::Deduplicator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Deduplicator::Deduplicator(Deduplicator&&) noexcept = default;
Deduplicator& Deduplicator::operator=(Deduplicator&&) noexcept = default;
Deduplicator::~Deduplicator() = default;

Result<Deduplicator> Deduplicator::open(const Context& context, const DedupSettings& settings) {
  auto impl = std::make_unique<Impl>(settings, std::make_unique<RunContext>(context));
  LEITONG_ASSIGN(impl->options,
                 find_options_of_texts(settings, [&texts = impl->texts] { return texts.stored(); }));
  return Deduplicator(std::move(impl));
}

Result<void> Deduplicator::add_references(std::span<const std::string_view> texts) {
  if (impl_->texts.stored() > impl_->references)
    return fail(ErrorCode::invalid_argument, "references come before all other texts");
  LEITONG_TRY(impl_->take(texts));
  impl_->ranks.resize(impl_->texts.stored());
  impl_->references = static_cast<DocId>(impl_->texts.stored());
  return {};
}

Result<void> Deduplicator::add(std::span<const std::string_view> texts,
                               std::span<const std::uint64_t> ranks) {
  const bool ranked = impl_->settings.keep.by == Keep::ranked;
  if (ranks.size() != (ranked ? texts.size() : 0))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} ranks for {} texts; {}", ranks.size(), texts.size(),
                            ranked ? "give one for each" : "ranks go with Keep::ranked"));
  LEITONG_TRY(impl_->take(texts));
  impl_->ranks.insert(impl_->ranks.end(), ranks.begin(), ranks.end());
  return {};
}

std::uint64_t Deduplicator::size() const noexcept { return impl_->texts.stored(); }

Result<std::string> Deduplicator::text(std::uint32_t position) const {
  const auto scratch = impl_->texts.new_scratch();
  LEITONG_ASSIGN(const DocumentText found, impl_->texts.read(position, *scratch));
  return std::string(found.text);
}

Result<Decisions> Deduplicator::finish() {
  if (impl_->run == nullptr)
    return fail(ErrorCode::invalid_argument, "the texts have been decided on already");
  return Decisions::Impl::decide(
      std::move(impl_->run), impl_->texts, impl_->options,
      precedence_of(impl_->settings.keep.by, std::move(impl_->ranks), impl_->references));
}

}  // namespace leitong
