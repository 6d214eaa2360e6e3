#include "index_flags.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "base/try.hpp"
#include "check_outputs.hpp"
#include "corpus/corpus.hpp"
#include "corpus/source_list.hpp"
#include "method_params.hpp"
#include "terminal.hpp"

namespace leitong::cli {

void add_index_flag(CLI::App& app, IndexFlags& flags) {
  add_text(app, "--index", flags.index, "DIR",
           "the folder of the index, or redis://host:port/name or hbase://host:port/name for one on a server")
      .required();
}

Flag add_scheme_flags(CLI::App& app, IndexFlags& flags) {
  const std::string heading = "A new index";
  add_text(
      app, "--scheme", flags.scheme, "NAME",
      "what texts are compared by: default, or a fingerprint, whose distance decides: simhash, p-simhash, "
      "e-simhash, .. (default)")
      .group(heading);
  add_list(app, "--param", flags.params, "NAME=VALUE", "a parameter of the scheme, such as distance=3")
      .group(heading);
  add_dictionary_flags(app, flags.dictionaries);
  add_synonyms(app, flags.params);
  return add_switch(app, "--no-texts", flags.no_texts,
                    "keep fingerprints and digests alone; texts cannot be shown or exported then")
      .group(heading);
}

Flag add_durability_flag(CLI::App& app, IndexFlags& flags) {
  return add_choice(
      app, "--durability", flags.durability, {"sync", "everysec", "none"},
      "when additions count as done: when they are on the disk; within a second and a half; or when "
      "the system has them (sync)");
}

std::vector<Flag> add_detail_flags(CLI::App& app, DetailFlags& flags) {
  online::FileDetails& details = flags.details;
  std::vector<Flag> added = {
      add_text(app, "--source", details.source, "NAME",
               "where they come from, such as the name of a crawl: what is known of a source can be shown or "
               "removed at once"),
      add_text(app, "--source-field", details.source_field, "FIELD", "the source stands in this field"),
      add_text(app, "--time-field", details.time_field, "FIELD",
               "the date stands in this field: 2026-11-22T08:30:00Z, or seconds since 1970"),
      add_text(app, "--expires-field", details.expires_field, "FIELD",
               "the time from which leitong index expire takes a document out stands in this field"),
      add_number(app, "--keep-days", flags.keep_days, "N", 0, 1e6,
                 "documents without such a time expire N days after their date, or after today")};
  for (Flag& flag : added) flag.group("Documents that are added");
  return added;
}

void add_file_flags(CLI::App& app, DetailFlags& flags) {
  add_text(app, "--fingerprint-field", flags.details.fingerprint_field, "FIELD",
           "records hold fingerprints in this field in place of texts, in the digits of leitong sign; for an "
           "index by their scheme. FILE.scheme beside a FILE has to name it")
      .group("Input");
  add_text(app, "--quarantine", flags.details.quarantine, "FILE",
           "JSONL: the records that could not be read, each with its place and the reason")
      .group("Output");
  add_switch(app, "--force", flags.details.force, "replace a FILE of --quarantine that exists")
      .group("Output");
}

Result<void> check_index_outputs(const InputFiles& input, const IndexFlags& flags, const DetailFlags& details,
                                 std::string_view prints) {
  std::vector<std::string> inputs = input.paths;
  append_param_files(flags.params, inputs);
  append_dictionary_files(to_dictionaries(flags.dictionaries), inputs);
  std::vector<NamedOutput> outputs = {{"--quarantine", details.details.quarantine}};
  if (!prints.empty()) outputs.push_back({prints, "-"});
  LEITONG_TRY(check_outputs(outputs, inputs));
  // Of an index that is there check_outputs() knows; this one may be made yet.
  const std::string& quarantine = details.details.quarantine;
  const auto folder_of = [](const std::string& name) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(name, ignored) / "";
  };
  if (quarantine.empty() || quarantine == "-" ||
      !folder_of(quarantine).native().starts_with(folder_of(flags.index).native()))
    return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("--quarantine {} would lie in the index {}, whose files are its own; choose another name",
                  quarantine, flags.index));
}

online::FileDetails to_details(const DetailFlags& flags) {
  online::FileDetails details = flags.details;
  constexpr double kSecondsADay = 86'400;
  if (flags.keep_days) details.keep_seconds = static_cast<online::Seconds>(*flags.keep_days * kSecondsADay);
  return details;
}

online::Settings to_settings(const IndexFlags& flags) {
  online::Settings settings;
  settings.durability = flags.durability == "sync"       ? online::Durability::sync
                        : flags.durability == "everysec" ? online::Durability::everysec
                                                         : online::Durability::none;
  settings.scheme = flags.scheme;
  settings.params = flags.params;
  settings.dictionaries = to_dictionaries(flags.dictionaries);
  settings.keep_texts = !flags.no_texts;
  return settings;
}

Result<online::Index> open_index_for(const InputFiles& input, const IndexFlags& flags,
                                     const Context& context) {
  auto index = open_index(flags, false, context);
  if (index || index.error().code != ErrorCode::not_found) return index;
  LEITONG_TRY(list_sources(InputOptions(input)));
  return open_index(flags, true, context);
}

Result<online::Index> open_index(const IndexFlags& flags, bool create, const Context& context) {
  online::Settings settings = to_settings(flags);
  settings.create = false;
  auto index = online::Index::open(context, flags.index, settings);
  if (index || index.error().code != ErrorCode::not_found) return index;
  if (!create) {
    index.error().message +=
        "; leitong index create makes one, and so do leitong add and leitong check --add";
    return index;
  }
  settings.create = true;
  index = online::Index::open(context, flags.index, settings);
  if (index) print_note(fmt::format("{}: made a new index", flags.index));
  return index;
}

}  // namespace leitong::cli
