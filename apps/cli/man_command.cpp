#include <memory>

#include "commands.hpp"
#include "flags.hpp"
#include "manual.hpp"
#include "terminal.hpp"

namespace leitong::cli {

Run add_man(CLI::App& app) {
  auto markdown = std::make_shared<bool>(false);
  add_switch(app, "--markdown", *markdown, "the same as Markdown (docs/cli.md)");
  add_examples(app,
               "Examples:\n"
               "  leitong man | man -l -\n"
               "  leitong man > /usr/local/share/man/man1/leitong.1");
  return [&app, markdown] {
    return print_data(*markdown ? render_markdown(program_of(app)) : render_man(program_of(app)));
  };
}

}  // namespace leitong::cli
