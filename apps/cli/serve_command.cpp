#include "serve.hpp"

#include <fmt/core.h>

#include <csignal>
#include <memory>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct ServeFlags {
  std::string config, data, listen;
  bool check_config = false, sample_config = false;
};

Result<void> run_server(const ServeFlags& flags) {
  if (flags.sample_config) return print_data(server::sample_config());
  const server::ServeOptions options{flags.config, flags.data, flags.listen};
  if (flags.check_config) {
    LEITONG_TRY(server::check_config(options));
    print_note(fmt::format("{}: right", flags.config.empty() ? "the defaults" : flags.config));
    return {};
  }
  return server::serve(options, [](const std::string& url) {
    print_note(fmt::format("the page is at {}", url));
    // A signal before the server listened only reached the command, which the server does not ask.
    if (told_to_stop().stop_requested()) std::raise(SIGTERM);
  });
}

}  // namespace

Run add_serve(CLI::App& app) {
  auto flags = std::make_shared<ServeFlags>();
  add_text(app, "--config", flags->config, "FILE", "the configuration, in TOML (the defaults)");
  add_text(app, "--data", flags->data, "DIR",
           "the folder of the indexes (leitong in the user's data folder)");
  add_text(app, "--listen", flags->listen, "ADDRESS:PORT",
           "the address of the service (127.0.0.1:8380); port 0: a free one");
  add_switch(app, "--check-config", flags->check_config,
             "read the configuration and what it names, and serve nothing");
  add_switch(app, "--sample-config", flags->sample_config, "print a configuration with every key explained");
  add_examples(app,
               "Answers over HTTP whether a text has been seen, and has a web page.\n"
               "Without a configuration it keeps an index named default, and only programs of\n"
               "this machine reach it. SIGTERM ends it when the current requests are answered,\n"
               "SIGHUP reads the configuration again. docs/service.md has the interface.\n"
               "\n"
               "Examples:\n"
               "  leitong serve\n"
               "  leitong serve --sample-config > leitong.toml\n"
               "  leitong serve --config leitong.toml --check-config");
  return [flags] { return run_server(*flags); };
}

}  // namespace leitong::cli
