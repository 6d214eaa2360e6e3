#include "loss_flags.hpp"

#include "flags.hpp"

#include <algorithm>

namespace leitong::cli {

void add_loss_flags(CLI::App& app, LossFlags& flags, const std::string& heading) {
  const auto names = loss_limit_names();
  const auto place = [&](Flag flag) {
    if (!heading.empty()) flag.group(heading);
  };
  place(add_choice(
      app, "--remove", flags.remove, {names.begin(), names.end()},
      "what may be lost. A text is removed only for a similar text that holds nearly all of it. "
      "lossless: but for formats, templates and single letters. careful: but for 5 % of its own text, "
      "of which 2 % may be stretches of 24 units and more. wide: but for 10 % and 3 %. similar: "
      "everything similar is removed, whatever is lost (similar)"));
  place(
      add_number(app, "--loss", flags.loss, "L", 0, 1,
                 "in place of --remove: the part of a text's own units that the kept text may lack; reworded "
                 "units count 0.3"));
  place(add_number(
      app, "--loss-run", flags.run, "R", 0, 1,
      "with --loss: the part that may be lost in stretches of 24 units and more (0.02, or L where that "
      "is less)"));
}

Result<std::optional<LossLimits>> to_limits(const LossFlags& flags, bool no_verify) {
  if (no_verify && (!flags.remove.empty() || flags.loss || flags.run))
    return fail(
        ErrorCode::invalid_argument,
        "--no-verify compares no texts, so that losses are unknown; leave out --no-verify, or leave out "
        "--remove, --loss and --loss-run");
  if (!flags.remove.empty() && (flags.loss || flags.run))
    return fail(ErrorCode::invalid_argument,
                "--remove stands for a --loss and a --loss-run; leave out one or the other");
  if (!flags.remove.empty()) return loss_limits(flags.remove);
  if (!flags.loss && !flags.run) return std::nullopt;
  LossLimits limits;
  if (flags.loss) limits = {*flags.loss, std::min(LossLimits().run, *flags.loss)};
  if (flags.run) limits.run = *flags.run;
  return limits;
}

}  // namespace leitong::cli
