// Cuts what the second decision knows as templates: text that many unrelated documents hold.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dedup/find_options.hpp"
#include "dedup/pair_result.hpp"
#include "dedup/template/marks.hpp"
#include "job/cut_documents.hpp"
#include "job/template_runs.hpp"
#include "leitong/trim.hpp"

namespace leitong {

/// Searches the documents of a source for similar pairs and for the templates among them: PairResult::marks
/// is not null. Streams the source to its end. The result must not outlive the run. `stages` as
/// FindOptions::stages.
Result<PairResult> find_templates(DocumentSource& source, const ArtifactFolder* stages, RunContext& run);

/// With KeptPart::first a template stays where the first document holds it: a stretch is cut if each of its
/// shingles stands in an earlier document that keeps it. With KeptPart::none all of it goes. Memory: about 40
/// bytes for each shingle of a template.
class TemplateCuts final : public CutDocuments {
 public:
  /// All of these outlive it. `marks` are those of the source's documents.
  TemplateCuts(const RunContext& run, const DocumentSource& source, const TrimSettings& settings,
               const TemplateMarks& marks, Places places, Describe describe);

  /// Different templates that were met so far.
  [[nodiscard]] std::uint64_t templates() const noexcept { return runs_.size(); }

 private:
  Result<std::size_t> begin_block() override;
  [[nodiscard]] DocId document_of(std::size_t i) const override { return documents_[i]; }
  [[nodiscard]] bool is_read(std::size_t /*i*/) const override { return true; }
  void prepare(std::size_t i, const TrimmedDocument& document, CuttableText& cuttable) override;
  bool decide(std::size_t i, CuttableText& cuttable, std::vector<Cut>& cuts) override;

  /// Where a shingle stands: in which run, and at which of its places.
  struct Place {
    std::uint32_t run, at;
  };
  /// A run of template text of a document that was looked at.
  struct Run {
    DocId document;
    std::uint32_t first_unit;
  };
  /// A shingle of the present document that stands in none before it.
  struct Fresh {
    std::uint32_t shingle, unit;
    Place place;
  };
  void cut_run(std::size_t i, const TemplateRun& run, CuttableText& cuttable, std::vector<Cut>& cuts);
  /// Cuts shingles [begin, end) of a run, as far as borders allow.
  void cut_stretch(const TemplateRun& run, std::size_t begin, std::size_t end, CuttableText& cuttable,
                   std::vector<Cut>& cuts);

  const TemplateMarks& marks_;
  DocId next_ = 0;  // document that is not looked at yet
  std::vector<DocId> documents_;
  std::vector<std::vector<ShingleMark>> marks_of_;
  std::vector<std::vector<TemplateRun>> runs_of_;
  std::vector<ByteRange> cut_units_;  // of the present document: units, not bytes
  std::vector<Fresh> fresh_;
  std::vector<Run> runs_;
  std::unordered_map<std::uint32_t, Place> places_;  // of shingles that stand
};

}  // namespace leitong
