#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/try.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "leitong/json.hpp"
#include "segment_features.hpp"
#include "text/phrases.hpp"
#include "text/script_mix.hpp"
#include "text/segment/model_store.hpp"
#include "text_lines.hpp"

namespace leitong::cli {
namespace {

struct SegmentFlags {
  LineJob job;
  Dictionaries model;
  std::string mode = "mix", separator = " ", phrases;
  std::vector<std::string> params;
  bool hmm = true, tags = false, json = false, all_scripts = false, features = false;
  unsigned threads = 1;
};

/// Writes the words of whole lines in order.
class Writer {
 public:
  Writer(const SegmentFlags& flags, const JiebaCutter& cutter, const Phrases& phrases, std::string& out)
      : flags_(flags), cutter_(cutter), phrases_(phrases), out_(out) {}

  void word(std::string_view word) {
    if (word == "\n") {
      flags_.json ? end_json() : out_.push_back('\n');
      first_ = true;
    } else if (flags_.json) {
      json_word(word);
    } else if (word != " " && word != "\t") {
      if (!first_) out_ += flags_.separator;
      first_ = false;
      out_ += word;
      if (flags_.tags) out_.append("/").append(tag(word));
    }
  }

 private:
  [[nodiscard]] std::string_view tag(std::string_view word) const {
    const std::string_view given = phrases_.tag(word);
    return given.empty() ? cutter_.tag(word) : given;
  }
  void json_word(std::string_view word) {
    out_ += first_ ? "{\"words\":[" : ",";
    append_json_string(word, out_);
    if (flags_.tags) {
      if (!first_) json_tags_ += ',';
      append_json_string(tag(word), json_tags_);
    }
    first_ = false;
  }
  void end_json() {
    if (first_) out_ += "{\"words\":[";
    out_ += ']';
    if (flags_.tags) out_.append(",\"tags\":[").append(json_tags_).append("]");
    out_ += "}\n";
    json_tags_.clear();
  }

