#include "index_flags.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {

void add_index_flag(CLI::App& app, IndexFlags& flags) {
  add_text(app, "--index", flags.index, "DIR", "the folder of the index").required();
}

void add_durability_flag(CLI::App& app, IndexFlags& flags) {
  add_choice(app, "--durability", flags.durability, {"sync", "everysec", "none"},
             "when additions count as done: when they are on the disk; within a second and a half; or when "
             "the system has them (sync)");
}

Result<online::Index> open_index(const IndexFlags& flags, bool create, const Context& context) {
  const bool there = std::filesystem::exists(std::filesystem::path(flags.index) / "secret");
  online::Settings settings;
  settings.create = create;
  settings.durability = flags.durability == "sync"       ? online::Durability::sync
                        : flags.durability == "everysec" ? online::Durability::everysec
                                                         : online::Durability::none;
  auto index = online::Index::open(context, flags.index, settings);
  if (index && !there) print_note(fmt::format("{}: made a new index", flags.index));
  if (!index && index.error().code == ErrorCode::not_found)
    index.error().message +=
        "; leitong index create makes one, and so do leitong add and leitong check --add";
  return index;
}

}  // namespace leitong::cli
