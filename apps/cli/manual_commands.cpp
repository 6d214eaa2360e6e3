#include <memory>

#include "commands.hpp"
#include "flags.hpp"
#include "manual.hpp"
#include "terminal.hpp"

namespace leitong::cli {

Run add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  add_text(app, "SHELL", *shell, "bash|zsh|fish", "bash, zsh or fish").required();
  add_examples(app,
               "Examples:\n"
               "  leitong completion bash > /etc/bash_completion.d/leitong\n"
               "  leitong completion zsh > \"${fpath[1]}/_leitong\"\n"
               "  leitong completion fish > ~/.config/fish/completions/leitong.fish");
  return [&app, shell] { return print_data(render_completion(program_of(app), *shell)); };
}

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
