#include "dedup/template/stage.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "dedup/by_blocks.hpp"
#include "dedup/text_bands.hpp"
#include "io/progress_meter.hpp"
#include "similarity/common_passage.hpp"
#include "similarity/intersect.hpp"
#include "similarity/own_text.hpp"

namespace leitong {
namespace {

/// True if rare passages could make the second decision accept the pair. Then the common shingles that it
/// shares must be known.
bool may_be_rare(const VerifiedPair& pair) {
  return pair.jaccard >= static_cast<float>(TemplateRule::kRareJaccard);
}

}  // namespace

std::size_t pairs_at_once(const MemoryBudget& memory, const KeptUnits* units) noexcept {
  const std::size_t most = units == nullptr || units->in_memory() ? 1 << 18 : SIZE_MAX;
  return std::clamp<std::size_t>(memory.for_buffers() / 32 / sizeof(VerifiedPair), 1 << 12, most);
}

struct TemplateStage::Features {
  PodVector<std::uint32_t> shingles;   // the sorted set, where it is searched
  PodVector<std::uint32_t> marked;     // of the set: template shingles if they stand in a run
  PodVector<std::uint32_t> templates;  // of these, those in a run; where single ones count, `marked` is empty
  PodVector<std::uint32_t> common;     // all that have a mark, where common ones are marked
  PodVector<std::uint32_t> ordered;    // in the order of the text; this and
  PassageAnchors anchors;              // these only where a passage is looked for
  std::uint32_t families = 0;          // how many usually hold its templates
  OwnText text;
};

// How TextBands compares two documents.
struct TemplateStage::Comparison {
  using Features = TemplateStage::Features;
  using Pair = VerifiedPair;
  struct Verdict {
    SecondDecision decision;
    bool may_share_passage = false;  // refused, but passages were not looked at yet
  };

  TemplateStage& stage;
  const std::vector<bool>& knows_common;  // marks the documents whose common shingles are known
  const Accept& accept;
  const Refuse& refuse;
  bool looks_at_passages = false;
  Result<void> outcome = {};             // the first failure of `accept`
  std::vector<VerifiedPair> later = {};  // pairs in which a passage is looked for
  LeastRun least_run = stage.least_run();

  [[nodiscard]] bool wants_more(const Pair&) const { return looks_at_passages; }
  [[nodiscard]] std::uint64_t bytes(DocId document, bool passage) const {
    const std::uint64_t units = stage.input_.table.units[document];
    constexpr std::uint64_t kShingle = sizeof(std::uint32_t);
    const std::uint64_t marked = kShingle * stage.marks_->count(document);
    const unsigned arrays = 1 + knows_common[document] + !least_run.is_single();
    return sizeof(Features) + marked * arrays + (passage ? 2 * kShingle * units : 0) +
           (needs_set(units) ? kShingle * units : 0);
  }

  Result<void> build(Shelf<Features>& shelf) const {
    shelf.features = std::vector<Features>(shelf.documents.size());
    LEITONG_TRY(
        stage.marks_->for_documents(shelf.documents, [&](std::size_t i, std::span<const ShingleMark> marks) {
          Features& features = shelf.features[i];
          std::vector<std::uint32_t> families;
          features.templates.reserve(marks.size());
          if (knows_common[shelf.documents[i]]) features.common.reserve(marks.size());
          for (const ShingleMark& mark : marks) {
            if (knows_common[shelf.documents[i]]) features.common.push_back(mark.shingle);
            if (!mark.is_template) continue;
            features.templates.push_back(mark.shingle);
            families.push_back(mark.families);
          }
          features.families = usual_families(families);
        }));
    return parallel_for_each(
        stage.run_.stop, shelf.documents.size(), [&] { return stage.texts_.new_reader(); },
        [&](std::size_t i, ShingledTexts::Reader& reader) -> Result<void> {
          const DocId document = shelf.documents[i];
          Features& features = shelf.features[i];
          LEITONG_ASSIGN(const std::size_t shingles, stage.census_.shingles_of(document, reader));
          if (needs_set(shingles)) {
            LEITONG_ASSIGN(const ShingledText text, stage.texts_.text(document, reader));
            features.shingles.append(text.set);
          } else if (shelf.more[i] || !features.templates.empty()) {
            LEITONG_TRY(stage.texts_.ordered(document, reader));
          } else {
            reader.ordered.clear();  // nothing of it is template, and no order is needed
          }
          if (!least_run.is_single() && !features.templates.empty()) {
            features.marked.append(features.templates);
            keep_runs(reader.ordered, least_run, features.templates);
          }
          features.text = own_text(reader.ordered, shingles, features.templates);
          if (shelf.more[i]) {
            features.ordered.append(reader.ordered);
            features.anchors =
                PassageAnchors(features.ordered, stage.input_.rule.passage_units, features.templates);
          }
          return {};
        });
  }

