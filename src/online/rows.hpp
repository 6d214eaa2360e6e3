// Reads the rows of an index, wherever they are kept.
#pragma once

#include <optional>
#include <string_view>

#include "leitong/result.hpp"
#include "online/row.hpp"

namespace leitong::online {

class Rows {
 public:
  Rows() = default;
  virtual ~Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// False if there is no such text.
  [[nodiscard]] virtual Result<bool> read(TextNumber text, Row& row) const = 0;
  [[nodiscard]] virtual Result<std::optional<TextNumber>> find(std::string_view id) const = 0;
  /// The present representative of a slot (Row::family, Row::content).
  [[nodiscard]] virtual Result<TextNumber> representative(TextNumber slot) const = 0;
};

}  // namespace leitong::online
