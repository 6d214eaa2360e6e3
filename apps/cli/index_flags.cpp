#include "index_flags.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "corpus/source_list.hpp"
#include "method_params.hpp"
#include "named_files.hpp"
#include "run_flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {

void add_index_flag(CLI::App& app, IndexFlags& flags) {
  add_text(app, "--index", flags.index, "DIR",
           "the folder of the index, or redis://host:port/name or hbase://host:port/name for one on a server")
      .required();
}

void add_scheme_flags(CLI::App& app, IndexFlags& flags) {
  add_settings(app, flags.settings, all_but({"durability", "postings_in_memory"}));
}

Result<void> check_index_outputs(const InputFiles& input, const IndexFlags& flags,
                                 const online::FileDetails& details, std::string_view prints) {
  std::vector<std::string> inputs = input.paths;
  append_param_files(flags.settings.params, inputs);
  append_dictionary_files(flags.settings.dictionaries, inputs);
  std::vector<NamedOutput> outputs = {{"--quarantine", details.quarantine}};
  if (!prints.empty()) outputs.push_back({std::string(prints), "-"});
  LEITONG_TRY(check_outputs(outputs, inputs));
  // check_outputs() knows an index that exists; this one may be new.
  const std::string& quarantine = details.quarantine;
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

Result<online::Index> open_index_for(const InputFiles& input, const IndexFlags& flags,
                                     const Context& context) {
  auto index = open_index(flags, false, context);
  if (index || index.error().code != ErrorCode::not_found) return index;
  LEITONG_TRY(list_sources(InputOptions(input)));
  return open_index(flags, true, context);
}

Result<online::Index> open_index(const IndexFlags& flags, bool create, const Context& context) {
  online::Settings settings = flags.settings;
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
