// The common flags of commands with an online index.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "command.hpp"
#include "flags.hpp"
#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

/// The index, and how it is opened or made.
struct IndexFlags {
  std::string index;
  online::Settings settings = {};
};

/// --index DIR.
void add_index_flag(CLI::App& app, IndexFlags& flags);
/// The settings of commands that may make an index.
void add_scheme_flags(CLI::App& app, IndexFlags& flags);

/// Refuses outputs of the command, --quarantine included, that would be read as inputs. `prints`: the flag,
/// or the thing, that goes to standard output; empty: nothing.
Result<void> check_index_outputs(const InputFiles& input, const IndexFlags& flags,
                                 const online::FileDetails& details, std::string_view prints);

/// A command with an index: it has the flags of `declare(flags)` and --index, and calls run(flags).
/// Flags::index is an IndexFlags.
template <class Flags, class Declare>
Run index_command(CLI::App& app, Declare declare, Result<void> (*run)(const Flags&)) {
  auto flags = std::make_shared<Flags>();
  declare(*flags);
  add_index_flag(app, flags->index);
  return [flags, run] { return run(*flags); };
}

/// Opens the index; makes a new one, with a message, only if `create`.
Result<online::Index> open_index(const IndexFlags& flags, bool create, const Context& context);
/// The same for documents that will be added: makes an index if there is something to read.
Result<online::Index> open_index_for(const InputFiles& input, const IndexFlags& flags,
                                     const Context& context);

}  // namespace leitong::cli
