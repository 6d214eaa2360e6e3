#include "index_flags.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "corpus/source_list.hpp"
#include "flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {

void add_index_flag(CLI::App& app, IndexFlags& flags) {
  add_text(app, "--index", flags.index, "DIR",
           "the folder of the index, or redis://host:port/name or hbase://host:port/name for one on a server")
      .required();
}

void add_scheme_flags(CLI::App& app, IndexFlags& flags) {
  const std::string heading = "A new index";
  add_text(
      app, "--scheme", flags.scheme, "NAME",
      "what texts are compared by: default, or a fingerprint, whose distance decides: simhash, p-simhash, "
      "e-simhash, .. (default)")
      .group(heading);
  add_list(app, "--param", flags.params, "NAME=VALUE", "a parameter of the scheme, such as distance=3")
      .group(heading);
  add_switch(app, "--no-texts", flags.no_texts,
             "keep fingerprints and digests alone; texts cannot be shown or exported then")
      .group(heading);
}

void add_durability_flag(CLI::App& app, IndexFlags& flags) {
  add_choice(app, "--durability", flags.durability, {"sync", "everysec", "none"},
             "when additions count as done: when they are on the disk; within a second and a half; or when "
             "the system has them (sync)");
}

void add_detail_flags(CLI::App& app, DetailFlags& flags) {
  const std::string heading = "Documents that are added";
  online::FileDetails& details = flags.details;
  add_text(app, "--source", details.source, "NAME",
           "where they come from, such as the name of a crawl: what is known of a source can be shown or "
           "removed at once")
      .group(heading);
  add_text(app, "--source-field", details.source_field, "FIELD", "the source stands in this field")
      .group(heading);
  add_text(app, "--time-field", details.time_field, "FIELD",
           "the date stands in this field: 2026-11-22T08:30:00Z, or seconds since 1970")
      .group(heading);
  add_text(app, "--expires-field", details.expires_field, "FIELD",
           "the time from which leitong index expire takes a document out stands in this field")
      .group(heading);
  add_number(app, "--keep-days", flags.keep_days, "N", 0, 1e6,
             "documents without such a time expire N days after their date, or after today")
      .group(heading);
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
