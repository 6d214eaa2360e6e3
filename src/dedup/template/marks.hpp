// Which shingles of which documents belong to a template.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/pair.hpp"
#include "base/pod_vector.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A shingle of a document that several families hold. A shingle of one or two families has no mark.
struct ShingleMark {
  std::uint32_t shingle = 0;
  std::uint32_t families = 0;  ///< the number of families that hold it
  std::uint32_t sites = 0;     ///< the number of sites that hold it; 0 where sites are not known
  bool is_template = false;    ///< for this document
};

/// Returns how many families usually hold a template, given the number for each template shingle: the median,
/// or 0 if there is none. Changes the order.
[[nodiscard]] std::uint32_t usual_families(std::span<std::uint32_t> families) noexcept;

/// The marks of many documents, in memory while there is room, on disk otherwise. 16 bytes each.
class TemplateMarks {
 public:
  TemplateMarks(std::uint64_t documents, RunContext& run);

  /// For one thread.
  class Writer {
   public:
    explicit Writer(TemplateMarks& marks) : marks_(marks), writer_(marks.partitions_) {}
    Result<void> add(DocId document, const ShingleMark& mark);
    Result<void> flush() { return writer_.flush(); }

   private:
    TemplateMarks& marks_;
    Partitions::Writer writer_;
  };

  /// Call after the last writer was flushed and before any query.
  Result<void> sort();
  /// Removes all marks.
  void clear() noexcept;

  /// Passes all marks on as words, in any order. Call after sort(). add() of the same words restores them.
  Result<void> save(const std::function<Result<void>(std::span<const std::uint64_t> words)>& each) const;
  /// Adds what save() gave. Fails with corrupt for documents that do not exist.
  Result<void> add(std::span<const std::uint64_t> words);

  [[nodiscard]] std::uint64_t documents() const noexcept { return tallies_.size(); }
  /// Call after sort().
  [[nodiscard]] bool has_template(DocId document) const noexcept { return tallies_[document].has_template; }
  /// The number of marks of a document. Call after sort().
  [[nodiscard]] std::uint32_t count(DocId document) const noexcept { return tallies_[document].marks; }
  using Each = std::function<void(std::size_t index, std::span<const ShingleMark> marks)>;
  /// Calls each(i, marks of documents[i], sorted by shingle) for those of `documents` (ascending) that have
  /// marks, from any thread.
  Result<void> for_documents(std::span<const DocId> documents, const Each& each) const;

 private:
  struct Space {
    PodVector<std::uint64_t> words;
    std::vector<ShingleMark> marks;
  };
  // for_documents() for documents [i, beyond) of one partition.
  Result<void> for_some(std::span<const DocId> documents, std::size_t i, std::size_t beyond, Space& space,
                        const Each& each) const;

  // What is known about a document without its marks.
  struct Tally {
    std::uint32_t marks : 31 = 0;
    std::uint32_t has_template : 1 = 0;
  };

  RunContext& run_;
  unsigned shift_;
  Partitions partitions_;
  std::vector<Tally> tallies_;
};

}  // namespace leitong
