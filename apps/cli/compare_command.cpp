#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "corpus/document_file.hpp"
#include "flags.hpp"
#include "io/encoding.hpp"
#include "io/output_file.hpp"
#include "job/compare_by.hpp"
#include "job/compare_in_corpus.hpp"
#include "job/find_texts.hpp"
#include "leitong/compare.hpp"
#include "leitong/sign.hpp"
#include "method_params.hpp"
#include "named_files.hpp"
#include "report/render_compare.hpp"
#include "run_flags.hpp"
#include "scheme/resources.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace leitong::cli {
namespace {

struct CompareFlags {
  std::string a, b, report;
  InputFlags in;  // the corpus that has A and B as documents, if there is one
  std::vector<std::string> methods, corpus, base;
  SignSettings settings;  // without the method
  std::optional<Flag> flag_a, flag_b;
  bool text = false, json = false, force = false;
};

Result<void> write_page(const CompareFlags& flags, std::string_view page) {
  LEITONG_ASSIGN(const std::unique_ptr<OutputFile> file,
                 OutputFile::create(flags.report, flags.force, told_to_stop()));
  LEITONG_TRY(file->write(page));
  return file->commit();
}

/// Does a flag say how records are read?
bool tells_records(const InputFiles& files) {
  return with_chosen(files, [](std::span<const ChosenSetting> chosen) {
    return std::any_of(chosen.begin(), chosen.end(), [](const ChosenSetting& one) {
      return is_changed(one) && all_but({"inputs", "html_part", "encoding"}).has(one.setting.name);
    });
  });
}

/// If one text is named, the other one is on standard input.
Result<void> complete(CompareFlags& flags) {
  if (flags.text && !flags.in.files.paths.empty())
    return fail(ErrorCode::invalid_argument, "--text and --in both say what A and B are; leave one out");
  if (flags.in.files.paths.empty() && flags.corpus.empty() && flags.base.empty() &&
      tells_records(flags.in.files))
    return fail(
        ErrorCode::invalid_argument,
        "--id-field, --text-field, --kind, --max-record and --strict are about the records of --in, --corpus "
        "and --base");
  if (!flags.flag_a->given())
    return fail(ErrorCode::invalid_argument,
                "name the two that are to be compared, or one, and send the other to standard input");
  if (flags.flag_b->given()) return {};
  if (flags.text || !flags.in.files.paths.empty())
    return fail(ErrorCode::invalid_argument, "name the other one, too");
  return default_to_standard_input(flags.b);
}

struct Texts {
  std::string a, b;
};

Result<Texts> read_texts(const CompareFlags& flags, const Context& context) {
  if (flags.text) return Texts{flags.a, flags.b};
  if (flags.in.files.paths.empty()) {
    const HtmlPart part = flags.in.files.html;
    LEITONG_TRY(check_encoding(flags.in.files.encoding));
    LEITONG_ASSIGN(std::string a,
                   read_text_file(flags.a, part, flags.in.files.encoding, kMaxComparedBytes, told_to_stop()));
    LEITONG_ASSIGN(std::string b,
                   read_text_file(flags.b, part, flags.in.files.encoding, kMaxComparedBytes, told_to_stop()));
    return Texts{std::move(a), std::move(b)};
  }
  LEITONG_ASSIGN(const InputOptions input, to_input(flags.in.files));
  const std::string ids[] = {flags.a, flags.b};
  LEITONG_ASSIGN(std::vector<std::string> texts, find_texts(input, ids, context));
  return Texts{std::move(texts[0]), std::move(texts[1])};
}

/// The verdict of the corpus, or of the base alone.
Result<CorpusVerdict> ask_corpus(const CompareFlags& flags, const Context& context, const Texts& texts,
                                 const CompareResult& result) {
  InputOptions input;
  if (!flags.corpus.empty()) {
    InputFiles corpus = flags.in.files;
    corpus.paths = flags.corpus;
    LEITONG_ASSIGN(input, to_input(corpus));
  }
  LEITONG_ASSIGN(InCorpus found, compare_in_corpus(texts.a, texts.b, result, input, context,
                                                   flags.settings.folding, {flags.in.files, flags.base}));
  const ReadSummary& read = found.read;
  if (found.verdict.has_corpus && read.documents == 0 && read.quarantined == 0)
    print_warning("no records were found in --corpus");
  if (read.documents > 0 && read.quarantined > 0)
    print_warning(left_out_warning(read.quarantined, read.first_quarantined));
  if (found.verdict.has_corpus)
    LEITONG_TRY(check_read({read.documents, read.quarantined, read.truncated_inputs, read.first_quarantined},
                           flags.in.allow_truncated));
  return std::move(found.verdict);
}

Result<void> run_compare(CompareFlags& flags) {
  LEITONG_TRY(complete(flags));
  LEITONG_TRY(expand_patterns(flags.in.files.paths));
  LEITONG_TRY(expand_patterns(flags.corpus));
  LEITONG_TRY(expand_patterns(flags.base));
  std::vector<std::string> inputs = flags.in.files.paths;
  if (!flags.text && inputs.empty()) inputs = {flags.a, flags.b};
  inputs.insert(inputs.end(), flags.corpus.begin(), flags.corpus.end());
  inputs.insert(inputs.end(), flags.base.begin(), flags.base.end());
  append_param_files(flags.settings.params, inputs);
  append_dictionary_files(flags.settings.dictionaries, inputs);
  LEITONG_TRY(
      check_outputs({{"--report", flags.report}, {flags.json ? "--json" : "the comparison", "-"}}, inputs));
  const CommandContext context({.threads = 1});
  LEITONG_ASSIGN(const Texts texts, read_texts(flags, context));
  const auto& [a, b] = texts;
  const NamedText named_a{flags.text ? "the first text" : std::string_view(flags.a), a};
  const NamedText named_b{flags.text ? "the second text" : std::string_view(flags.b), b};

  LEITONG_ASSIGN(
      const CompareResult result,
      compare(a, b, {.name_a = named_a.name, .name_b = named_b.name, .folding = flags.settings.folding}));
  LEITONG_TRY(check_params(flags.methods, flags.settings.params));
  std::vector<MethodVerdict> verdicts;
  std::optional<CorpusVerdict> in_corpus;
  if (!flags.corpus.empty() || !flags.base.empty()) {
    LEITONG_ASSIGN(in_corpus, ask_corpus(flags, context, texts, result));
  }
  const auto resources = resources_of(context, {flags.settings.dictionaries});
  for (const std::string& method : flags.methods) {
    LEITONG_ASSIGN(verdicts.emplace_back(), compare_by(method, params_of(method, flags.settings.params), a, b,
                                                       result, *resources, flags.settings.folding));
  }
  LEITONG_TRY(resources->check_used());
  const CorpusVerdict* const corpus_says = in_corpus ? &*in_corpus : nullptr;
  if (!flags.report.empty())
    LEITONG_TRY(write_page(flags, render_compare_html(result, named_a, named_b, verdicts, corpus_says)));
  if (flags.json) return print_data(render_compare_json(result, named_a, named_b, verdicts, &in_corpus));
  const bool colour = !style_of(Stream::out).reset.empty();
  std::string text = render_compare_text(result, named_a, named_b,
                                         {.colour = colour, .methods = verdicts, .in_corpus = corpus_says});
  if (flags.corpus.empty() && !result.identical && result.similar_by != "copy")
    text +=
        result.similar_by.empty()
            ? "\nWithout templates of many texts, or by what no third text has, the two may yet be similar; "
              "--corpus FILE looks at that.\n"
            : "\nWhat the two share may be a template of many texts; --corpus FILE looks at that.\n";
  return print_data(text);
}

}  // namespace

