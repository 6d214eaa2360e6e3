#include "dedup/losses.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/per_thread.hpp"
#include "base/try.hpp"
#include "dedup/by_blocks.hpp"
#include "dedup/text_bands.hpp"
#include "feature/shingles.hpp"
#include "similarity/loss.hpp"

namespace leitong {
namespace {

/// A pair of which one loss is needed.
struct Question {
  DocId a, b;  // a < b
  std::uint32_t pair;
  bool of_later;  // true: the text of b that a lacks; false: the reverse

  [[nodiscard]] OpenLoss open() const noexcept {
    return of_later ? OpenLoss{b, a, pair} : OpenLoss{a, b, pair};
  }
};

/// A loss that a name in the titles may change, which only the texts can tell.
struct Renamed {
  OpenLoss of;
  LossFound found;
};

}  // namespace

struct LossReader::Features {
  PodVector<Unit> units;
  PodVector<std::uint32_t> shingles;
  PodVector<std::uint8_t> in_template;
  ShinglePlaces places;  // where the loss of another text is looked up in this one
  std::uint32_t own = 1;

  [[nodiscard]] LossText text() const { return {units, shingles, in_template, own}; }
};

// How TextBands compares two documents.
struct LossReader::Comparison {
  using Features = LossReader::Features;
  using Pair = Question;
  using Verdict = LossFound;

  const LossReader& reader;
  PairStore& pairs;
  const LearnLoss& learn;            // may be empty
  const std::vector<bool>& leaving;  // marks the documents whose loss is needed,
  const std::vector<bool>& staying;  // and those that they are compared with
  Result<void> outcome = {};         // the first failure of `pairs`
  std::vector<Renamed> renamed = {};

  mutable std::optional<PerThread<LossFinder>> finders = {};  // of the block that is compared

  [[nodiscard]] bool wants_more(const Pair&) const { return false; }
  [[nodiscard]] std::uint64_t bytes(DocId document, bool) const {
    constexpr std::uint64_t kUnit = sizeof(Unit) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
    const std::uint64_t units = reader.input_.table.units[document];
    return sizeof(Features) + kUnit * units + (staying[document] ? ShinglePlaces::bytes(units) : 0);
  }

  Result<void> build(Shelf<Features>& shelf) const {
    finders.emplace([] { return LossFinder(); });
    shelf.features = std::vector<Features>(shelf.documents.size());
    const LossReader::Input& input = reader.input_;
    std::vector<PodVector<std::uint32_t>> templates(shelf.documents.size());
    if (input.templates != nullptr) LEITONG_TRY(find_templates(shelf.documents, templates));
    return parallel_for_each(
        reader.run_.stop, shelf.documents.size(), [&] { return input.source.new_scratch(); },
        [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
          Features& features = shelf.features[i];
          LEITONG_TRY(read_units(shelf.documents[i], input.source, input.units, *scratch, features.units));
          shingle_hashes(features.units, features.shingles);
          mark_template_units(features.shingles, templates[i], features.units.size(), features.in_template);
          features.own = own_units(features.units.size(), features.in_template);
          if (staying[shelf.documents[i]]) features.places = ShinglePlaces(features.shingles);
          return {};
        });
  }

  // Finds the template shingles of those documents whose loss is needed. Templates are known of texts.
  Result<void> find_templates(std::span<const DocId> documents,
                              std::vector<PodVector<std::uint32_t>>& templates) const {
    const GroupedTexts* const groups = reader.input_.groups;
    std::vector<std::pair<DocId, std::size_t>> places;  // the text and the index of each document
    for (std::size_t i = 0; i < documents.size(); ++i)
      if (leaving[documents[i]])
        places.emplace_back(groups == nullptr ? documents[i] : groups->text_of(documents[i]), i);
    std::ranges::sort(places);
    std::vector<DocId> texts;
    for (const auto& [text, i] : places)
      if (texts.empty() || texts.back() != text) texts.push_back(text);
    const auto take = [&](std::size_t which, std::span<const std::uint32_t> shingles) {
      const auto is_before = [](const auto& place, DocId text) { return place.first < text; };
      for (auto place = std::lower_bound(places.begin(), places.end(), texts[which], is_before);
           place != places.end() && place->first == texts[which]; ++place)
        templates[place->second].append(shingles);
    };
    return reader.input_.templates->templates_of(texts, take);
  }

  [[nodiscard]] Verdict compare(const Pair& pair, const Features& a, const Features& b) const {
    const Features &text = pair.of_later ? b : a, &other = pair.of_later ? a : b;
    return finders->local().find(text.text(), other.text(), other.places);
  }

  void take(const Pair& pair, const Verdict& verdict) {
    if (std::min(verdict.first_lacking, verdict.first_lacking_other) < kTitleUnits)
      renamed.push_back({pair.open(), verdict});
    else if (outcome)
      outcome = add(pair.open(), verdict.loss);
  }

