#include <fmt/core.h>

#include "base/try.hpp"
#include "command_context.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "io/output_file.hpp"
#include "named_files.hpp"
#include "terminal.hpp"
#include "text/segment/model_builder.hpp"
#include "text/segment/model_store.hpp"

namespace leitong::cli {
namespace {

struct DictFlags {
  std::string action, model, output, words, markov;
  Dictionaries files;
  bool force = false;
};

Result<void> build(const DictFlags& flags) {
  if (flags.output.empty())
    return fail(ErrorCode::invalid_argument, "dict build needs -o MODEL, the file to write");
  const NamedOutput output{"--output", flags.output};
  LEITONG_TRY(check_mapped(output));
  JiebaFiles files;
  ModelChoice choice{flags.files};
  if (flags.words.empty() || flags.markov.empty() || choice.idf.empty() || choice.stop_words.empty()) {
    LEITONG_ASSIGN(files, chosen_files(choice));
  } else {
    files = {{}, {}, choice.idf, choice.stop_words, choice.user};
  }
  if (!flags.words.empty()) files.words = flags.words;
  if (!flags.markov.empty()) files.model = flags.markov;
  std::vector<std::string> inputs{files.words, files.model, files.idf, files.stop_words};
  inputs.insert(inputs.end(), files.user.begin(), files.user.end());
  LEITONG_TRY(check_outputs({output}, inputs));
  LEITONG_ASSIGN(const auto out, OutputFile::create(flags.output, flags.force, told_to_stop()));
  LEITONG_TRY(write_segment_model(files, [&](std::string_view bytes) { return out->write(bytes); }));
  return out->commit();
}

Result<void> info(const DictFlags& flags) {
  ModelChoice choice{flags.files};
  choice.model = flags.model;
  LEITONG_ASSIGN(const auto model, open_segment_model(choice));
  LEITONG_TRY(model->verify());
  const ModelCounts& counts = model->counts();
  return print_data(fmt::format(
      "{}\nversion {}, {} bytes, checksums right\n"
      "{} words in the dictionary, {} with those that only have a weight or are stop words\n"
      "{} characters, {} of them words of the user's; longest word: {} characters\n"
      "{} different frequencies; IDF: mean {:.6g}, median {:.6g}\n{}",
      model->file().path().string(), kModelVersion, model->file().size(), counts.dictionary_words,
      counts.words, counts.symbols - kFirstSymbol, counts.user_characters, counts.longest_word,
      counts.weights - 1, model->numbers().mean_idf, model->numbers().median_idf, model->about()));
}

}  // namespace

Run add_dict(CLI::App& app) {
  auto flags = std::make_shared<DictFlags>();
  add_text(app, "ACTION", flags->action, "build|info",
           "build compiles a model, info shows what a model holds")
      .required();
  add_text(app, "MODEL", flags->model, "FILE", "with info: the model (the one of jieba's dictionaries)");
  add_text(app, "-o,--output", flags->output, "FILE", "with build: the model to write");
  add_switch(app, "--force", flags->force, "replace an output that exists");
  add_text(app, "--words", flags->words, "FILE",
           "the words, one \"word frequency tag\" a line (those of jieba)")
      .group("Dictionaries");
  add_text(app, "--markov", flags->markov, "FILE", "the hidden Markov model (that of jieba)")
      .group("Dictionaries");
  add_settings(app, flags->files, all_but({"model"}));
  add_examples(app,
               "A model holds jieba's dictionaries and those of the user, compiled into one file\n"
               "that all programs share in memory. segment and keywords compile a model where\n"
               "none is named, and keep it in the user's cache folder.\n"
               "\n"
               "Examples:\n"
               "  leitong dict build --user-dict names.txt -o names.model\n"
               "  leitong dict info names.model\n"
               "  leitong segment --model names.model < article.txt");
  return [flags] { return flags->action == "build" ? build(*flags) : info(*flags); };
}

}  // namespace leitong::cli