Run add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  flags->flag_a = add_any_text(app, "A", flags->a, "FILE",
                               "a text file or HTML page, also compressed; - is standard input");
  flags->flag_b = add_any_text(app, "B", flags->b, "FILE", "the other text file (standard input)");
  add_switch(app, "--text", flags->text, "A and B are the texts themselves, not files");
  add_list(app, "--in", flags->in.files.paths, "FILE",
           "A and B are the ids of two documents in these files or folders");
  add_list(app, "--corpus", flags->corpus, "FILE",
           "files or folders, or the folder of an online index: also decide as leitong dedup does among "
           "these documents, without the templates that many of them share");
  add_list(app, "--base", flags->base, "FILE",
           "the text of these files does not count, such as a handout or a question sheet: also decide "
           "without it. May be repeated");
  add_text(app, "--report", flags->report, "FILE.html",
           "write the comparison as one HTML file, without script or network");
  add_list(app, "--method", flags->methods, "NAME",
           "also show the verdict of each of these methods; leitong methods lists them");
  add_settings(app, flags->settings, all_but({"method"}));
  add_switch(app, "--json", flags->json, "print one JSON object instead of the table and the marked texts");
  add_switch(app, "--force", flags->force, "replace the file of --report if it exists");
  add_settings(app, flags->in.files, all_but({"inputs", "max_window_bytes"}));
  add_examples(app,
               "Shows every measure, the verdict of the default rule, by which leitong dedup\n"
               "decides, and both texts. A passage that both share has the same number in both.\n"
               "With --method it also shows the verdict of each method, which is that of\n"
               "leitong pairs --no-verify, its similarity and the two signatures. The exit code\n"
               "is 0 whether the two are similar or not.\n"
               "\n"
               "Examples:\n"
               "  leitong compare old.txt new.txt\n"
               "  leitong compare old.txt new.txt --method simhash,minhash,edit --param distance=6\n"
               "  leitong compare old.txt.gz - --report evidence.html < new.txt\n"
               "  leitong compare --in corpus.jsonl.zst doc17 doc4711\n"
               "  leitong compare old.txt new.txt --corpus corpus.jsonl.zst\n"
               "  leitong compare ann.txt ben.txt --base question-sheet.txt\n"
               "  leitong compare --text 'one short text' 'another short text' --json");
  return [flags] { return run_compare(*flags); };
}

}  // namespace leitong::cli
