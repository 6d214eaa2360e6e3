// The documents that hold equal parts, and what is cut of each.
#pragma once

#include <span>
#include <vector>

#include "job/cut_documents.hpp"
#include "leitong/trim.hpp"
#include "trim/part_groups.hpp"

namespace leitong {

/// Reads the documents of groups again, and has the rule decide about them.
class TrimmedDocuments final : public CutDocuments {
 public:
  /// All of these outlive it. `least` as CutRule.
  TrimmedDocuments(const RunContext& run, const DocumentSource& source, const TrimSettings& settings,
                   std::size_t least, PartGroups& groups, Places places, Describe describe);

 private:
  Result<std::size_t> begin_block() override;
  [[nodiscard]] DocId document_of(std::size_t i) const override { return repeated_[i].front().document; }
  [[nodiscard]] bool is_read(std::size_t i) const override;
  void prepare(std::size_t i, const TrimmedDocument& document, CuttableText& cuttable) override;
  bool decide(std::size_t i, CuttableText& cuttable, std::vector<Cut>& cuts) override {
    return rule_.decide(repeated_[i], cuttable, cuts);
  }
  [[nodiscard]] ByteRange kept_bytes(const KeptPlaceOfPart& kept, const std::string& text,
                                     std::vector<ByteRange>& parts) const override;

  PartGroups& groups_;
  CutRule rule_;
  unsigned block_ = 0;               // the next one
  std::vector<RepeatedPart> parts_;  // of the present block
  std::size_t parts_done_ = 0;
  std::vector<std::span<const RepeatedPart>> repeated_;  // of each document
};

}  // namespace leitong
