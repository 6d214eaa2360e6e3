// Records that cannot be documents, each with its place and the reason.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/temp_file.hpp"
#include "io/work_folder.hpp"

namespace leitong {

/// A quarantined record. The views are valid during the call that receives them.
struct QuarantinedRecord {
  std::string_view id;     ///< empty if it cannot be read
  std::string_view place;  ///< "file:line:column", "file:line" if no column is known, or only the file
  std::string_view reason;
};
using EachQuarantined = std::function<Result<void>(const QuarantinedRecord&)>;

/// Holds up to a mebibyte in memory, and the rest in a nameless file.
class Quarantine {
 public:
  explicit Quarantine(WorkFolder folder) : folder_(std::move(folder)) {}

  Result<void> add(const QuarantinedRecord& record);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// "place: reason" of the first; empty if there is none.
  [[nodiscard]] const std::string& first() const noexcept { return first_; }
  /// Calls `each` for all of them in the order of add(), until it fails.
  Result<void> for_each(const EachQuarantined& each) const;

 private:
  WorkFolder folder_;
  std::optional<TempFile> file_;
  std::string first_;
  std::string held_;  // not in file_ yet
  std::uint64_t size_ = 0;
};

class Corpus;
/// Writes the quarantine as lines of JSON, in blocks of bytes: {"id":..,"place":..,"reason":..}; an empty
/// `id` is left out. A path may be any bytes; what is not UTF-8 is shown as U+FFFD.
Result<void> write_quarantine(const Corpus& corpus,
                              const std::function<Result<void>(std::string_view)>& write);

}  // namespace leitong
