// Keeps an index a copy of another one.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "index_flags.hpp"
#include "leitong/online.hpp"
#include "leitong/replicate.hpp"
#include "service_index.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

// Between two questions whether there is more.
constexpr std::chrono::milliseconds kPause{200};

struct ReplicateFlags {
  IndexFlags index;
  std::string from, cursor, token, from_token;
  bool follow = false;
};

Result<ServiceIndex> open_service(const std::string& address, const std::string& token_file) {
  std::string token;
  if (!token_file.empty() && !(std::ifstream(token_file) >> token))
    return fail(ErrorCode::not_found, fmt::format("{}: holds no token", token_file));
  return ServiceIndex::open(address, std::move(token));
}

/// The two indexes, of which each is in a folder, on a server or on a service.
struct Opened {
  std::optional<online::IndexFollower> from;
  std::optional<ServiceIndex> from_service;
  std::optional<online::Index> copy;
  std::optional<ServiceIndex> copy_service;
};

Result<online::ChangesFn> open_from(const Context& context, const ReplicateFlags& flags, Opened& opened) {
  if (ServiceIndex::is_address(flags.from)) {
    LEITONG_ASSIGN(opened.from_service, open_service(flags.from, flags.from_token));
    return [&](auto since, const auto& wanted) { return opened.from_service->changes(since, wanted); };
  }
  LEITONG_ASSIGN(opened.from, online::IndexFollower::open(context, flags.from));
  return [&](auto since, const auto& wanted) { return opened.from->changes(since, wanted); };
}

Result<online::ReplicaCalls> open_copy(const Context& context, const ReplicateFlags& flags, Opened& opened) {
  if (ServiceIndex::is_address(flags.index.index)) {
    LEITONG_ASSIGN(opened.copy_service, open_service(flags.index.index, flags.token));
    ServiceIndex& index = *opened.copy_service;
    return online::ReplicaCalls{
        .changes = [&](auto since, const auto& wanted) { return index.changes(since, wanted); },
        .add = [&](auto texts) { return index.check_and_add(texts); },
        .remove = [&](auto id) { return index.remove(id); }};
  }
  LEITONG_ASSIGN(opened.copy, open_index(flags.index, true, context));
  return online::replica_calls(*opened.copy);
}

Result<void> replicate(const ReplicateFlags& flags) {
  const CommandContext context;
  Opened opened;
  LEITONG_ASSIGN(online::ChangesFn from, open_from(context, flags, opened));
  LEITONG_ASSIGN(online::ReplicaCalls copy, open_copy(context, flags, opened));
  LEITONG_ASSIGN(auto replication,
                 online::Replication::open(std::move(from), std::move(copy), flags.cursor,
                                           fmt::format("{}\n{}\n", flags.from, flags.index.index)));
  std::uint64_t added = 0, removed = 0;
  for (bool reached = true;;) {
    LEITONG_TRY(told_to_stop().check());
    const auto done = replication.step();
    if (!done) {
      // The latest changes are not durable yet, or a service is down.
      const ErrorCode code = done.error().code;
      if (!flags.follow || (code != ErrorCode::conflict && code != ErrorCode::io))
        return tl::make_unexpected(done.error());
      if (code == ErrorCode::io && std::exchange(reached, false)) print_warning(done.error().message);
    } else {
      reached = true;
      added += done->added;
      removed += done->removed;
      if (done->more) continue;
      if (!flags.follow) break;
    }
    std::this_thread::sleep_for(kPause);
  }
  print_note(fmt::format("{}: is a copy of {}; {} came, {} left", flags.index.index, flags.from,
                         human_counted(added, "text"), human_count(removed)));
  return {};
}

}  // namespace

Run add_index_replicate(CLI::App& app) {
  add_examples(app,
               "Reads the changes of an index in a folder, which another process may have open,\n"
               "or of a service, and applies them to a copy: a folder, or an index of another\n"
               "service, which answers meanwhile (http://host:port/v1/indexes/NAME). The copy has\n"
               "the same texts in the same order. It compares them with keys of its own, so for a\n"
               "text close to the threshold the two answers may differ.\n"
               "\n"
               "The file of --cursor has the progress of the copy: a run that was stopped or\n"
               "killed continues there. Without the file all texts are read, and texts that only\n"
               "the copy has are removed.\n"
               "\n"
               "Examples:\n"
               "  leitong index replicate --from seen --cursor copy.cursor --index copy\n"
               "  leitong index replicate --follow --from http://main:8380/v1/indexes/seen \\\n"
               "    --cursor seen.cursor --index http://127.0.0.1:8380/v1/indexes/seen");
  return index_command(
      app,
      [&](ReplicateFlags& flags) {
        add_text(app, "--from", flags.from, "DIR|URL", "the index that is copied").required();
        add_text(app, "--cursor", flags.cursor, "FILE", "the progress of the copy; it is made").required();
        add_switch(app, "--follow", flags.follow,
                   "when everything is copied, wait for more changes until the command is stopped");
        add_text(app, "--from-token", flags.from_token, "FILE", "the token for the service of --from");
        add_text(app, "--token", flags.token, "FILE", "the token for the service of --index");
        add_scheme_flags(app, flags.index);
      },
      replicate);
}

}  // namespace leitong::cli
