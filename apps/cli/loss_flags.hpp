// What may be lost of a text that is removed, as it is typed.
#pragma once

#include <optional>
#include <string>

#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace CLI {
class App;
}

namespace leitong::cli {

struct LossFlags {
  std::string remove;
  std::optional<double> loss, run;
};

/// --remove, --loss and --loss-run, below a heading if there is one.
void add_loss_flags(CLI::App& app, LossFlags& flags, const std::string& heading);
/// Nothing where none of them was typed. Fails with ErrorCode::invalid_argument where they contradict each
/// other, or where texts are not compared (`no_verify`), so that losses are unknown.
[[nodiscard]] Result<std::optional<LossLimits>> to_limits(const LossFlags& flags, bool no_verify);

}  // namespace leitong::cli
