// The table of cuts that trimming writes: a row for each, as JSON or in a table of typed columns.
#pragma once

#include <string>

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "job/row_file.hpp"
#include "job/trimmed_documents.hpp"
#include "leitong/result.hpp"
#include "leitong/trim.hpp"

namespace leitong {

/// The id of a document, or its place if it has none.
[[nodiscard]] std::string id_or_place(const Corpus& corpus, DocId document, const std::string& id);

class SpanRows {
 public:
  /// `names.spans` is the name of the file. All of these outlive it. Fails as RowFile::open().
  static Result<SpanRows> open(OutputFile& file, const TrimOutputs& names, KeptPart kept_part,
                               const Corpus& corpus);

  /// Makes the rows of a document, as far as any thread may do it: TrimmedDocument::spans.
  void describe(TrimmedDocument& document) const;
  /// Writes them. In the order of the documents.
  Result<void> write(const TrimmedDocument& document);
  Result<void> finish() { return rows_.finish(); }

 private:
  SpanRows(RowFile rows, bool with_text, bool kept, const Corpus& corpus)
      : rows_(std::move(rows)), with_text_(with_text), kept_(kept), corpus_(&corpus) {}

  RowFile rows_;
  bool is_table_ = false;
  bool with_text_, kept_;
  const Corpus* corpus_;
};

}  // namespace leitong
