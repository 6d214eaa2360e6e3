#include "feature/model_trainer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "base/try.hpp"
#include "feature/term_model.hpp"
#include "io/partitions.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kTermBit = 0x80000000u;
constexpr std::uint32_t kNoNeighbour = 0xFFFFFFFFu;  // the beginning or end of a text
// A pair of numbers and a ratio share 64 bits.
constexpr std::size_t kMostWords = std::size_t{1} << 24;
constexpr double kRatios = 65535;
constexpr std::size_t kCandidates = 60;
constexpr std::size_t kMostPartners = 64;
constexpr double kLeastSimilarity = .02;
constexpr std::uint32_t kLeastTogether = 2;
// The node of a hash table, its place in the table, and the id.
constexpr std::uint64_t kBytesPerNumber = 48;

/// Calls `each(run)` for every run of entries with equal upper bits.
template <class Each>
void for_each_run(std::span<const std::uint64_t> sorted, unsigned shift, const Each& each) {
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t j = i + 1;
    while (j < sorted.size() && sorted[j] >> shift == sorted[i] >> shift) ++j;
    each(sorted.subspan(i, j - i));
    i = j;
  }
}

}  // namespace

ModelTrainer::ModelTrainer(std::uint64_t memory, const Context& context)
    : memory_(memory), run_(context, MemoryBudget::least(0) + memory / 2) {}

bool ModelTrainer::is_sampled(std::uint64_t content) const noexcept {
  return static_cast<unsigned>(std::countr_zero(mix64(content))) >= level_;
}

bool ModelTrainer::is_full() const noexcept {
  return 4 * sequence_.size() + kBytesPerNumber * ids_.size() + sizeof(Document) * documents_.size() >
             memory_ / 2 ||
         ids_.size() > kMostWords;
}

void ModelTrainer::add(std::uint64_t content, std::span<const TrainingWord> words) {
  ++documents_added_;
  if (!is_sampled(content)) return;
  documents_.push_back({content, sequence_.size(), static_cast<std::uint32_t>(words.size())});
  for (const TrainingWord& word : words) {
    const auto [place, is_new] = numbers_.try_emplace(word.id, static_cast<std::uint32_t>(ids_.size()));
    if (is_new) ids_.push_back(word.id);
    sequence_.push_back(place->second | (word.is_term ? kTermBit : 0));
  }
  while (is_full() && level_ < 64 && documents_.size() > 1) thin();
}

// Removes half of the documents, and the words that only these had.
void ModelTrainer::thin() {
  ++level_;
  std::vector<Document> documents;
  PodVector<std::uint32_t> sequence;
  PodVector<std::uint64_t> ids;
  std::vector<std::uint32_t> renumbered(ids_.size(), kNoNeighbour);
  for (Document document : documents_) {
    if (!is_sampled(document.content)) continue;
    const auto words = words_of(document);
    document.begin = sequence.size();
    for (const std::uint32_t word : words) {
      std::uint32_t& number = renumbered[word & ~kTermBit];
      if (number == kNoNeighbour) {
        number = static_cast<std::uint32_t>(ids.size());
        ids.push_back(ids_[word & ~kTermBit]);
      }
      sequence.push_back(number | (word & kTermBit));
    }
    documents.push_back(document);
  }
  documents_ = std::move(documents);
  sequence_ = std::move(sequence);
  ids_ = std::move(ids);
  numbers_ = {};
  for (std::uint32_t number = 0; number < ids_.size(); ++number) numbers_.emplace(ids_[number], number);
}

std::span<const std::uint32_t> ModelTrainer::words_of(const Document& document) const noexcept {
  return std::span<const std::uint32_t>(sequence_).subspan(document.begin, document.size);
}

void ModelTrainer::count_documents() {
  document_frequency_.assign(ids_.size(), 0);
  std::vector<std::uint32_t> last(ids_.size(), UINT32_MAX);
  for (std::uint32_t d = 0; d < documents_.size(); ++d)
    for (const std::uint32_t word : words_of(documents_[d])) {
      if ((word & kTermBit) == 0) continue;
      const std::uint32_t number = word & ~kTermBit;
      if (last[number] == d) continue;
      last[number] = d;
      ++document_frequency_[number];
    }
}

