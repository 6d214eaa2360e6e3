#include "base/time_left.hpp"

#include <algorithm>

namespace leitong {
namespace {

// With less, a stage says little about its own time.
constexpr double kTellingSeconds = 1, kTellingPart = .02;

}  // namespace

void TimeLeft::note(std::string_view stage, std::optional<double> part, double now) {
  if (stage != stage_) {
    const double taken = now - began_;
    if (at_ < spent_.size() && !stage_.empty()) spent_[at_] += taken;
    stage_ = stage;
    const auto planned = std::ranges::find(plan_, stage, &PlannedStage::name);
    // What comes again, or is not planned, belongs to the stage that was reached.
    if (planned != plan_.end()) at_ = std::max(at_, static_cast<std::size_t>(planned - plan_.begin()));
    began_ = now;
  }
  noted_ = now;
  part_ = part;
}

std::optional<double> TimeLeft::whole_stage() const {
  const double taken = noted_ - began_;
  if (!part_ || *part_ < kTellingPart || taken < kTellingSeconds) return {};
  return taken / std::min(*part_, 1.0);
}

std::optional<double> TimeLeft::seconds(double now) const {
  if (stage_.empty()) return {};
  const double taken = now - began_;
  const std::optional<double> whole = whole_stage();
  if (plan_.empty() || at_ >= plan_.size()) {
    if (!whole) return {};
    return std::max(0.0, *whole - taken);
  }
  // What a unit of weight takes, by the stages that are done and this one.
  double seconds = 0, weight = 0, ahead = 0;
  for (std::size_t i = 0; i < at_; ++i) {
    seconds += spent_[i];
    weight += plan_[i].weight;
  }
  for (std::size_t i = at_ + 1; i < plan_.size(); ++i) ahead += plan_[i].weight;
  const double in_stage = spent_[at_] + whole.value_or(0);
  if (whole) {
    seconds += in_stage;
    weight += plan_[at_].weight;
  }
  if (weight == 0 || seconds < kTellingSeconds) return {};
  const double scale = seconds / weight;
  const double stage_left = whole ? *whole - taken : scale * plan_[at_].weight - spent_[at_] - taken;
  return std::max(0.0, stage_left) + scale * ahead;
}

}  // namespace leitong