  const SegmentFlags& flags_;
  const JiebaCutter& cutter_;
  const Phrases& phrases_;
  std::string& out_;
  bool first_ = true;  // in its line
  std::string json_tags_;
};

/// Plain words in the mode mix, without a call for each: most runs spend most of their time here.
void write_plain(std::string_view lines, const PodVector<std::uint32_t>& starts, std::string_view separator,
                 std::string& out) {
  // Words and separators of at most 16 bytes are copied as 16 bytes; the next one overwrites the excess.
  constexpr std::size_t kCopied = 16;
  std::array<char, kCopied> short_separator{};
  if (separator.size() <= kCopied) std::copy(separator.begin(), separator.end(), short_separator.begin());
  const std::size_t begin = out.size();
  out.resize(begin + lines.size() + starts.size() * separator.size() + kCopied);
  char* to = out.data() + begin;
  const char* const end = lines.data() + lines.size();
  bool first = true;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const char* const word = lines.data() + starts[i];
    const std::size_t size = (i + 1 < starts.size() ? starts[i + 1] : lines.size()) - starts[i];
    if (*word == '\n') {
      *to++ = '\n';
      first = true;
      continue;
    }
    if (size == 1 && (*word == ' ' || *word == '\t')) continue;
    if (separator.size() <= kCopied)
      std::memcpy(to, short_separator.data(), kCopied);
    else if (!first)
      std::memcpy(to, separator.data(), separator.size());
    to += first ? 0 : separator.size();
    first = false;
    if (size <= kCopied && static_cast<std::size_t>(end - word) >= kCopied)
      std::memcpy(to, word, kCopied);
    else
      std::memcpy(to, word, size);
    to += size;
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

LineWork make_work(const SegmentFlags& flags, const JiebaCutter& cutter, const Phrases& phrases) {
  auto scratch = std::make_shared<CutScratch>();
  auto starts = std::make_shared<PodVector<std::uint32_t>>();
  if (flags.mode == "mix") {
    return [&flags, &cutter, &phrases, scratch, starts](std::string_view lines, std::string& out) {
      starts->clear();
      cut_scripts(cutter, flags.all_scripts ? Scripts::all : Scripts::jieba, lines, flags.hmm, *scratch,
                  *starts);
      if (!phrases.empty()) phrases.join(lines, *starts);
      if (!flags.json && !flags.tags) return write_plain(lines, *starts, flags.separator, out);
      starts->push_back(static_cast<std::uint32_t>(lines.size()));
      Writer writer(flags, cutter, phrases, out);
      for (std::size_t i = 0; i + 1 < starts->size(); ++i)
        writer.word(lines.substr((*starts)[i], (*starts)[i + 1] - (*starts)[i]));
    };
  }
  auto tokens = std::make_shared<PodVector<Token>>();
  return [&flags, &cutter, &phrases, scratch, tokens](std::string_view lines, std::string& out) {
    tokens->clear();
    if (flags.mode == "full")
      cutter.cut_full(lines, *scratch, *tokens);
    else
      cutter.cut_for_search(lines, flags.hmm, *scratch, *tokens);
    Writer writer(flags, cutter, phrases, out);
    for (const Token& token : *tokens) writer.word(lines.substr(token.begin, token.end - token.begin));
  };
}

Result<void> segment(SegmentFlags& flags) {
  flags.job.threads = flags.threads;
  if (flags.all_scripts && flags.mode != "mix")
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("--all-scripts finds one way through a text and --mode {} lists several; use --mode mix",
                    flags.mode));
  if (!flags.phrases.empty() && (flags.mode != "mix" || flags.features))
    return fail(ErrorCode::invalid_argument, "--phrases goes with --mode mix, and not with --features");
  Phrases phrases;
  if (!flags.phrases.empty()) {
    LEITONG_ASSIGN(phrases, Phrases::read(flags.phrases));
  }
  if (!flags.params.empty() && !flags.features)
    return fail(ErrorCode::invalid_argument, "--param is one of simhash's and goes with --features");
  if (flags.features) {
    if (flags.mode != "mix" || !flags.hmm || flags.tags)
      return fail(ErrorCode::invalid_argument,
                  "--features shows words as the methods cut them, so --mode, --no-hmm and --tags have no "
                  "place beside it");
    return segment_features(flags.job, {flags.params, flags.separator, flags.json}, {flags.model});
  }
  LEITONG_ASSIGN(auto model, open_segment_model({flags.model}));
  if (flags.tags) LEITONG_TRY(model->verify());
  const JiebaCutter cutter(std::move(model));
  return run_lines(flags.job, [&] { return make_work(flags, cutter, phrases); });
}

}  // namespace

Run add_segment(CLI::App& app) {
  auto flags = std::make_shared<SegmentFlags>();
  add_arguments(app, "INPUT", flags->job.inputs, "text files, also compressed (standard input)");
  add_text(app, "--mode", flags->mode, "mix|full|search",
           "mix: the likeliest words; full: all words, also those that overlap; search: the likeliest "
           "words and the shorter ones inside them (mix)");
  add_switch(app, "--hmm,!--no-hmm", flags->hmm,
             "join unknown characters into words by the hidden Markov model (on)");
  add_all_scripts(app, flags->all_scripts);
  add_any_text(app, "--separator", flags->separator, "STR", "what is written between words (a space)");
  add_switch(app, "--tags", flags->tags, "add each word's part of speech: word/tag");
  add_switch(app, "--features", flags->features,
             "show the words as the method simhash signs them: word:weight:hash, the heaviest first (scripts "
             "are cut as with --all-scripts)");
  add_list(app, "--param", flags->params, "NAME=VALUE",
           "with --features: a parameter of simhash; leitong methods lists them. May be repeated");
  add_switch(app, "--json", flags->json,
             "one JSON object a line: {\"words\":[..]}; with --tags also \"tags\":[..], with --features also "
             "\"features\":[{\"word\":..,\"weight\":..,\"hash\":..},..]");
  add_line_flags(app, flags->threads, flags->job.encoding, flags->job.strict);
  add_settings(app, flags->model);
  add_phrases(app, flags->phrases);
  add_examples(app,
               "Each line of input gives one line of output. The words are those of cppjieba\n"
               "with the same dictionaries. Spaces and tabs of the input are left out, since the\n"
               "separator takes their place; with --json they are words.\n"
               "\n"
               "Examples:\n"
               "  leitong segment < article.txt\n"
               "  leitong segment --mode search --separator / titles.txt.gz\n"
               "  leitong segment --phrases terms.txt --json < article.txt\n"
               "  leitong segment --user-dict names.txt --tags --json articles.txt > words.jsonl\n"
               "  leitong segment --features --json --param top=5 titles.txt");
  return [flags] { return segment(*flags); };
}

}  // namespace leitong::cli
