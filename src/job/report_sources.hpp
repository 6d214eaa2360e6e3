// The source of every document, and the number of documents that left from each source for another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/corpus.hpp"
#include "leitong/result.hpp"
#include "report/report.hpp"

namespace leitong {

/// The source of each document: the value of a field of its record if a field is named, otherwise its file.
/// If each file is one document, it is the folder, unless all of them are in one folder. Four bytes a
/// document.
class DocumentSources {
 public:
  /// `field` is the last of the corpus's extra fields, or empty. With a field, every record is read again on
  /// the threads of the calling arena.
  static Result<DocumentSources> read(const Corpus& corpus, const std::string& field, StopToken stop);

  [[nodiscard]] std::uint32_t of(DocId document) const noexcept { return source_[document]; }
  /// Counts one document of the source of `from` that left for one of the source of `to`.
  void add_flow(DocId from, DocId to) { ++flows_[std::uint64_t{of(from)} << 32 | of(to)]; }
  /// Counts one pair, between sources in the order of their names.
  void add_pair(DocId a, DocId b);

  /// The largest flows, and the names of these and of the sources of rows, which get new numbers. O(flows log
  /// flows).
  [[nodiscard]] ReportSources take(std::vector<ReportRow>& rows) const;

 private:
  std::uint32_t number(std::string_view name);

  ReportSources::By by_ = ReportSources::By::file;
  std::string field_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::uint64_t> documents_;  // number of documents of each source
  PodVector<std::uint32_t> source_;       // source of each document
  std::unordered_map<std::uint64_t, std::uint64_t> flows_;
};

}  // namespace leitong
