#include "model_flags.hpp"

#include "flags.hpp"
#include "scheme/dictionaries.hpp"

namespace leitong::cli {

void add_dictionary_flags(CLI::App& app, ModelFlags& flags, const char* user_names) {
  add_list(app, user_names, flags.user, "FILE",
           "more words, one a line, as \"word\", \"word tag\" or \"word frequency tag\"")
      .group("Dictionaries");
  add_text(app, "--idf", flags.idf, "FILE",
           "inverse document frequencies, one \"word weight\" a line (those of jieba)")
      .group("Dictionaries");
  add_text(app, "--stop-words", flags.stop_words, "FILE",
           "words that are never keywords, one a line (those of jieba)")
      .group("Dictionaries");
}

void append_dictionary_files(const Dictionaries& choice, std::vector<std::string>& files) {
  files.insert(files.end(), choice.user.begin(), choice.user.end());
  for (const auto& file : {choice.idf, choice.stop_words})
    if (!file.empty()) files.push_back(file);
}

void add_model_flags(CLI::App& app, ModelFlags& flags, bool with_model) {
  if (with_model)
    add_text(app, "--model", flags.model, "FILE",
             "a model that leitong dict build has made (one of jieba's dictionaries)")
        .group("Dictionaries");
  add_dictionary_flags(app, flags, with_model ? "--user-dict" : "--user,--user-dict");
}

void add_all_scripts(CLI::App& app, bool& all_scripts) {
  add_switch(app, "--all-scripts", all_scripts,
             "cut kana, hangul, Thai, Cyrillic and other scripts into words by their own rules; jieba cuts "
             "some of them letter by letter");
}

Dictionaries to_dictionaries(const ModelFlags& flags) {
  return {.model = flags.model,
          .user = {flags.user.begin(), flags.user.end()},
          .idf = flags.idf,
          .stop_words = flags.stop_words};
}

ModelChoice to_choice(const ModelFlags& flags) { return leitong::to_choice(to_dictionaries(flags)); }

}  // namespace leitong::cli
