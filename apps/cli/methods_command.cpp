#include <fmt/core.h>

#include <string>

#include "commands.hpp"
#include "flags.hpp"
#include "leitong/methods.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

std::string range_of(const MethodParam& param) {
  if (!param.words.empty()) return fmt::format("({}) ", param.words);
  return param.least < param.greatest ? fmt::format("({} to {}) ", param.least, param.greatest) : "";
}

}  // namespace

Run add_methods(CLI::App& app) {
  add_examples(
      app,
      "Each method is followed by its parameters with their default values.\n"
      "\n"
      "Example:\n"
      "  leitong dedup corpus.jsonl -o kept.jsonl --method simhash --param distance=6 --param top=100");
  return []() -> Result<void> {
    const Style style = style_of(Stream::out);
    std::string out;
    for (const MethodDescription& method : list_methods()) {
      out += fmt::format("{}{}{}\n  {}\n", style.bold, method.name, style.reset, method.summary);
      if (!method.source.empty())
        out += fmt::format("  {}after {}{}\n", style.dim, method.source, style.reset);
      for (const MethodParam& param : method.params)
        out += fmt::format("    {}={}  {}{}\n", param.name, param.value, range_of(param), param.meaning);
    }
    return print_data(out);
  };
}

}  // namespace leitong::cli
