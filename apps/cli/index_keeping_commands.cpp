#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
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

using nlohmann::ordered_json;

struct KeepingFlags {
  IndexFlags index;
  InputFlags input;
  online::FileDetails details;
  std::string name;  // of a source or a folder
  std::string before;
  bool json = false;
};

Result<void> begin(const KeepingFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(online::Index index, open_index(flags.index, true, context));
  LEITONG_ASSIGN(const bool begun, index.begin(flags.name));
  print_note(begun ? fmt::format("{}: texts of \"{}\" are set aside until it is committed", flags.index.index,
                                 flags.name)
                   : fmt::format("{}: \"{}\" is open already", flags.index.index, flags.name));
  return {};
}

Result<void> commit(const KeepingFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(online::Index index, open_index(flags.index, false, context));
  LEITONG_ASSIGN(const online::Committed done, index.commit(flags.name));
  print_note(fmt::format("{}: {} new, {} near, {} exact{}{}", human_counted(done.texts, "text"),
                         human_count(done.fresh), human_count(done.near), human_count(done.exact),
                         done.known > 0 ? fmt::format("; {} there before", human_count(done.known)) : "",
                         done.refused > 0 ? fmt::format("; {} refused, their ids stand for other texts",
                                                        human_count(done.refused))
                                          : ""));
  return {};
}

Result<void> rollback(const KeepingFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(online::Index index, open_index(flags.index, false, context));
  LEITONG_TRY(index.rollback(flags.name));
  print_note(fmt::format("{}: forgot what was set aside of \"{}\"", flags.index.index, flags.name));
  return {};
}

Result<void> expire(const KeepingFlags& flags) {
  std::optional<online::Seconds> before = online::parse_time(flags.before);
  if (flags.before == "now") before = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (!before)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("--before {}: is no time; write 2026-11-22, 2026-11-22T08:30:00Z or seconds since 1970",
                    flags.before));
  const CommandContext context;
  LEITONG_ASSIGN(online::Index index, open_index(flags.index, false, context));
  LEITONG_ASSIGN(const std::uint64_t removed, index.expire(*before));
  print_note(fmt::format("removed {}", human_counted(removed, "text")));
  return {};
}

Result<void> build_index(const KeepingFlags& flags) {
  LEITONG_ASSIGN(const InputFiles input, to_input(flags.input.files));
  LEITONG_TRY(check_index_outputs(input, flags.index, flags.details, flags.json ? "--json" : ""));
  online::FileSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.input.context, display));
    LEITONG_ASSIGN(summary,
                   online::build(context, flags.index.index, input, flags.details, flags.index.settings));
  }
  if (flags.json) LEITONG_TRY(print_json(summary));
  return finish_index_run(summary, flags.input.allow_truncated);
}

Result<void> import(const KeepingFlags& flags) {
  LEITONG_ASSIGN(InputFiles input, to_input(flags.input.files));
  input.kind = "jsonl";
  online::FileSummary summary;
  {
    ProgressDisplay display;
    const CommandContext context(with_progress(flags.input.context, display));
    LEITONG_ASSIGN(online::Index index, open_index_for(input, flags.index, context));
    LEITONG_ASSIGN(summary,
                   online::index_files(context, index, input, online::FileTask::check_and_add, kNobody,
                                       {.source_field = "source",
                                        .time_field = "time",
                                        .expires_field = "expires",
                                        .fields_are_optional = true}));
  }
  LEITONG_TRY(finish_index_run(summary, flags.input.allow_truncated));
  // A user who moves an index by export and import expects all of it.
  if (const auto left_out = summary.quarantined + summary.refused; left_out > 0)
    return fail(ErrorCode::corrupt,
                fmt::format("{} not imported", human_counted(left_out, "record was", "records were")));
  return {};
}

Result<void> export_texts(const KeepingFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(const online::Index index, open_index(flags.index, false, context));
  const auto print = [&](const online::Stored& stored) -> Result<void> {
    if (stored.text.empty() && stored.fingerprint)
      return fail(
          ErrorCode::unsupported,
          fmt::format("{}: keeps no texts, so that none can be exported; leitong index snapshot makes a "
                      "copy of it",
                      flags.index.index));
    ordered_json json = {{"id", stored.id}, {"text", stored.text}};
    if (!stored.source.empty()) json["source"] = stored.source;
    if (stored.time) json["time"] = *stored.time;
    if (stored.expires) json["expires"] = *stored.expires;
    json["verdict"] = online::verdict_name(stored.verdict);
    if (stored.family) json["family"] = *stored.family;
    return print_data(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  };
  return flags.name.empty() ? index.for_each(print) : index.for_each_of(flags.name, print);
}

Result<void> snapshot(const KeepingFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(online::Index index, open_index(flags.index, false, context));
  LEITONG_TRY(index.snapshot(flags.name));
  for (const std::string& source : index.open_sources())
    print_warning(fmt::format("{}: lacks what is set aside of \"{}\"; leitong index commit shows it",
                              flags.name, source));
  print_note(fmt::format("{}: is a copy of {}", flags.name, flags.index.index));
  return {};
}

Result<void> compact(const KeepingFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(online::Index index, open_index(flags.index, false, context));
  LEITONG_ASSIGN(const online::Figures before, index.figures());
  LEITONG_TRY(index.compact());
  LEITONG_ASSIGN(const online::Figures after, index.figures());
  const auto bytes = [](const online::Figures& f) {
    return human_bytes(static_cast<double>(f.segment_bytes.value_or(0) + f.store_bytes.value_or(0)));
  };
  if (!after.store_bytes) {
    print_note(
        fmt::format("{}: there is nothing to do, since what leaves it is gone at once", flags.index.index));
    return {};
  }
  print_note(fmt::format("{}: takes {}, {} before", flags.index.index, bytes(after), bytes(before)));
  return {};
}

Run command_of_source(CLI::App& app, Result<void> (*run)(const KeepingFlags&)) {
  return index_command(
      app,
      [&](KeepingFlags& flags) {
        add_text(app, "SOURCE", flags.name, "NAME", "name of the source").required();
      },
      run);
}

}  // namespace