  Result<void> add(const OpenLoss& of, const Loss& loss) {
    if (learn) learn(of.pair, loss);
    return pairs.add_loss(of.leaves, of.stays, loss);
  }

  // Checks whether the title of either text holds what the other one lacks. Each title is read once.
  Result<void> look_at_titles() {
    std::vector<DocId> documents;
    for (const auto& [of, found] : renamed) documents.insert(documents.end(), {of.leaves, of.stays});
    std::ranges::sort(documents);
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    std::vector<std::uint32_t> title(documents.size());  // its units
    const DocumentSource& source = reader.input_.source;
    LEITONG_TRY(parallel_for_each(
        reader.run_.stop, documents.size(), [&] { return source.new_scratch(); },
        [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
          LEITONG_ASSIGN(const DocumentText text, source.read(documents[i], *scratch));
          title[i] = title_units(text.text, source.folding());
          return {};
        }));
    const auto title_of = [&](DocId document) {
      return title[static_cast<std::size_t>(std::ranges::lower_bound(documents, document) -
                                            documents.begin())];
    };
    for (auto& [of, found] : renamed) {
      found.loss.renamed =
          found.first_lacking < title_of(of.leaves) || found.first_lacking_other < title_of(of.stays);
      LEITONG_TRY(add(of, found.loss));
    }
    renamed.clear();
    return {};
  }
};

Result<void> LossReader::add(std::span<const OpenLoss> open, PairStore& pairs, const LearnLoss& learn) {
  std::vector<Question> questions;
  std::vector<bool> leaving(input_.table.units.size()), staying(leaving.size());
  questions.reserve(open.size());
  for (const OpenLoss& loss : open) {
    leaving[loss.leaves] = staying[loss.stays] = true;
    questions.push_back({std::min(loss.leaves, loss.stays), std::max(loss.leaves, loss.stays), loss.pair,
                         loss.leaves > loss.stays});
  }
  needed_ = std::max(needed_, count_ + questions.size());
  const auto report = [&](std::size_t pairs_of_band) {
    run_.report("weighing losses", count_ + pairs_of_band, needed_, "pairs");
  };
  report(0);
  Comparison comparison{*this, pairs, learn, leaving, staying};
  return by_blocks(input_.units, std::move(questions), [&](std::vector<Question> some) -> Result<void> {
    tbb::parallel_sort(some, [](const Question& x, const Question& y) {
      return std::tuple(x.a, x.b, x.of_later) < std::tuple(y.a, y.b, y.of_later);
    });
    TextBands<Comparison> bands(comparison, std::move(some), run_);
    while (!bands.done()) {
      const std::size_t size = bands.next_band().size();
      LEITONG_TRY(bands.compare(report));
      count_ += size;
      LEITONG_TRY(std::move(comparison.outcome));
      comparison.outcome = {};
      LEITONG_TRY(comparison.look_at_titles());
    }
    return {};
  });
}

std::size_t LossReader::at_once() const noexcept {
  constexpr std::size_t kBytes = 64;  // of a loss in all lists
  return std::max<std::size_t>(run_.memory.for_buffers() / 16 / kBytes, 1 << 12);
}

Result<void> LossReader::read(std::span<const OpenLoss> open, PairStore& pairs, const LearnLoss& learn) {
  for (std::span<const OpenLoss> left = open; !left.empty();) {
    const auto some = left.first(std::min(left.size(), at_once()));
    LEITONG_TRY(add(some, pairs, learn));
    left = left.subspan(some.size());
  }
  return {};
}

Result<void> LossReader::read_all(PairStore& pairs) {
  needed_ = 2 * pairs.size();
  std::vector<OpenLoss> open;
  LEITONG_TRY(pairs.for_each([&](const VerifiedPair& pair, const PairLosses& known) -> Result<void> {
    if (!known.a) open.push_back({pair.a, pair.b});
    if (!known.b) open.push_back({pair.b, pair.a});
    if (open.size() < at_once()) return {};
    LEITONG_TRY(add(open, pairs, {}));
    open.clear();
    return {};
  }));
  LEITONG_TRY(read(open, pairs, {}));
  return pairs.sort();
}

Result<void> settle_removals(const LossLimits& limits, const Precedence& precedence, LossReader& reader,
                             PairResult& found) {
  if (!asks_for_losses(limits)) return {};
  const auto read = [&](std::span<const OpenLoss> open, const LearnLoss& learn) {
    return reader.read(open, *found.pairs, learn);
  };
  LEITONG_TRY(settle_losses(*found.pairs, found.copies, precedence.rank, precedence.protected_count, limits,
                            read, found.settlement, found.copies_apart));
  return found.pairs->sort();
}

}  // namespace leitong