  [[nodiscard]] Verdict compare(const Pair& pair, const Features& a, const Features& b) const {
    SharedText shared;
    shared.all = shared_shingles(pair, a, b);
    shared.own = shared.all - shared_templates(a, b);
    // A pair that was found after the counting has no rare passages if the common shingles were not
    // requested.
    if (pair.standing == PairStanding::aside && may_be_rare(pair) && knows_common[pair.a] &&
        knows_common[pair.b])
      shared.rare = shared.all - intersection_size(a.common, b.common);
    const std::size_t passage_units = stage.input_.rule.passage_units;
    if (looks_at_passages) shared.passage = PassageAnchors::longest_common(a.anchors, b.anchors);
    const bool rare_counts = stage.corpus_ >= TemplateRule::kRareDocuments;
    SecondDecision decision = decide_again(stage.input_.rule, pair, a.text, b.text, shared, rare_counts);
    if (shared.own < shared.all) decision.pair.own.families = std::min(a.families, b.families);
    // A passage has a shingle for nearly every unit, and few of these repeat.
    const bool may_share =
        !decision.accepted && !looks_at_passages && passage_units > 0 && 2 * shared.own >= passage_units;
    return {decision, may_share};
  }

  void take(const Pair& pair, const Verdict& verdict) {
    if (verdict.may_share_passage) {
      later.push_back(pair);
    } else if (!verdict.decision.accepted) {
      refuse(verdict.decision.pair, verdict.decision.closeness);
    } else if (outcome) {
      outcome = accept(verdict.decision.pair);
    }
  }

