// The documents that hold a shingle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/halves.hpp"
#include "base/pod_vector.hpp"

namespace leitong {

/// The holders of a shingle. Documents of families without a requested document are only counted, since such
/// families do not change any more.
struct ShingleHolders {
  std::uint32_t shingle = 0;
  std::uint32_t families_elsewhere = 0, documents_elsewhere = 0;
  std::span<const std::uint32_t> documents;  ///< all others

  [[nodiscard]] std::uint64_t size() const noexcept {
    return std::uint64_t{documents_elsewhere} + documents.size();
  }
  /// Takes two words, and one more for every two documents.
  void append_to(PodVector<std::uint64_t>& words) const {
    words.push_back(join_halves(shingle, static_cast<std::uint32_t>(documents.size())));
    words.push_back(join_halves(families_elsewhere, documents_elsewhere));
    for (std::size_t i = 0; i < documents.size(); i += 2)
      words.push_back(join_halves(i + 1 < documents.size() ? documents[i + 1] : 0, documents[i]));
  }
  /// Reads the first of `words` and removes them; `space` stores the documents.
  static ShingleHolders take_from(std::span<const std::uint64_t>& words, PodVector<std::uint32_t>& space) {
    const std::uint32_t n = low_half(words[0]);
    space.clear();
    const std::size_t end = 2 + (std::size_t{n} + 1) / 2;
    for (std::size_t i = 2; i < end; ++i) {
      space.push_back(low_half(words[i]));
      space.push_back(high_half(words[i]));
    }
    const ShingleHolders holders{high_half(words[0]), high_half(words[1]), low_half(words[1]),
                                 std::span<const std::uint32_t>(space).first(n)};
    words = words.subspan(end);
    return holders;
  }
};

}  // namespace leitong
