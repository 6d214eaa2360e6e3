// The ids that outputs name, read once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/corpus.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Ids of some documents. 8 bytes a document of the corpus and the bytes of the ids.
class IdTable {
 public:
  /// Reads the ids of the documents that are marked, in the order of the files, on the threads of the calling
  /// arena.
  static Result<IdTable> read(const Corpus& corpus, const std::vector<bool>& wanted);

  /// REQUIRES: the document was wanted.
  [[nodiscard]] std::string_view operator[](DocId document) const noexcept {
    return std::string_view(bytes_).substr(begin_[document], begin_[document + 1] - begin_[document]);
  }

 private:
  std::string bytes_;
  PodVector<std::uint64_t> begin_;
};

}  // namespace leitong