Result<void> ModelTrainer::measure_neighbours() {
  left_.assign(ids_.size(), 0);
  right_.assign(ids_.size(), 0);
  for (auto* side : {&left_, &right_}) {
    Partitions beside(run_);
    Partitions::Writer writer(beside);
    const bool left = side == &left_;
    for (const Document& document : documents_) {
      const auto words = words_of(document);
      for (std::size_t i = 0; i < words.size(); ++i) {
        if ((words[i] & kTermBit) == 0) continue;
        const bool edge = left ? i == 0 : i + 1 == words.size();
        const std::uint32_t neighbour = edge ? kNoNeighbour : words[left ? i - 1 : i + 1] & ~kTermBit;
        const std::uint64_t number = words[i] & ~kTermBit;
        LEITONG_TRY(writer.append(number & 255, number << 32 | neighbour));
      }
    }
    LEITONG_TRY(writer.flush());
    PodVector<std::uint64_t> entries;
    std::vector<std::uint64_t> counts;
    for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
      LEITONG_TRY(beside.take(partition, entries));
      std::sort(entries.begin(), entries.end());
      for_each_run(entries, 32, [&](std::span<const std::uint64_t> of_word) {
        counts.clear();
        for_each_run(of_word, 0, [&](std::span<const std::uint64_t> same) { counts.push_back(same.size()); });
        // A sum of floating-point numbers depends on its order, and the numbers of words depend on the order
        // of documents.
        std::sort(counts.begin(), counts.end());
        (*side)[of_word[0] >> 32] = static_cast<float>(neighbour_entropy(counts));
      });
    }
  }
  return {};
}

/// (number, count) of the document's heaviest terms by TF-IDF, sorted by number.
std::vector<std::pair<std::uint32_t, std::uint32_t>> ModelTrainer::candidates_of(
    const Document& document) const {
  std::vector<std::uint32_t> terms;
  for (const std::uint32_t word : words_of(document))
    if ((word & kTermBit) != 0) terms.push_back(word & ~kTermBit);
  std::sort(terms.begin(), terms.end());
  struct Counted {
    double weight;
    std::uint64_t id;
    std::uint32_t number, count;
  };
  std::vector<Counted> counted;
  for (std::size_t i = 0; i < terms.size();) {
    std::size_t j = i + 1;
    while (j < terms.size() && terms[j] == terms[i]) ++j;
    const double idf = std::log(static_cast<double>(documents_.size()) / document_frequency_[terms[i]]);
    counted.push_back(
        {static_cast<double>(j - i) * idf, ids_[terms[i]], terms[i], static_cast<std::uint32_t>(j - i)});
    i = j;
  }
  const std::size_t kept = std::min(kCandidates, counted.size());
  std::partial_sort(counted.begin(), counted.begin() + static_cast<std::ptrdiff_t>(kept), counted.end(),
                    [](const Counted& a, const Counted& b) {
                      return std::tuple(-a.weight, a.id) < std::tuple(-b.weight, b.id);
                    });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> candidates;
  for (std::size_t i = 0; i < kept; ++i) candidates.emplace_back(counted[i].number, counted[i].count);
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

Result<void> ModelTrainer::find_partners() {
  std::vector<std::uint32_t> candidate_in(ids_.size(), 0);
  Partitions together(run_);
  Partitions::Writer writer(together);
  for (const Document& document : documents_) {
    const auto candidates = candidates_of(document);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto [x, count_x] = candidates[i];
      ++candidate_in[x];
      for (std::size_t j = i + 1; j < candidates.size(); ++j) {
        const auto [y, count_y] = candidates[j];
        const auto [lesser, greater] = std::minmax(count_x, count_y);
        const auto ratio = static_cast<std::uint64_t>(std::lround(kRatios * lesser / greater));
        LEITONG_TRY(writer.append(x & 255, std::uint64_t{x} << 40 | std::uint64_t{y} << 16 | ratio));
      }
    }
  }
  LEITONG_TRY(writer.flush());
  PodVector<std::uint64_t> entries;
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(together.take(partition, entries));
    std::sort(entries.begin(), entries.end());
    for_each_run(entries, 16, [&](std::span<const std::uint64_t> pair) {
      if (pair.size() < kLeastTogether) return;
      const auto x = static_cast<std::uint32_t>(pair[0] >> 40),
                 y = static_cast<std::uint32_t>(pair[0] >> 16 & (kMostWords - 1));
      const std::uint64_t ratios =
          std::accumulate(pair.begin(), pair.end(), std::uint64_t{0},
                          [](std::uint64_t sum, std::uint64_t entry) { return sum + (entry & 0xFFFF); });
      const auto either = static_cast<double>(candidate_in[x] + candidate_in[y] - pair.size());
      const double similarity = static_cast<double>(ratios) / kRatios / either;
      if (similarity < kLeastSimilarity) return;
      company_.push_back({x, y, static_cast<float>(similarity)});
      company_.push_back({y, x, static_cast<float>(similarity)});
    });
  }
  return {};
}

