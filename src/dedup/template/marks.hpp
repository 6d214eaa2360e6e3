// Which shingles of which documents are template.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/pair.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A shingle of a document that several families hold. What only one or two families hold has no mark.
struct ShingleMark {
  std::uint32_t shingle = 0;
  std::uint32_t families = 0;  ///< that hold it
  std::uint32_t sites = 0;     ///< the same; 0 where sites are not known
  bool is_template = false;    ///< for this document
};

/// Of how many families templates are usually, by those of each: the median, or 0 of none. Changes the order.
[[nodiscard]] std::uint32_t usual_families(std::span<std::uint32_t> families) noexcept;

/// The marks of many documents, in memory while there is room. 16 bytes each.
class TemplateMarks {
 public:
  TemplateMarks(std::uint64_t documents, RunContext& run);

  /// Of one thread.
  class Writer {
   public:
    explicit Writer(TemplateMarks& marks) : marks_(marks), writer_(marks.partitions_) {}
    Result<void> add(DocId document, const ShingleMark& mark);
    Result<void> flush() { return writer_.flush(); }

   private:
    TemplateMarks& marks_;
    Partitions::Writer writer_;
  };

  /// After the last writer was flushed, and before anything is asked.
  Result<void> sort();
  /// Forgets all.
  Result<void> clear();

  /// All marks as words, after sort(), in any order; add() of the same words makes them again.
  Result<void> save(const std::function<Result<void>(std::span<const std::uint64_t> words)>& each) const;
  /// Adds what save() gave. Fails with corrupt for documents that don't exist.
  Result<void> add(std::span<const std::uint64_t> words);

  [[nodiscard]] std::uint64_t documents() const noexcept { return tallies_.size(); }
  /// After sort().
  [[nodiscard]] bool has_template(DocId document) const noexcept { return tallies_[document].has_template; }
  /// How many marks a document has, after sort().
  [[nodiscard]] std::uint32_t count(DocId document) const noexcept { return tallies_[document].marks; }
  using Each = std::function<void(std::size_t index, std::span<const ShingleMark> marks)>;
  /// Calls each(i, marks of documents[i]), by shingle, for those of `documents` (ascending) that have any.
  Result<void> for_documents(std::span<const DocId> documents, const Each& each) const;

 private:
  // What is known of a document without its marks.
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
