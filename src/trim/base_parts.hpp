// Parts of texts that do not count, such as those of a question sheet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/pod_vector.hpp"
#include "leitong/trim.hpp"
#include "text/units.hpp"
#include "trim/part_groups.hpp"
#include "trim/repeated_runs.hpp"

namespace leitong {

/// The parts, or for passages the runs, of some texts. Any number of threads may ask. Memory: 16 bytes for
/// each.
class BaseParts {
 public:
  /// `least`: the units of a run, or of the least part.
  BaseParts(TextPart part, std::size_t least) : part_(part), least_(least) {}
  /// Takes the parts of a text. REQUIRES: valid UTF-8.
  void add(std::string_view utf8);
  /// To be called once, after the last text.
  void finish();

  [[nodiscard]] bool empty() const noexcept { return hashes_.empty(); }
  /// A hash of all of them.
  [[nodiscard]] std::uint64_t hash() const noexcept;
  /// Does it hold this part?
  [[nodiscard]] bool holds(const PartHash& hash) const noexcept;
  /// Takes the runs that overlap with a run of the base out of the segments of a text. For passages.
  void leave_out(std::span<const Unit> units, RunKeys& keys, PodVector<RunSegment>& segments) const;

 private:
  /// Units [begin, end) of a text.
  struct Stretch {
    std::size_t begin, end;
  };
  /// The stretches of a text that runs of the base cover, ascending and apart.
  [[nodiscard]] std::vector<Stretch> covered_in(std::span<const Unit> units, RunKeys& keys) const;

  TextPart part_;
  std::size_t least_;
  PodVector<std::uint64_t> keys_;
  std::optional<KeyFilter> filter_;  // of the runs' keys
  std::vector<std::vector<Unit>> texts_;
  std::vector<PartHash> hashes_;  // ascending
};

}  // namespace leitong