Run add_index_begin(CLI::App& app) {
  add_examples(app,
               "Texts that are added with this source get an answer, and are durable, but other\n"
               "checks find them only after commit. The index is made if it isn't there.\n"
               "\n"
               "Example:\n"
               "  leitong index begin crawl-7 --index seen\n"
               "  leitong add pages.jsonl --source crawl-7 --index seen\n"
               "  leitong index commit crawl-7 --index seen");
  return command_of_source(app, begin);
}
Run add_index_commit(CLI::App& app) {
  add_examples(app,
               "All texts of the source become visible at one moment. They are compared with\n"
               "the index once more, since others may have come.\n"
               "\n"
               "Example:\n  leitong index commit crawl-7 --index seen");
  return command_of_source(app, commit);
}
Run add_index_rollback(CLI::App& app) {
  add_examples(app, "Example:\n  leitong index rollback crawl-7 --index seen");
  return command_of_source(app, rollback);
}
Run add_index_expire(CLI::App& app) {
  add_examples(app,
               "If an expired text represents a family, another member represents it then.\n"
               "\n"
               "Examples:\n"
               "  leitong index expire --index seen\n"
               "  leitong index expire --before 2026-11-01 --index seen");
  return index_command(
      app,
      [&](KeepingFlags& flags) {
        flags.before = "now";
        add_text(app, "--before", flags.before, "TIME",
                 "remove the texts that expired before this time (now)");
      },
      expire);
}
Run add_index_build(CLI::App& app) {
  add_examples(app,
               "Makes a new index, which appears when it is whole. Its verdicts are those of\n"
               "leitong add, which makes every batch durable on the way and takes longer.\n"
               "\n"
               "Example:\n  leitong index build archive/ --index seen");
  return index_command(
      app,
      [&](KeepingFlags& flags) {
        add_input_flags(app, flags.input);
        add_scheme_flags(app, flags.index);
        add_settings(app, flags.details, all_but({"base"}));
        add_resource_flags(app, flags.input.context);
        add_switch(app, "--json", flags.json, "print the figures as one JSON object").group("Output");
      },
      build_index);
}
Run add_index_export(CLI::App& app) {
  add_examples(app,
               "Prints one JSON object a text, in the order of arrival.\n"
               "\n"
               "Example:\n  leitong index export --index seen | zstd > seen.jsonl.zst");
  return index_command(
      app,
      [&](KeepingFlags& flags) {
        add_text(app, "--source", flags.name, "NAME", "texts of this source alone");
      },
      export_texts);
}
Run add_index_import(CLI::App& app) {
  add_examples(app,
               "Adds what leitong index export printed, each text as if it came now; the index\n"
               "is made if it isn't there. Texts are compared anew, with the keys of this index.\n"
               "The exit code is 1 if a record was left out.\n"
               "\n"
               "Example:\n  leitong index import seen.jsonl.zst --index other");
  return index_command(
      app,
      [&](KeepingFlags& flags) {
        add_arguments(app, "INPUT", flags.input.files.paths, "files that were exported (standard input)");
        add_settings(app, flags.index.settings, only({"durability"}));
        add_scheme_flags(app, flags.index);
        add_resource_flags(app, flags.input.context);
      },
      import);
}
Run add_index_snapshot(CLI::App& app) {
  add_examples(app,
               "Makes a copy of an index, which can be opened like any other. Files that never\n"
               "change are linked if the copy is on the same file system.\n"
               "\n"
               "Example:\n  leitong index snapshot backup --index seen");
  return index_command(
      app, [&](KeepingFlags& flags) { add_text(app, "FOLDER", flags.name, "DIR", "the copy").required(); },
      snapshot);
}
Run add_index_compact(CLI::App& app) {
  add_examples(app,
               "Gives up the space of removed texts. It is useful after many removals.\n"
               "\n"
               "Example:\n"
               "  leitong index compact --index seen");
  return index_command(
      app, [](KeepingFlags&) {}, compact);
}

}  // namespace leitong::cli
