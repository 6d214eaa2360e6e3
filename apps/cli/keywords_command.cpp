#include <fmt/core.h>

#include <memory>

#include "base/try.hpp"
#include "commands.hpp"
#include "feature/keywords.hpp"
#include "flags.hpp"
#include "leitong/json.hpp"
#include "named_files.hpp"
#include "terminal.hpp"
#include "text/segment/model_store.hpp"
#include "text_lines.hpp"

namespace leitong::cli {
namespace {

struct KeywordsFlags {
  LineJob job;
  Dictionaries model;
  std::string phrases;
  unsigned count = 20, threads = 1;
  bool weights = false, json = false, whole = false, all_scripts = false;
};

void write_list(const std::vector<Keyword>& keywords, const KeywordsFlags& flags, std::string& out) {
  bool first = true;
  if (flags.json) out += "{\"keywords\":[";
  for (const Keyword& keyword : keywords) {
    if (!first) out += flags.json ? ',' : ' ';
    first = false;
    if (flags.json) {
      out += "{\"word\":";
      append_json_string(keyword.word, out);
      fmt::format_to(std::back_inserter(out), ",\"weight\":{}}}", keyword.weight);
    } else {
      out += keyword.word;
      if (flags.weights) fmt::format_to(std::back_inserter(out), ":{}", keyword.weight);
    }
  }
  out += flags.json ? "]}\n" : "\n";
}

struct Worker {
  KeywordScratch scratch;
  std::vector<Keyword> keywords;

  void text(std::string_view text, const KeywordExtractor& extractor, const KeywordsFlags& flags,
            std::string& out) {
    extractor.extract(text, flags.count, scratch, keywords);
    write_list(keywords, flags, out);
  }
};

Result<void> keywords_of_files(const KeywordsFlags& flags, const KeywordExtractor& extractor) {
  std::vector<std::string> inputs = flags.job.inputs;
  LEITONG_TRY(resolve_inputs(inputs));
  LEITONG_TRY(check_standard_input(inputs));
  Worker worker;
  for (const std::string& path : inputs) {
    LEITONG_ASSIGN(const std::string text, read_whole_text(path, flags.job));
    std::string out;
    worker.text(text, extractor, flags, out);
    LEITONG_TRY(print_data(out));
  }
  return {};
}

Result<void> keywords(KeywordsFlags& flags) {
  flags.job.threads = flags.threads;
  LEITONG_ASSIGN(auto model, open_segment_model({flags.model}));
  const Scripts scripts = flags.all_scripts ? Scripts::all : Scripts::jieba;
  LEITONG_ASSIGN(KeywordExtractor extractor, KeywordExtractor::open(std::move(model), scripts));
  if (!flags.phrases.empty()) {
    LEITONG_ASSIGN(Phrases phrases, Phrases::read(flags.phrases));
    extractor.use(std::make_shared<const Phrases>(std::move(phrases)));
  }
  if (flags.whole) return keywords_of_files(flags, extractor);
  return run_lines(flags.job, [&]() -> LineWork {
    return line_by_line(
        [&flags, &extractor, worker = std::make_shared<Worker>()](std::string_view line, std::string& out) {
          worker->text(line, extractor, flags, out);
        });
  });
}

}  // namespace

Run add_keywords(CLI::App& app) {
  auto flags = std::make_shared<KeywordsFlags>();
  add_arguments(app, "INPUT", flags->job.inputs, "text files, also compressed (standard input)");
  add_number(app, "-n,--count", flags->count, "N", 0, 1'000'000'000,
             "the number of keywords of each text, the heaviest first (20)");
  add_all_scripts(app, flags->all_scripts);
  add_switch(app, "--whole", flags->whole, "take each input as one text, instead of each line");
  add_switch(app, "--weights", flags->weights, "add each word's weight: word:weight");
  add_switch(app, "--json", flags->json,
             "one JSON object a text: {\"keywords\":[{\"word\":..,\"weight\":..},..]}");
  add_line_flags(app, flags->threads, flags->job.encoding, flags->job.strict);
  add_settings(app, flags->model);
  add_phrases(app, flags->phrases);
  add_examples(app,
               "The weight of a word is the number of its occurrences times its inverse document\n"
               "frequency. Words, weights and order are those of cppjieba's KeywordExtractor:\n"
               "words of one character and stop words are left out.\n"
               "\n"
               "Examples:\n"
               "  leitong keywords --whole article.txt\n"
               "  leitong keywords -n 5 --weights titles.txt\n"
               "  leitong keywords --idf news.idf --stop-words mine.txt --json < articles.txt");
  return [flags] { return keywords(*flags); };
}

}  // namespace leitong::cli