 private:
  // The first decision counted what two texts share, and the stored containment is precise enough to give the
  // number back, except for giant texts.
  static constexpr std::size_t kGiant = std::size_t{1} << 22;
  [[nodiscard]] const PodVector<std::uint32_t>& marked(const Features& features) const {
    return least_run.is_single() ? features.templates : features.marked;
  }
  // Where sites are known, the template shingles of one text are looked up in the other one.
  [[nodiscard]] bool needs_set(std::size_t shingles) const {
    return stage.input_.sites != nullptr || shingles >= kGiant;
  }
  static std::size_t shared_shingles(const Pair& pair, const Features& a, const Features& b) {
    const std::size_t n = std::min(a.text.shingles, b.text.shingles);
    if (n >= kGiant) return intersection_size(a.shingles, b.shingles);
    return static_cast<std::size_t>(std::lround(double{pair.containment} * static_cast<double>(n)));
  }
  // The number of shingles that both hold and that are template for at least one.
  [[nodiscard]] std::size_t shared_templates(const Features& a, const Features& b) const {
    if (stage.input_.sites == nullptr)
      return leitong::shared_templates({a.templates, marked(a)}, {b.templates, marked(b)});
    return intersection_size(a.templates, b.shingles) + intersection_size(a.shingles, b.templates) -
           intersection_size(a.templates, b.templates);
  }
};

TemplateStage::TemplateStage(const Input& input, RunContext& run)
    : input_(input),
      run_(run),
      corpus_(input.corpus != 0 ? input.corpus : input.table.units.size()),
      is_copy_(copy_marks(input.table.units.size(), input.copies)),
      families_(input.table.units.size()),
      decided_(input.table.units.size()),
      asked_(input.table.units.size()),
      wants_common_(input.table.units.size()),
      asked_common_(input.table.units.size()),
      texts_(input.source, input.units),
      census_(texts_, is_copy_, input.sites, input.base, run),
      marks_(std::make_unique<TemplateMarks>(input.table.units.size(), run)) {}

Result<void> TemplateStage::learn(const PairStore& pairs, const PairStore& aside,
                                  std::span<const VerifiedPair> also) {
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
    if (pair.standing == PairStanding::same_work) families_.join(pair.a, pair.b);
  }));
  families_.shorten();
  knows_families_ = true;
  std::vector<bool> touched(asked_.size());
  bool any = false;
  const auto touch = [&](const VerifiedPair& pair) { any = touched[pair.a] = touched[pair.b] = true; };
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
    const bool stands = pair.standing == PairStanding::settled || families_.together(pair.a, pair.b);
    if (stands && input_.base.empty()) return;
    touch(pair);
    ++figures_.asked_pairs;
  }));
  LEITONG_TRY(aside.for_each([&](const VerifiedPair& pair) {
    touch(pair);
    want_common(pair);
    ++figures_.aside_pairs;
  }));
  asked_common_ = wants_common_;
  for (const VerifiedPair& pair : also) {
    any = asked_[pair.a] = asked_[pair.b] = true;
    if (may_be_rare(pair)) asked_common_[pair.a] = asked_common_[pair.b] = true;
  }
  if (!any) return {};

  // Pairs that are decided later, of documents that stay alone, belong to the same component.
  Kinship components(input_.table.units.size());
  const auto join = [&](const VerifiedPair& pair) { components.join(pair.a, pair.b); };
  LEITONG_TRY(pairs.for_each(join));
  LEITONG_TRY(aside.for_each(join));
  const std::vector<DocId> component = components.take();
  std::vector<bool> in_question(component.size());
  for (DocId d = 0; d < component.size(); ++d)
    if (touched[d]) in_question[component[d]] = true;
  for (DocId d = 0; d < component.size(); ++d)
    if (in_question[component[d]]) asked_[d] = decided_[d] = true;
  for (DocId d = 0; d < component.size(); ++d) figures_.asked_documents += asked_[d];

  LEITONG_TRY(census_.count(families_, asked_, asked_common_));
  figures_.only_base = census_.only_base();
  // Bare texts are found by templates alone.
  LEITONG_TRY(census_.mark(families_, asked_, std::vector<bool>(asked_.size()), *marks_));
  LEITONG_ASSIGN(const bool joined, join_bare(pairs));
  if (joined || std::ranges::find(asked_common_, true) != asked_common_.end()) LEITONG_TRY(mark());
  figures_.templates = census_.templates();
  census_.forget_holders();
  return {};
}

void TemplateStage::want_common(const VerifiedPair& pair) {
  if (may_be_rare(pair)) wants_common_[pair.a] = wants_common_[pair.b] = true;
}

Result<void> TemplateStage::take_over(const Learned& learned, const PairStore& aside) {
  asked_ = decided_ = learned.in_question;
  LEITONG_TRY(aside.for_each([&](const VerifiedPair& pair) { want_common(pair); }));
  asked_common_ = wants_common_;
  TemplateMarks::Writer writer(*marks_);
  LEITONG_TRY(
      learned.marks([&](DocId document, const ShingleMark& mark) { return writer.add(document, mark); }));
  LEITONG_TRY(writer.flush());
  return marks_->sort();
}

Result<void> TemplateStage::mark() {
  marks_->clear();
  return census_.mark(families_, asked_, asked_common_, *marks_);
}

