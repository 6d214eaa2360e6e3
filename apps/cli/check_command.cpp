#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index_flags.hpp"
#include "index_output.hpp"
#include "leitong/online.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct CheckFlags {
  InputFlags input;
  IndexFlags index;
  online::FileDetails details;
  online::Wanted wanted;
  bool add = false, exit_code = false, json = false;
};

/// Refuses settings for documents that are added.
Result<void> check_adds_nothing(std::span<const ChosenSetting> chosen, const Choice& of_additions) {
  for (const ChosenSetting& one : chosen)
    if (is_changed(one) && of_additions.has(one.setting.name))
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{} is about documents that are added; leave it out, or say --add",
                              flag_of(one.setting.name)));
  return {};
}

/// Has a document been seen?
Result<bool> check(const CheckFlags& flags) {
  if (!flags.add) {
    LEITONG_TRY(with_chosen(flags.index.settings, [](std::span<const ChosenSetting> chosen) {
      return check_adds_nothing(chosen, only({"durability", "keep_texts"}));
    }));
    std::vector<std::string_view> of_checks = {"fingerprint_field", "quarantine", "force", "base"};
    if (std::ranges::find(flags.wanted.exclude, "same_source") != flags.wanted.exclude.end())
      of_checks.insert(of_checks.end(), {"source", "source_field"});
    LEITONG_TRY(with_chosen(flags.details, [&](std::span<const ChosenSetting> chosen) {
      return check_adds_nothing(chosen, all_but(of_checks));
    }));
  } else if (!flags.wanted.exclude.empty() || !flags.details.base.empty()) {
    return fail(ErrorCode::invalid_argument,
                "documents are added whole; check them without --add first if something does not count",
                flags.wanted.exclude.empty() ? "base" : "exclude");
  }
  LEITONG_ASSIGN(const InputFiles input, to_input(flags.input.files));
  LEITONG_TRY(check_index_outputs(input, flags.index, flags.details, "the answers"));
  // Without a progress display, because the output itself shows the progress.
  const CommandContext context(flags.input.context);
  LEITONG_ASSIGN(online::Index index, flags.add ? open_index_for(input, flags.index, context)
                                                : open_index(flags.index, false, context));
  const auto print = [](std::span<const std::string> ids,
                        std::span<const online::Answer> answers) -> Result<void> {
    std::string lines;
    for (std::size_t i = 0; i < ids.size(); ++i) lines += answer_json(ids[i], answers[i]) + "\n";
    return print_data(lines);
  };
  const auto task = flags.add ? online::FileTask::check_and_add : online::FileTask::check;
  LEITONG_ASSIGN(const online::FileSummary summary,
                 online::index_files(context, index, input, task, print, flags.details, flags.wanted));
  LEITONG_TRY(finish_index_run(summary, flags.input.allow_truncated));
  return summary.near + summary.exact + summary.parts > 0;
}

Result<int> check_command(const CheckFlags& flags) {
  Result<bool> seen = check(flags);
  if (!flags.exit_code) return seen.map([](bool) { return kExitOk; });
  // Exit code 1 then has only one meaning; errors have other codes, as with grep.
  if (!seen && exit_code_of(seen.error().code) == kExitSeen) seen.error().code = ErrorCode::invalid_argument;
  return seen.map([](bool any) { return any ? kExitSeen : kExitOk; });
}

Result<void> add_command(const CheckFlags& flags) {
  LEITONG_ASSIGN(const InputFiles input, to_input(flags.input.files));
  LEITONG_TRY(check_index_outputs(input, flags.index, flags.details, flags.json ? "--json" : ""));
  online::FileSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.input.context, display));
    LEITONG_ASSIGN(online::Index index, open_index_for(input, flags.index, context));
    LEITONG_ASSIGN(summary, online::index_files(context, index, input, online::FileTask::check_and_add,
                                                kNobody, flags.details));
  }
  if (flags.json) LEITONG_TRY(print_json(summary));
  return finish_index_run(summary, flags.input.allow_truncated);
}

void add_common_flags(CLI::App& app, CheckFlags& flags, const Choice& details) {
  add_index_flag(app, flags.index);
  add_settings(app, flags.index.settings, only({"durability"}));
  add_scheme_flags(app, flags.index);
  add_input_flags(app, flags.input);
  add_settings(app, flags.details, details);
  add_resource_flags(app, flags.input.context);
}

}  // namespace

Run add_check(CLI::App& app) {
  auto flags = std::make_shared<CheckFlags>();
  add_switch(app, "--add", flags->add, "add each document; the index is made if it isn't there");
  add_common_flags(app, *flags, {});
  add_switch(app, "--exit-code", flags->exit_code,
             "end with 1 if a document was seen (near, exact or parts) and with 0 if none was; errors that "
             "otherwise end with 1, such as a missing input, end with 2")
      .group("Output");
  add_settings(app, flags->wanted);
  add_examples(app,
               "Prints one line of JSON for each document, in order and as documents arrive:\n"
               "  {\"id\":\"b\",\"verdict\":\"near\",\"match\":{\"id\":\"a\",\"measure\":\"jaccard\",..}}\n"
               "The verdict is new, exact, near or refused; of an index that was made with\n"
               "--scheme reuse also parts: \"parts\" then says which texts hold which passages\n"
               "of the document. With --add a line is printed when\n"
               "the document is durable. Documents are compared with those before them, too.\n"
               "A record that can't be read has a line, too: refused, with the reason.\n"
               "The same document of the same id may be added again: its verdict is the same.\n"
               "\n"
               "Examples:\n"
               "  leitong check new.jsonl --index seen\n"
               "  leitong check letter.txt --exit-code --index seen && echo new\n"
               "  leitong add articles.jsonl --index articles --scheme reuse\n"
               "  leitong check essay.txt --index articles\n"
               "  leitong check essays/ --exclude quotations,bibliography --base sheet.txt --index articles\n"
               "  crawler | leitong check --add --kind jsonl - --index seen > verdicts.jsonl");
  return [flags] { return check_command(*flags); };
}

Run add_add(CLI::App& app) {
  auto flags = std::make_shared<CheckFlags>();
  add_common_flags(app, *flags, all_but({"base"}));
  add_switch(app, "--json", flags->json, "print the figures as one JSON object").group("Output");
  add_examples(app,
               "The index is made if it isn't there. Each document is compared with those\n"
               "before it, as check --add does, but no answers are printed.\n"
               "\n"
               "Examples:\n"
               "  leitong add archive/ --index seen --durability none\n"
               "  leitong add today.jsonl.gz --index seen");
  return [flags] { return add_command(*flags); };
}

}  // namespace leitong::cli
