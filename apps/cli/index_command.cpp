#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index_flags.hpp"
#include "index_output.hpp"
#include "leitong/online.hpp"
#include "leitong/read.hpp"
#include "named_files.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using nlohmann::ordered_json;

struct NamedFlags {
  IndexFlags index;
  std::vector<std::string> ids;
  std::string source, text;
  bool json = false;
};

Result<void> print_explained(const ordered_json& json) {
  return print_data(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

Result<void> create(const NamedFlags& flags) {
  const CommandContext context;
  LEITONG_TRY(open_index(flags.index, true, context));
  return {};
}

Result<void> get(const NamedFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(const online::Index index, open_index(flags.index, false, context));
  std::string missing;
  for (const std::string& id : flags.ids) {
    LEITONG_ASSIGN(const auto stored, index.get(id));
    if (!stored) {
      missing += fmt::format("{}\"{}\"", missing.empty() ? "" : ", ", id);
      continue;
    }
    ordered_json json = stored_json(*stored);
    json["text"] = stored->text;
    LEITONG_TRY(print_explained(json));
  }
  if (missing.empty()) return {};
  return fail(ErrorCode::not_found,
              fmt::format("{}: holds no text with the id {}", flags.index.index, missing));
}

Result<void> remove(const NamedFlags& flags) {
  if (flags.ids.empty() && flags.source.empty())
    return fail(ErrorCode::invalid_argument, "name the ids of texts, or a source with --source");
  if (!flags.ids.empty() && !flags.source.empty())
    return fail(ErrorCode::invalid_argument,
                "ids and --source both say which texts are removed; leave one out");
  const CommandContext context;
  LEITONG_ASSIGN(online::Index index, open_index(flags.index, false, context));
  std::uint64_t removed = 0;
  if (!flags.source.empty()) {
    LEITONG_ASSIGN(removed, index.remove_source(flags.source));
  }
  for (const std::string& id : flags.ids) {
    LEITONG_ASSIGN(const bool there, index.remove(id));
    removed += there;
    if (!there) print_warning(fmt::format("{}: holds no text with the id \"{}\"", flags.index.index, id));
  }
  print_note(fmt::format("removed {}", human_counted(removed, "text")));
  return {};
}

Result<void> explain_text(const NamedFlags& flags) {
  std::string file = flags.text;
  LEITONG_TRY(default_to_standard_input(file));
  const CommandContext context;
  InputFiles input;
  input.paths = {file};
  input.kind = "text";
  std::string text;
  const auto take = [&](const InputDocument& document) -> Result<void> {
    text = document.text;
    return {};
  };
  LEITONG_ASSIGN(const ReadSummary read, read_documents(context, input, take));
  if (read.documents + read.quarantined > 1)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: holds {}; name one file", file,
                            human_counted(read.documents + read.quarantined, "file")));
  if (read.quarantined > 0) return fail(ErrorCode::corrupt, read.first_quarantined);
  if (read.documents == 0) return fail(ErrorCode::invalid_argument, fmt::format("{}: holds no text", file));
  LEITONG_ASSIGN(const online::Index index, open_index(flags.index, false, context));
  LEITONG_ASSIGN(const online::Explanation explanation, index.explain(text));
  ordered_json json = {{"answer", ordered_json::parse(answer_json(file, explanation.answer))},
                       {"units", explanation.units},
                       {"keys", ordered_json::array()},
                       {"candidates", ordered_json::array()}};
  for (const auto& key : explanation.keys)
    json["keys"].push_back(
        {{"tier", key.tier}, {"level", key.level}, {"holders", key.holders}, {"full", key.full}});
  for (const auto& candidate : explanation.candidates) {
    if (candidate.distance) {
      json["candidates"].push_back(
          {{"id", candidate.id}, {"fate", candidate.fate}, {"distance", *candidate.distance}});
      continue;
    }
    json["candidates"].push_back({{"id", candidate.id},
                                  {"units", candidate.units},
                                  {"rank", candidate.rank},
                                  {"sketch", candidate.sketch},
                                  {"fate", candidate.fate},
                                  {"jaccard", candidate.jaccard},
                                  {"containment", candidate.containment}});
  }
  return print_explained(json);
}

Result<void> show_stats(const NamedFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(const online::Index index, open_index(flags.index, false, context));
  LEITONG_ASSIGN(const online::Figures f, index.figures());
  // Leaves out what this kind of index does not have or cannot tell.
  if (flags.json) {
    ordered_json json = {{"scheme", f.scheme}, {"distance", f.distance}, {"bits", f.bits},
                         {"texts", f.texts},   {"new", f.fresh},         {"near", f.near},
                         {"exact", f.exact}};
    const auto add = [&](const char* name, std::optional<std::uint64_t> value) {
      if (value) json[name] = *value;
    };
    add("postings", f.postings);
    add("full_keys", f.full_keys);
    add("shared_shingles", f.shared_shingles);
    add("fingerprints", f.fingerprints);
    add("fingerprint_bytes", f.fingerprint_bytes);
    add("segments", f.segments);
    add("segment_bytes", f.segment_bytes);
    add("memory_bytes", f.memory_bytes);
    add("store_bytes", f.store_bytes);
    return print_explained(json);
  }
  const auto bytes = [](std::uint64_t n) { return human_bytes(static_cast<double>(n)); };
  std::string text = fmt::format("scheme     {}", f.scheme);
  if (f.fingerprints.value_or(0) > 0)
    text += fmt::format("; {} searched within {} bits", human_counted(*f.fingerprints, "fingerprint"),
                        f.distance);
  text += fmt::format("\ntexts      {}: {} new, {} near, {} exact\n", human_count(f.texts),
                      human_count(f.fresh), human_count(f.near), human_count(f.exact));
  if (f.postings)
    text += fmt::format("postings   {}; {} full\n", human_count(*f.postings),
                        human_counted(f.full_keys, "key is", "keys are"));
  if (f.segments && f.segment_bytes)
    text += fmt::format("segments   {}, {}\n", human_count(*f.segments), bytes(*f.segment_bytes));
  if (f.memory_bytes)
    text += fmt::format("memory     {}{}\n", f.segments ? "" : "about ", bytes(*f.memory_bytes));
  if (f.store_bytes) text += fmt::format("texts take {}\n", bytes(*f.store_bytes));
  return print_data(text);
}

