#include <fmt/format.h>

#include <optional>

#include "base/utf8.hpp"
#include "commands.hpp"
#include "corpus/output_file.hpp"
#include "corpus/record_fields.hpp"
#include "flags.hpp"
#include "human.hpp"
#include "terminal.hpp"
#include "text/normalise.hpp"
#include "text/phrase_simplifier.hpp"
#include "text_lines.hpp"

namespace leitong::cli {
namespace {

constexpr std::size_t kLongestLine = std::size_t{768} << 20;
constexpr std::size_t kWriteBytes = std::size_t{1} << 18;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct NormaliseFlags {
  std::vector<std::string> files;
  std::string output = "-", punctuation = "keep", simplify = "no";
  bool keep_case = false, keep_invisible = false, keep_space = false, force = false;
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

/// Bytes that are no UTF-8 as U+FFFD.
std::string repaired(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    const DecodedPoint point = decode_utf8(line, at);
    text += point.valid ? line.substr(at, point.length) : kReplacement;
    at += point.length;
  }
  return text;
}

/// What happened to some lines, and to which first.
struct Oddity {
  std::uint64_t lines = 0;
  std::string first;
  void note(const std::string& file, std::size_t number) {
    if (lines++ == 0) first = fmt::format("{}:{}", file, number);
  }
  void report(std::string_view what) const {
    if (lines > 0)
      print_warning(fmt::format("{} lines {} (the first is {})", human_count(lines), what, first));
  }
};

Result<void> normalise(const NormaliseFlags& flags) {
  const Normaliser normaliser(options_of(flags));
  std::optional<PhraseSimplifier> phrases;
  if (flags.simplify == "phrases") {
    LEITONG_ASSIGN(phrases, PhraseSimplifier::open());
  }
  LEITONG_ASSIGN(const std::unique_ptr<OutputFile> output, OutputFile::create(flags.output, flags.force));
  Oddity broken, capped, cut;
  PodVector<char> normal;
  std::string pending, storage;
  const auto take = [&](const std::string& file, std::string_view line, std::size_t number) -> Result<void> {
    if (find_invalid_utf8(line) != std::string_view::npos) {
      broken.note(file, number);
      line = storage = repaired(line);
    }
    if (phrases && line.find('\0') == std::string_view::npos) {
      LEITONG_ASSIGN(storage, (*phrases)(line));
      line = storage;
    }
    const NormaliseResult result = normaliser(line, normal);
    if (result.read < line.size()) capped.note(file, number);
    if (result.cut_marks > 0) cut.note(file, number);
    pending.append(normal.data(), normal.size());
    pending += '\n';
    if (pending.size() < kWriteBytes) return {};
    LEITONG_TRY(output->write(pending));
    pending.clear();
    return {};
  };
  const std::vector<std::string> files = flags.files.empty() ? std::vector<std::string>{"-"} : flags.files;
  for (const std::string& file : files) {
    const Result<void> read =
        for_each_line(file, kLongestLine,
                      [&](std::string_view line, std::size_t number) { return take(file, line, number); });
    if (!read) return read;
  }
  LEITONG_TRY(output->write(pending));
  LEITONG_TRY(output->commit());
  broken.report("were not UTF-8; U+FFFD stands for each broken sequence");
  capped.report(fmt::format("grew beyond {} times their length and were cut off", kNormalGrowth));
  cut.report(
      fmt::format("had more than {} bytes of combining marks in a row, ordered in parts", kLongestMarkRun));
  return {};
}

}  // namespace

Run add_normalise(CLI::App& app) {
  auto flags = std::make_shared<NormaliseFlags>();
  add_arguments(app, "FILES", flags->files, false,
                "text files, also compressed; \"-\", or none, is standard input");
  add_switch(app, "--keep-case", flags->keep_case, "don't fold case");
  add_switch(app, "--keep-invisible", flags->keep_invisible,
             "keep control characters, zero-width and other invisible ones");
  add_switch(app, "--keep-space", flags->keep_space, "don't run white space together");
  add_choice(app, "--punctuation", flags->punctuation, {"keep", "fold", "space"},
             "keep it, fold it to the nearest ASCII, or take it and symbols for white space (keep)");
  add_choice(app, "--simplify", flags->simplify, {"no", "characters", "phrases"},
             "traditional Chinese to simplified: character by character, or by OpenCC's phrases where it is "
             "installed (no)");
  add_text(app, "-o,--output", flags->output, "FILE", "the lines in normal form (standard output)");
  add_switch(app, "--force", flags->force, "replace an output that exists");
  app.footer(
      "One line in, one line out: NFKC, case folded, invisible characters dropped,\n"
      "white space run together. With all of it kept the result is NFKC.\n"
      "\n"
      "Examples:\n"
      "  leitong normalise titles.txt -o titles.normal.txt\n"
      "  leitong normalise --simplify characters --punctuation space < posts.txt | sort | uniq -c");
  return [flags] { return normalise(*flags); };
}

}  // namespace leitong::cli
