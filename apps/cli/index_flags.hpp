// The flags that commands of an online index share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "flags.hpp"
#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "model_flags.hpp"

namespace leitong::cli {

/// What was typed.
struct IndexFlags {
  std::string index, durability = "sync";
  std::string scheme = {};
  std::vector<std::string> params = {};
  ModelFlags dictionaries = {};
  bool no_texts = false;
};

/// --index DIR.
void add_index_flag(CLI::App& app, IndexFlags& flags);
/// --scheme, --param, --no-texts and dictionaries: of commands that may make an index. Gives --no-texts.
Flag add_scheme_flags(CLI::App& app, IndexFlags& flags);
/// --durability.
Flag add_durability_flag(CLI::App& app, IndexFlags& flags);

/// What documents are added with, as it was typed.
struct DetailFlags {
  online::FileDetails details;
  std::optional<double> keep_days;  ///< none: for good
};
/// --source, --source-field, --time-field, --expires-field, --keep-days.
std::vector<Flag> add_detail_flags(CLI::App& app, DetailFlags& flags);
/// --fingerprint-field, --quarantine, --force: of documents that are asked about, too.
void add_file_flags(CLI::App& app, DetailFlags& flags);
[[nodiscard]] online::FileDetails to_details(const DetailFlags& flags);

/// Refuses what a command writes, --quarantine among it, where it would be read. `prints`: the flag, or the
/// thing, that goes to standard output; empty: nothing.
Result<void> check_index_outputs(const InputFiles& input, const IndexFlags& flags, const DetailFlags& details,
                                 std::string_view prints);

/// A command on an index: takes what `declare(flags)` adds and --index, and does run(flags). Flags::index is
/// an IndexFlags.
template <class Flags, class Declare>
Run index_command(CLI::App& app, Declare declare, Result<void> (*run)(const Flags&)) {
  auto flags = std::make_shared<Flags>();
  declare(*flags);
  add_index_flag(app, flags->index);
  return [flags, run] { return run(*flags); };
}

[[nodiscard]] online::Settings to_settings(const IndexFlags& flags);
/// Opens it; a new one only if `create`, and says so.
Result<online::Index> open_index(const IndexFlags& flags, bool create, const Context& context);
/// The same for documents that are to be added: an index is made if there is something to read.
Result<online::Index> open_index_for(const InputFiles& input, const IndexFlags& flags,
                                     const Context& context);

}  // namespace leitong::cli
