// The ids that outputs name, which are read once.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "corpus/corpus.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The ids of some documents. Takes 8 bytes and the bytes of the id for each of them, and 1.5 bits for every
/// other document.
class IdTable {
 public:
  /// Reads the ids of the marked documents, in the order of the files, on the threads of the calling arena.
  static Result<IdTable> read(const Corpus& corpus, const std::vector<bool>& wanted, StopToken stop);

  /// REQUIRES that the document was marked.
  [[nodiscard]] std::string_view operator[](DocId document) const noexcept {
    const std::uint64_t below = (std::uint64_t{1} << document % 64) - 1;
    const std::size_t i = before_[document / 64] + std::popcount(wanted_[document / 64] & below);
    return std::string_view(bytes_).substr(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  std::string bytes_;
  PodVector<std::uint64_t> begin_;   // start of each marked document's id
  PodVector<std::uint64_t> wanted_;  // one bit for each document
  PodVector<std::uint32_t> before_;  // marked documents before each word of wanted_
};

}  // namespace leitong