Result<void> verify(const NamedFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(const online::Index index, open_index(flags.index, false, context));
  LEITONG_TRY(index.verify());
  LEITONG_ASSIGN(const online::Figures figures, index.figures());
  print_note(fmt::format("{}: {} and their postings are whole", flags.index.index,
                         human_counted(figures.texts, "text")));
  return {};
}

Result<void> repair(const NamedFlags& flags) {
  const CommandContext context;
  LEITONG_TRY(online::rebuild(context, flags.index.index));
  print_note(fmt::format("{}: made the postings anew", flags.index.index));
  return {};
}

constexpr auto kIdsOf = [](CLI::App& app) {
  return [&app](NamedFlags& flags) { add_arguments(app, "IDS", flags.ids, "of texts").required(); };
};
constexpr auto kNothingMore = [](NamedFlags&) {};

Run add_index_create(CLI::App& app) {
  add_examples(app,
               "What texts are compared by is fixed when an index is made.\n\nExamples:\n"
               "  leitong index create --index seen\n"
               "  leitong index create --index prints --scheme simhash --param distance=3");
  return index_command(
      app, [&](NamedFlags& flags) { add_scheme_flags(app, flags.index); }, create);
}
Run add_index_get(CLI::App& app) {
  add_examples(app,
               "Prints one JSON object a text. The exit code is 1 if one isn't there.\n\nExample:\n"
               "  leitong index get a17 a18 --index seen");
  return index_command(app, kIdsOf(app), get);
}
Run add_index_remove(CLI::App& app) {
  add_examples(app,
               "If a removed text represents others, an exact copy of it represents them then,\n"
               "or, if there is none, the earliest of them.\n"
               "\n"
               "Example:\n"
               "  leitong index remove a17 --index seen\n"
               "  leitong index remove --source crawl-7 --index seen");
  return index_command(
      app,
      [&](NamedFlags& flags) {
        add_arguments(app, "IDS", flags.ids, "of texts");
        add_text(app, "--source", flags.source, "NAME", "all texts of this source");
      },
      remove);
}
Run add_index_explain(CLI::App& app) {
  add_examples(app, "Example:\n  leitong index explain letter.txt --index seen");
  return index_command(
      app,
      [&](NamedFlags& flags) {
        add_text(app, "TEXT", flags.text, "FILE", "a text in UTF-8 (standard input)");
      },
      explain_text);
}
Run add_index_stats(CLI::App& app) {
  add_examples(app, "Example:\n  leitong index stats --index seen --json");
  return index_command(
      app, [&](NamedFlags& flags) { add_switch(app, "--json", flags.json, "as one JSON object"); },
      show_stats);
}
Run add_index_verify(CLI::App& app) {
  add_examples(app, "Example:\n  leitong index verify --index seen");
  return index_command(app, kNothingMore, verify);
}
Run add_index_repair(CLI::App& app) {
  add_examples(app,
               "For a damaged index. Postings are made again from the texts. Texts that\n"
               "can't be read are left out, and so are the writes after damage in the log of\n"
               "writes; a warning says how many texts are kept.\n"
               "\n"
               "Example:\n"
               "  leitong index repair --index seen");
  return index_command(app, kNothingMore, repair);
}

constexpr std::string_view kIndexGroup = "Commands";
constexpr Command kIndexCommands[] = {
    {"create", kIndexGroup, "make an empty index", add_index_create},
    {"build", kIndexGroup, "make an index of many texts at once", add_index_build},
    {"get", kIndexGroup, "print texts by their ids", add_index_get},
    {"remove", kIndexGroup, "remove texts", add_index_remove},
    {"changes", kIndexGroup, "list the texts that were added and removed since a cursor", add_index_changes},
    {"replicate", kIndexGroup, "keep a copy of an index up to date", add_index_replicate},
    {"expire", kIndexGroup, "remove expired texts", add_index_expire},
    {"begin", kIndexGroup, "set texts of a source aside from now on", add_index_begin},
    {"commit", kIndexGroup, "show all texts of a source that were set aside", add_index_commit},
    {"rollback", kIndexGroup, "discard the texts of a source that were set aside", add_index_rollback},
    {"export", kIndexGroup, "print all texts as JSON lines", add_index_export},
    {"import", kIndexGroup, "add what was exported", add_index_import},
    {"snapshot", kIndexGroup, "make a copy of an index", add_index_snapshot},
    {"compact", kIndexGroup, "give up the space of removed texts", add_index_compact},
    {"explain", kIndexGroup, "explain an answer: keys, candidates, bounds", add_index_explain},
    {"stats", kIndexGroup, "print the size and the figures of an index", add_index_stats},
    {"verify", kIndexGroup, "compare everything with its checksums, and postings with texts",
     add_index_verify},
    {"repair", kIndexGroup, "make the postings again from the texts", add_index_repair},
};

}  // namespace

Run add_index(CLI::App& app) {
  add_examples(app,
               "leitong check and leitong add fill and ask an index.\n\n"
               "Examples:\n"
               "  leitong index stats --index seen\n"
               "  leitong index remove a17 --index seen");
  return add_nested(app, kIndexCommands);
}

}  // namespace leitong::cli