// Two bare texts that the rule calls similar are one family: an article that is reprinted in many known
// frames becomes one family again, and is no template. Returns whether any families were joined.
Result<bool> TemplateStage::join_bare(const PairStore& pairs) {
  std::vector<bool> wanted(asked_.size()), bare(asked_.size());
  const auto may_join = [&](const VerifiedPair& pair) {
    return decided_[pair.a] && marks_->has_template(pair.a) && marks_->has_template(pair.b) &&
           !families_.together(pair.a, pair.b);
  };
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
    if (may_join(pair)) wanted[pair.a] = wanted[pair.b] = true;
  }));
  constexpr std::size_t kAtOnce = 1024;
  std::vector<DocId> documents;
  std::uint64_t bytes = 0;  // memory of their templates
  const auto judge = [&]() -> Result<void> {
    std::vector<PodVector<std::uint32_t>> templates(documents.size());
    LEITONG_TRY(marks_->for_documents(documents, [&](std::size_t i, std::span<const ShingleMark> marks) {
      for (const ShingleMark& mark : marks)
        if (mark.is_template) templates[i].push_back(mark.shingle);
    }));
    std::vector<std::uint8_t> is_bare(documents.size());
    LEITONG_TRY(parallel_for_each(
        run_.stop, documents.size(), [&] { return texts_.new_reader(); },
        [&](std::size_t i, ShingledTexts::Reader& reader) -> Result<void> {
          LEITONG_ASSIGN(const std::size_t shingles, census_.shingles_of(documents[i], reader));
          LEITONG_ASSIGN(const auto ordered, texts_.ordered(documents[i], reader));
          keep_runs(ordered, least_run(), templates[i]);
          is_bare[i] = !templates[i].empty() && own_text(ordered, shingles, templates[i]).is_bare();
          return {};
        }));
    for (std::size_t i = 0; i < documents.size(); ++i) bare[documents[i]] = is_bare[i] != 0;
    documents.clear();
    bytes = 0;
    return {};
  };
  for (DocId d = 0; d < wanted.size(); ++d) {
    if (!wanted[d]) continue;
    documents.push_back(d);
    bytes += sizeof(std::uint32_t) * marks_->count(d);
    if (documents.size() == kAtOnce || bytes >= run_.memory.for_buffers() / 32) LEITONG_TRY(judge());
  }
  LEITONG_TRY(judge());
  bool joined = false;
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair) {
    if (may_join(pair) && bare[pair.a] && bare[pair.b]) joined |= families_.join(pair.a, pair.b);
  }));
  families_.shorten();
  return joined;
}

bool TemplateStage::is_in_question(const VerifiedPair& pair, const std::vector<bool>& among) const noexcept {
  if (!among[pair.a] || !among[pair.b]) return false;
  if (pair.standing == PairStanding::settled && input_.base.empty()) return false;
  // If neither text has a template, nothing changes for a pair that the rule accepts.
  return pair.standing == PairStanding::aside || marks_->has_template(pair.a) || marks_->has_template(pair.b);
}

Result<void> TemplateStage::decide(std::span<const VerifiedPair> pairs, const Accept& accept,
                                   const Refuse& refuse) {
  return decide_among(pairs, decided_, wants_common_, accept, refuse);
}

Result<void> TemplateStage::decide_also(std::span<const VerifiedPair> pairs, const Accept& accept,
                                        const Refuse& refuse) {
  return decide_among(pairs, asked_, asked_common_, accept, refuse);
}

