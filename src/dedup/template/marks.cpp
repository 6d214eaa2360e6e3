#include "dedup/template/marks.hpp"

#include <algorithm>
#include <array>

#include "base/halves.hpp"
#include "base/parallel.hpp"
#include "base/pod_vector.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

// Document and shingle, then the number of families and whether it is a template.
using Entry = std::array<std::uint64_t, 2>;
constexpr std::size_t kWords = 2;
// How many marks that nobody wants are read between those of two documents, and how many are read at once.
constexpr std::uint64_t kGap = 256, kAtOnce = std::uint64_t{1} << 14;

DocId document_of(const std::uint64_t* words) { return high_half(words[0]); }
ShingleMark mark_of(const std::uint64_t* words) {
  return {low_half(words[0]), high_half(words[1]), low_half(words[1]) >> 1, (words[1] & 1) != 0};
}

}  // namespace

std::uint32_t usual_families(std::span<std::uint32_t> families) noexcept {
  if (families.empty()) return 0;
  const auto middle = families.begin() + static_cast<std::ptrdiff_t>(families.size() / 2);
  std::nth_element(families.begin(), middle, families.end());
  return *middle;
}

TemplateMarks::TemplateMarks(std::uint64_t documents, RunContext& run)
    : run_(run), shift_(Partitions::shift_for(documents)), partitions_(run), tallies_(documents) {}

Result<void> TemplateMarks::Writer::add(DocId document, const ShingleMark& mark) {
  return writer_.append(document >> marks_.shift_,
                        Entry{join_halves(document, mark.shingle),
                              join_halves(mark.families, mark.sites << 1 | (mark.is_template ? 1 : 0))});
}

Result<void> TemplateMarks::sort() {
  struct Space {
    PodVector<std::uint64_t> words;
    PodVector<Entry> entries;
    std::vector<std::size_t> ends;  // of the marks of each document
  };
  std::fill(tallies_.begin(), tallies_.end(), Tally{});
  return parallel_for_each(
      run_.stop, Partitions::kCount, [] { return Space(); },
      [&](std::size_t partition, Space& space) -> Result<void> {
        auto& [words, entries, ends] = space;
        LEITONG_TRY(partitions_.take(static_cast<unsigned>(partition), words));
        if (words.empty()) return {};
        for (std::size_t i = 0; i < words.size(); i += kWords) {
          Tally& tally = tallies_[document_of(&words[i])];
          ++tally.marks;
          tally.has_template |= mark_of(&words[i]).is_template;
        }
        // Groups the marks by document. Those of a document usually were added in the order of the shingles.
        const std::size_t first = partition << shift_;
        const auto tallies =
            std::span(tallies_).subspan(first, std::min(tallies_.size() - first, std::size_t{1} << shift_));
        ends.clear();
        std::size_t begin = 0;
        for (const Tally& tally : tallies) {
          ends.push_back(begin);
          begin += tally.marks;
        }
        entries.resize_for_overwrite(begin);
        for (std::size_t i = 0; i < words.size(); i += kWords) {
          const std::size_t document = document_of(&words[i]) - first;
          entries[ends[document]++] = {words[i], words[i + 1]};
        }
        begin = 0;
        for (const std::size_t end : ends) {
          const auto marks = std::span(entries).subspan(begin, end - begin);
          if (!std::ranges::is_sorted(marks)) std::ranges::sort(marks);
          begin = end;
        }
        words.clear();
        for (const Entry& entry : entries) words.append(entry);
        return partitions_.put(static_cast<unsigned>(partition), words);
      });
}

void TemplateMarks::clear() noexcept {
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) partitions_.clear(partition);
  std::fill(tallies_.begin(), tallies_.end(), Tally{});
}

Result<void> TemplateMarks::save(
    const std::function<Result<void>(std::span<const std::uint64_t>)>& each) const {
  PodVector<std::uint64_t> words;
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition) {
    LEITONG_TRY(partitions_.load(partition, words));
    LEITONG_TRY(each(words));
  }
  return {};
}

Result<void> TemplateMarks::add(std::span<const std::uint64_t> words) {
  Partitions::Writer writer(partitions_);
  for (std::size_t i = 0; i + kWords <= words.size(); i += kWords) {
    const DocId document = document_of(&words[i]);
    if (document >= documents()) return fail(ErrorCode::corrupt, "templates of documents that do not exist");
    LEITONG_TRY(writer.append(document >> shift_, Entry{words[i], words[i + 1]}));
  }
  return writer.flush();
}

Result<void> TemplateMarks::for_documents(std::span<const DocId> documents, const Each& each) const {
  std::vector<std::size_t> begins;  // of the documents of each partition
  for (std::size_t i = 0; i < documents.size(); ++i)
    if (i == 0 || documents[i] >> shift_ != documents[i - 1] >> shift_) begins.push_back(i);
  begins.push_back(documents.size());
  return parallel_for_each(
      run_.stop, begins.size() - 1, [] { return Space(); },
      [&](std::size_t p, Space& space) {
        return for_some(documents, begins[p], begins[p + 1], space, each);
      });
}

Result<void> TemplateMarks::for_some(std::span<const DocId> documents, std::size_t i, std::size_t beyond,
                                     Space& space, const Each& each) const {
  auto& [words, marks] = space;
  const DocId partition = documents[i] >> shift_;
  DocId next = partition << shift_;  // the document at the place `at` of its partition
  std::uint64_t at = 0;              // in marks
  while (i < beyond) {
    LEITONG_TRY(run_.stop.check());
    for (; next < documents[i]; ++next) at += tallies_[next].marks;
    // The marks of documents that lie close to each other are read together.
    std::uint64_t end = at + tallies_[next].marks;
    std::size_t last = i;
    std::uint64_t passed = end;
    for (DocId d = next + 1; last + 1 < beyond; ++d) {
      passed += tallies_[d].marks;
      if (d == documents[last + 1]) {
        ++last;
        end = passed;
      } else if (passed - end > kGap) {
        break;
      }
      if (passed - at > kAtOnce) break;
    }
    LEITONG_TRY(partitions_.load_some(partition, at * kWords, (end - at) * kWords, words));
    const std::uint64_t* from = words.data();
    for (; i <= last; ++i) {
      for (; next < documents[i]; ++next) {
        from += kWords * tallies_[next].marks;
        at += tallies_[next].marks;
      }
      marks.clear();
      for (std::uint32_t m = 0; m < tallies_[next].marks; ++m) marks.push_back(mark_of(from + kWords * m));
      if (!marks.empty()) each(i, marks);
    }
  }
  return {};
}

}  // namespace leitong
