#include "model_flags.hpp"

#include "flags.hpp"

namespace leitong::cli {

void add_model_flags(CLI::App& app, ModelFlags& flags, bool with_model) {
  if (with_model)
    add_text(app, "--model", flags.model, "FILE",
             "a model that leitong dict build made (jieba's dictionaries)")
        .group("Dictionaries");
  add_list(app, with_model ? "--user-dict" : "--user,--user-dict", flags.user, "FILE",
           "more words, a line each: \"word\", \"word tag\" or \"word frequency tag\"")
      .group("Dictionaries");
  add_text(app, "--idf", flags.idf, "FILE", "\"word weight\" a line (jieba's)").group("Dictionaries");
  add_text(app, "--stop-words", flags.stop_words, "FILE", "words that are no keywords, a line each (jieba's)")
      .group("Dictionaries");
}

void add_all_scripts(CLI::App& app, bool& all_scripts) {
  add_switch(
      app, "--all-scripts", all_scripts,
      "cut words of scripts that jieba takes letter by letter (kana, hangul, Thai, Cyrillic ..) by their "
      "own rules");
}

ModelChoice to_choice(const ModelFlags& flags) {
  return {.model = flags.model,
          .idf = flags.idf,
          .stop_words = flags.stop_words,
          .user = {flags.user.begin(), flags.user.end()}};
}

}  // namespace leitong::cli
