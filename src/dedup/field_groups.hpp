// Which documents may be compared, by the values of fields.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pair.hpp"

namespace leitong {

/// Numbers for the values that documents have in two fields, one for each document. An empty array: there is
/// no such field.
struct FieldGroups {
  std::vector<std::uint32_t> within;  ///< documents with different numbers are never compared
  std::vector<std::uint32_t> across;  ///< documents with the same number are never compared

  [[nodiscard]] bool empty() const noexcept { return within.empty() && across.empty(); }
  [[nodiscard]] bool may_compare(DocId a, DocId b) const noexcept {
    return (within.empty() || within[a] == within[b]) && (across.empty() || across[a] != across[b]);
  }
  /// True if both documents may be compared with the same others.
  [[nodiscard]] bool alike(DocId a, DocId b) const noexcept {
    return (within.empty() || within[a] == within[b]) && (across.empty() || across[a] == across[b]);
  }
};

}  // namespace leitong
