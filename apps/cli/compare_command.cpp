#include <fmt/core.h>

#include "check_outputs.hpp"
#include "commands.hpp"
#include "corpus/charset.hpp"
#include "corpus/html_text.hpp"
#include "corpus/input_kind.hpp"
#include "flags.hpp"
#include "io/byte_stream.hpp"
#include "io/output_file.hpp"
#include "job/compare_by.hpp"
#include "leitong/compare.hpp"
#include "method_params.hpp"
#include "report/compare_html.hpp"
#include "report/compare_json.hpp"
#include "report/compare_text.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct CompareFlags {
  std::string a, b, html, page = "all";
  std::vector<std::string> methods, params;
  bool text = false, json = false, force = false;
};

/// The text of a file as `leitong dedup` would see it: of HTML pages what is read, else all but a byte order
/// mark.
Result<std::string> read_text(const std::string& path, HtmlPart part) {
  LEITONG_ASSIGN(const std::unique_ptr<ByteStream> file, open_decoded(path));
  LEITONG_ASSIGN(std::string bytes, read_all(*file, path, kMaxComparedBytes));
  const InputKind by_name = kind_of_name(path);
  const InputKind kind = by_name == InputKind::automatic ? kind_of_content(bytes, false) : by_name;
  if (kind != InputKind::html) {
    if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
    return bytes;
  }
  std::string buffer, text;
  const DecodedText decoded = decode_text(bytes, declared_charset(bytes), buffer);
  std::string problem = decoded.problem;
  if (problem.empty()) problem = html_to_text(decoded.text, text, part);
  if (!problem.empty()) return fail(ErrorCode::corrupt, fmt::format("{}: {}", path, problem));
  return text;
}

Result<void> write_page(const CompareFlags& flags, std::string_view page) {
  LEITONG_ASSIGN(const std::unique_ptr<OutputFile> file, OutputFile::create(flags.html, flags.force));
  LEITONG_TRY(file->write(page));
  return file->commit();
}

Result<void> run_compare(const CompareFlags& flags) {
  std::vector<std::string> inputs;
  if (!flags.text) inputs = {flags.a, flags.b};
  append_param_files(flags.params, inputs);
  LEITONG_TRY(
      check_outputs({{"--html", flags.html}, {flags.json ? "--json" : "the comparison", "-"}}, inputs));
  std::string a = flags.a, b = flags.b;
  if (!flags.text) {
    const HtmlPart part = flags.page == "main" ? HtmlPart::main : HtmlPart::all;
    LEITONG_ASSIGN(a, read_text(flags.a, part));
    LEITONG_ASSIGN(b, read_text(flags.b, part));
  }
  const NamedText named_a{flags.text ? "the first text" : std::string_view(flags.a), a};
  const NamedText named_b{flags.text ? "the second text" : std::string_view(flags.b), b};

  LEITONG_ASSIGN(const CompareResult result, compare(a, b, {.name_a = named_a.name, .name_b = named_b.name}));
  LEITONG_TRY(check_params(flags.methods, flags.params));
  std::vector<MethodVerdict> verdicts;
  for (const std::string& method : flags.methods) {
    LEITONG_ASSIGN(verdicts.emplace_back(),
                   compare_by(method, params_of(method, flags.params), a, b, result));
  }
  if (!flags.html.empty())
    LEITONG_TRY(write_page(flags, render_compare_html(result, named_a, named_b, verdicts)));
  if (flags.json) return print_data(render_compare_json(result, named_a, named_b, verdicts));
  const bool colour = !style_of(Stream::out).reset.empty();
  return print_data(render_compare_text(result, named_a, named_b, {.colour = colour, .methods = verdicts}));
}

}  // namespace

Run add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  add_text(app, "A", flags->a, "FILE", "a text file or HTML page, also compressed; - is standard input")
      .required();
  add_text(app, "B", flags->b, "FILE", "the other one").required();
  add_switch(app, "--text", flags->text, "A and B are the texts themselves, not files");
  add_choice(app, "--page", flags->page, {"all", "main"},
             "what of an HTML page counts, as --html of leitong dedup (all)");
  add_text(app, "--html", flags->html, "FILE",
           "write the comparison as one HTML file, without script or network");
  add_list(app, "--method", flags->methods, "NAME",
           "also what these methods make of the two, each by itself (leitong methods lists them)");
  add_list(app, "--param", flags->params, "NAME=VALUE", "a parameter, for those of the methods that have it");
  add_switch(app, "--json", flags->json, "one JSON object instead of the table and the marked texts");
  add_switch(app, "--force", flags->force, "overwrite an existing --html file");
  add_examples(app,
               "Shows every measure, whether the default rule of leitong dedup calls the two\n"
               "similar, and both texts with their shared passages numbered alike. A method's\n"
               "word is that of leitong pairs --no-verify, with its similarity and the two\n"
               "signatures. The exit code is 0 whether they are similar or not.\n"
               "\n"
               "Examples:\n"
               "  leitong compare old.txt new.txt\n"
               "  leitong compare old.txt new.txt --method simhash,minhash,edit --param distance=6\n"
               "  leitong compare old.txt.gz - --html evidence.html < new.txt\n"
               "  leitong compare --text 'one short text' 'another short text' --json");
  return [flags] { return run_compare(*flags); };
}

}  // namespace leitong::cli