Result<TrainingFigures> ModelTrainer::write(const ByteSink& sink) {
  count_documents();
  if (std::none_of(document_frequency_.begin(), document_frequency_.end(),
                   [](std::uint32_t df) { return df > 0; }))
    return fail(ErrorCode::invalid_argument, "the texts hold no words to learn from; a model needs some");
  LEITONG_TRY(measure_neighbours());
  LEITONG_TRY(find_partners());
  TrainingFigures figures{documents_added_, documents_.size(), sequence_.size(), 0, 0};
  LEITONG_TRY(write_sections(sink, figures));
  return figures;
}

Result<void> ModelTrainer::write_sections(const ByteSink& sink, TrainingFigures& figures) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t number = 0; number < ids_.size(); ++number)
    if (document_frequency_[number] > 0) rows.push_back(number);
  std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return ids_[a] < ids_[b]; });

  std::vector<Company> company = company_;
  std::sort(company.begin(), company.end(), [&](const Company& a, const Company& b) {
    return std::tuple(ids_[a.of], -a.similarity, ids_[a.with]) <
           std::tuple(ids_[b.of], -b.similarity, ids_[b.with]);
  });
  std::vector<std::uint64_t> ids, ends;
  std::vector<float> idf;
  std::vector<Neighbours> neighbours;
  std::vector<Partner> partners;
  auto next = company.begin();
  for (const std::uint32_t row : rows) {
    ids.push_back(ids_[row]);
    idf.push_back(
        static_cast<float>(std::log(static_cast<double>(documents_.size()) / document_frequency_[row])));
    neighbours.push_back({left_[row], right_[row]});
    for (std::size_t taken = 0; next != company.end() && next->of == row; ++next, ++taken)
      if (taken < kMostPartners) partners.push_back({ids_[next->with], next->similarity, 0});
    ends.push_back(partners.size());
  }
  figures.terms = rows.size();
  figures.partners = partners.size();

  LEITONG_ASSIGN(SectionWriter writer, SectionWriter::create(sink, kTermModelKind, kTermModelVersion));
  LEITONG_TRY(writer.section<std::uint64_t>("ids", ids));
  LEITONG_TRY(writer.section<float>("idf", idf));
  LEITONG_TRY(writer.begin("neighbours"));
  LEITONG_TRY(writer.append(bytes_of(std::span<const Neighbours>(neighbours))));
  LEITONG_TRY(writer.section<std::uint64_t>("partner-ends", ends));
  LEITONG_TRY(writer.begin("partners"));
  LEITONG_TRY(writer.append(bytes_of(std::span<const Partner>(partners))));
  const std::array<std::uint64_t, 3> facts = {figures.documents, figures.sampled, figures.words};
  LEITONG_TRY(writer.section<std::uint64_t>("facts", facts));
  return writer.finish();
}

}  // namespace leitong
