// Records that can't be documents, each with its place and the reason.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/temp_file.hpp"
#include "io/work_folder.hpp"

namespace leitong {

/// Lines of JSON {"id":..,"place":..,"reason":..}, held in memory up to a mebibyte and in a nameless file
/// beyond.
class Quarantine {
 public:
  explicit Quarantine(WorkFolder folder) : folder_(std::move(folder)) {}

  /// `id` is left out of the line if empty.
  Result<void> add(std::string_view id, std::string_view place, std::string_view reason);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// "place: reason" of the first; empty while there is none.
  [[nodiscard]] const std::string& first() const noexcept { return first_; }
  /// Calls `write` with blocks of bytes: all lines, in the order of add().
  Result<void> write_to(const std::function<Result<void>(std::string_view)>& write) const;

 private:
  WorkFolder folder_;
  std::optional<TempFile> file_;
  std::string first_;
  std::string lines_;  // what is not in file_ yet
  std::uint64_t size_ = 0;
};

}  // namespace leitong
