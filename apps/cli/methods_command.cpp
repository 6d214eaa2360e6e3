#include <fmt/format.h>

#include "commands.hpp"
#include "dedup/method.hpp"
#include "terminal.hpp"

namespace leitong::cli {

Run add_methods(CLI::App& app) {
  app.footer("Example:\n  leitong dedup corpus.jsonl -o kept.jsonl --method minhash");
  return []() -> Result<void> {
    const Style style = style_of(Stream::out);
    std::string out;
    for (const MethodInfo& method : methods()) {
      out += fmt::format("{}{}{}\n  {}\n", style.bold, method.name, style.reset, method.summary);
      if (!method.source.empty())
        out += fmt::format("  {}after {}{}\n", style.dim, method.source, style.reset);
    }
    return print_data(out);
  };
}

}  // namespace leitong::cli