Result<void> TemplateStage::decide_among(std::span<const VerifiedPair> pairs, const std::vector<bool>& among,
                                         const std::vector<bool>& knows_common, const Accept& accept,
                                         const Refuse& refuse) {
  const Accept tell = [&](const VerifiedPair& pair) { return accept(with_doubt(pair)); };
  std::vector<VerifiedPair> open;
  for (const VerifiedPair& pair : pairs) {
    if (is_in_question(pair, among)) {
      open.push_back(pair);
    } else if (pair.standing != PairStanding::aside) {
      LEITONG_TRY(tell(pair));
    }
  }
  for (const bool looks_at_passages : {false, true}) {
    Comparison comparison{*this, knows_common, tell, refuse, looks_at_passages};
    LEITONG_TRY(by_blocks(input_.units, std::move(open), [&](std::vector<VerifiedPair> some) -> Result<void> {
      tbb::parallel_sort(some, goes_before);
      TextBands<Comparison> bands(comparison, std::move(some), run_);
      while (!bands.done()) {
        bands.next_band();
        LEITONG_TRY(bands.compare([](std::size_t) {}));
        LEITONG_TRY(std::move(comparison.outcome));
        comparison.outcome = {};
      }
      return {};
    }));
    open = std::move(comparison.later);
  }
  return {};
}

Result<void> TemplateStage::decide_all(const PairStore& pairs, const PairStore& aside, const Accept& accept,
                                       const Refuse& refuse) {
  LEITONG_TRY(run_.stop.check());  // no stage begins after a stop
  const Accept count_and_accept = [&](const VerifiedPair& pair) {
    figures_.won += pair.standing == PairStanding::aside;
    return accept(pair);
  };
  const Refuse count_and_refuse = [&](const VerifiedPair& pair, double closeness) {
    figures_.refused += pair.standing != PairStanding::aside;
    refuse(pair, closeness);
  };
  const std::size_t at_once = pairs_at_once(run_.memory, input_.units);
  std::vector<VerifiedPair> chunk;
  ProgressMeter meter(run_, "deciding by templates", pairs.size() + aside.size(), "pairs");
  const auto decide_chunk = [&]() -> Result<void> {
    LEITONG_TRY(decide(chunk, count_and_accept, count_and_refuse));
    meter.add(chunk.size());
    chunk.clear();
    return {};
  };
  for (const PairStore* store : {&pairs, &aside}) {
    LEITONG_TRY(store->for_each([&](const VerifiedPair& pair) -> Result<void> {
      chunk.push_back(pair);
      return chunk.size() < at_once ? Result<void>{} : decide_chunk();
    }));
    LEITONG_TRY(decide_chunk());
  }
  if (input_.units != nullptr) input_.units->let_go();
  return {};
}

Result<bool> TemplateStage::find_doubtful(const PairStore& accepted) {
  if (!knows_families_ || input_.sites != nullptr) return false;
  Kinship components(families_.documents());
  LEITONG_TRY(accepted.for_each([&](const VerifiedPair& pair) { components.join(pair.a, pair.b); }));
  const std::vector<DocId> component = components.take();
  std::vector<std::uint32_t> families(component.size());
  for (DocId d = 0; d < component.size(); ++d) families[component[d]] += families_.family(d) == d;
  crowded_.resize(component.size());
  for (DocId d = 0; d < component.size(); ++d)
    crowded_[d] = families[component[d]] >= TemplateRule::kSiteFamilies;
  LEITONG_TRY(accepted.for_each([&](const VerifiedPair& pair) {
    figures_.doubtful += with_doubt(pair).standing == PairStanding::doubtful;
  }));
  return figures_.doubtful > 0;
}

VerifiedPair TemplateStage::with_doubt(VerifiedPair pair) const noexcept {
  const bool by_rule = pair.standing == PairStanding::ordinary || pair.standing == PairStanding::settled;
  if (by_rule && !crowded_.empty() && crowded_[pair.a] && !families_.together(pair.a, pair.b))
    pair.standing = PairStanding::doubtful;
  return pair;
}

Result<void> TemplateStage::templates_of(std::span<const DocId> documents, const EachTemplates& each) const {
  return marks_->for_documents(documents, [&](std::size_t i, std::span<const ShingleMark> marks) {
    if (!decided_[documents[i]]) return;  // pairs that are only sampled must change nothing
    std::vector<std::uint32_t> shingles;
    for (const ShingleMark& mark : marks)
      if (mark.is_template) shingles.push_back(mark.shingle);
    if (!shingles.empty()) each(i, shingles);
  });
}

}  // namespace leitong
