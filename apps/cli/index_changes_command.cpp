// Prints what was added to an index and removed from it, for a program that keeps a copy.
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <nlohmann/json.hpp>
#include <string>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "index_flags.hpp"
#include "index_output.hpp"
#include "leitong/online.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

using nlohmann::ordered_json;

// The pause between two checks of an index that others write.
constexpr int kPauseMilliseconds = 200;

struct ChangesFlags {
  IndexFlags index;
  std::string since;
  bool follow = false, texts = false;
};

std::string line_of(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<void> print_changes(const online::Changes& told, bool texts) {
  std::string lines;
  for (const auto& one : told.changes) {
    ordered_json json = {{"change", one.removed ? "removed" : "added"}};
    if (one.removed) {
      json["id"] = one.stored.id;
    } else {
      json.update(stored_json(one.stored));
      if (texts) json["text"] = one.stored.text;
    }
    lines += line_of(json);
  }
  return print_data(lines + line_of({{"cursor", told.cursor}}));
}

/// Waits for the next check, or until nobody reads standard output any more.
void wait_a_little() {
  pollfd output{STDOUT_FILENO, 0, 0};
  // As if something had been written.
  if (::poll(&output, 1, kPauseMilliseconds) > 0 && (output.revents & POLLERR) != 0) ::raise(SIGPIPE);
}

Result<void> changes(const ChangesFlags& flags) {
  const CommandContext context;
  LEITONG_ASSIGN(auto follower, online::IndexFollower::open(context, flags.index.index));
  std::string cursor = flags.since;
  for (bool first = true;; first = false) {
    LEITONG_TRY(told_to_stop().check());
    auto told = follower.changes(cursor, {.texts = flags.texts});
    if (!told && !(flags.follow && told.error().code == ErrorCode::conflict))
      return tl::make_unexpected(told.error());
    if (told) {
      cursor = told->cursor;
      if (first || !told->changes.empty()) LEITONG_TRY(print_changes(*told, flags.texts));
      if (told->more) continue;
      if (!flags.follow) return {};
    }
    wait_a_little();
  }
}

}  // namespace

Run add_index_changes(CLI::App& app) {
  add_examples(app,
               "Prints one JSON object for each text that was added or removed, in this order,\n"
               "and after some of them, and at the end, one with the cursor from which the next\n"
               "call continues: store it when the changes before it are processed. A program\n"
               "that applies all changes has at the end the texts of the index.\n"
               "\n"
               "An index in a folder may be open in another process meanwhile; printed changes\n"
               "are durable. Followers of an index of a service ask the service.\n"
               "\n"
               "Examples:\n"
               "  leitong index changes --index seen > all.jsonl\n"
               "  leitong index changes --since 8c5a1f.4.1 --texts --index seen\n"
               "  leitong index changes --since now --follow --index seen");
  return index_command(
      app,
      [&](ChangesFlags& flags) {
        add_text(app, "--since", flags.since, "CURSOR",
                 "the changes since this cursor; now: only later changes (all texts that are there)");
        add_switch(app, "--follow", flags.follow,
                   "when all changes are printed, wait for more until the command is stopped");
        add_switch(app, "--texts", flags.texts, "with the texts");
      },
      changes);
}

}  // namespace leitong::cli
