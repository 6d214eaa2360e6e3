#include <fmt/core.h>

#include <atomic>

#include "base/try.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "terminal.hpp"
#include "text/normalise.hpp"
#include "text/phrase_simplifier.hpp"
#include "text_lines.hpp"

namespace leitong::cli {
namespace {

struct NormaliseFlags {
  LineJob job;
  std::string punctuation = "keep", simplify = "no";
  bool keep_case = false, keep_invisible = false, keep_space = false;
  unsigned threads = 1;
};

NormaliseOptions options_of(const NormaliseFlags& flags) {
  return {.fold_case = !flags.keep_case,
          .drop_invisible = !flags.keep_invisible,
          .run_space_together = !flags.keep_space,
          .punctuation = flags.punctuation == "fold"    ? Punctuation::fold
                         : flags.punctuation == "space" ? Punctuation::space
                                                        : Punctuation::keep,
          .simplify = flags.simplify == "characters"};
}

/// The limits that were met, over all threads.
struct Cuts {
  std::atomic<std::uint64_t> grown = 0, marks = 0;

  void report() const {
    if (grown > 0)
      print_warning(fmt::format("{} beyond {} times the length and {} bytes; what came after is left out",
                                human_counted(grown, "line grew", "lines grew"), kNormalGrowth,
                                kNormalSlack));
    if (marks > 0)
      print_warning(
          fmt::format("{} more than {} bytes of combining marks in a row; these were put in "
                      "order in parts",
                      human_counted(marks, "line has", "lines have"), kLongestMarkRun));
  }
};

/// The state of one thread.
class LineNormaliser {
 public:
  LineNormaliser(const Normaliser& normaliser, std::unique_ptr<const PhraseSimplifier> phrases, Cuts& cuts)
      : normaliser_(normaliser), phrases_(std::move(phrases)), cuts_(cuts) {}

  void add(std::string_view line, std::string& out) {
    // OpenCC ends texts at a NUL.
    if (phrases_ && line.find('\0') == std::string_view::npos)
      if (Result<std::string> simplified = (*phrases_)(line)) line = simplified_ = std::move(*simplified);
    const NormaliseResult result = normaliser_(line, normal_);
    cuts_.grown += result.read < line.size();
    cuts_.marks += result.cut_marks > 0;
    out.append(normal_.data(), normal_.size());
    out += '\n';
  }

 private:
  const Normaliser& normaliser_;
  std::unique_ptr<const PhraseSimplifier> phrases_;
  Cuts& cuts_;
  PodVector<char> normal_;
  std::string simplified_;
};

Result<void> normalise(NormaliseFlags& flags) {
  flags.job.threads = flags.threads;
  const Normaliser normaliser(options_of(flags));
  const bool by_phrases = flags.simplify == "phrases";
  if (by_phrases) LEITONG_TRY(PhraseSimplifier::open());
  Cuts cuts;
  Result<void> done = run_lines(flags.job, [&]() -> LineWork {
    std::unique_ptr<const PhraseSimplifier> phrases;
    if (by_phrases)
      if (Result<PhraseSimplifier> opened = PhraseSimplifier::open())
        phrases = std::make_unique<const PhraseSimplifier>(std::move(*opened));
    auto work = std::make_shared<LineNormaliser>(normaliser, std::move(phrases), cuts);
    return line_by_line([work](std::string_view line, std::string& out) { work->add(line, out); });
  });
  cuts.report();
  return done;
}

}  // namespace

Run add_normalise(CLI::App& app) {
  auto flags = std::make_shared<NormaliseFlags>();
  add_arguments(app, "INPUT", flags->job.inputs, "text files, also compressed (standard input)");
  add_switch(app, "--keep-case", flags->keep_case, "keep upper and lower case apart");
  add_switch(app, "--keep-invisible", flags->keep_invisible,
             "keep control characters and other invisible characters");
  add_switch(app, "--keep-space", flags->keep_space,
             "keep white space as it is, instead of writing one space for several");
  add_text(app, "--punctuation", flags->punctuation, "keep|fold|space",
           "keep: leave it as it is; fold: write the nearest ASCII character; space: treat punctuation and "
           "symbols as white space (keep)");
  add_text(app, "--simplify", flags->simplify, "no|characters|phrases",
           "turn traditional Chinese into simplified: not at all, character by character, or by the "
           "phrases of OpenCC where it is installed (no)");
  add_line_flags(app, flags->threads, flags->job.encoding, flags->job.strict);
  add_examples(app,
               "Each line of input gives one line of output: NFKC, upper case made lower case,\n"
               "invisible characters removed, and one space for several. With --keep-case,\n"
               "--keep-invisible and --keep-space the result is NFKC alone.\n"
               "\n"
               "Examples:\n"
               "  leitong normalise titles.txt.gz > titles.normal.txt\n"
               "  leitong normalise --simplify characters --punctuation space < posts.txt | sort | uniq -c");
  return [flags] { return normalise(*flags); };
}

}  // namespace leitong::cli
