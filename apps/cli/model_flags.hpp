// The flags by which commands choose a segmentation model.
#pragma once

#include <string>
#include <vector>

#include "leitong/dictionaries.hpp"
#include "text/segment/model_store.hpp"

namespace CLI {
class App;
}

namespace leitong::cli {

struct ModelFlags {
  std::string model, idf, stop_words;
  std::vector<std::string> user;
};

/// --user-dict, --idf and --stop-words, and --model unless the command makes models itself.
void add_model_flags(CLI::App& app, ModelFlags& flags, bool with_model);

/// --user-dict, --idf and --stop-words of commands whose methods may look at words.
void add_dictionary_flags(CLI::App& app, ModelFlags& flags, const char* user_names = "--user-dict");
/// The files of a choice.
void append_dictionary_files(const Dictionaries& choice, std::vector<std::string>& files);

/// --all-scripts: words of scripts that jieba doesn't know by their own rules (text/script_mix.hpp).
void add_all_scripts(CLI::App& app, bool& all_scripts);

[[nodiscard]] Dictionaries to_dictionaries(const ModelFlags& flags);
[[nodiscard]] ModelChoice to_choice(const ModelFlags& flags);

}  // namespace leitong::cli
