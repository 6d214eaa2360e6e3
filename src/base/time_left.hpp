// How long a run will still take, by what its stages have taken.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leitong {

/// A stage and what it usually takes, relative to the other stages.
struct PlannedStage {
  std::string_view name;
  double weight;
};

/// Seconds are those of any clock that goes on. A stage may come again: it then goes on.
class TimeLeft {
 public:
  /// An empty plan: each stage stands for the whole run.
  explicit TimeLeft(std::span<const PlannedStage> plan) : plan_(plan), spent_(plan.size()) {}

  /// `part` of the stage is done at `now`; nothing: it is not known.
  void note(std::string_view stage, std::optional<double> part, double now);
  /// What the run will still take from `now` on; nothing as long as nothing tells.
  [[nodiscard]] std::optional<double> seconds(double now) const;

 private:
  /// What the present stage takes in all, as far as its own part tells.
  [[nodiscard]] std::optional<double> whole_stage() const;

  std::span<const PlannedStage> plan_;
  std::vector<double> spent_;  // in each planned stage
  std::string stage_;
  std::size_t at_ = 0;  // the last planned stage that was reached
  double began_ = 0;    // of the present stage, so that it has taken noted_ - began_
  double noted_ = 0;
  std::optional<double> part_;
};

}  // namespace leitong
