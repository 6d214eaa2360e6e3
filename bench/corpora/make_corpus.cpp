// Writes a corpus of any size with known near-duplicates: JSONL documents, and the truth beside them.
//
//   make_corpus PLAN -o OUT.jsonl [--truth OUT.tsv] [--documents N] [--median CHARACTERS] [--seed S]
//   [--phrase-growth B] [--train TEXT]
//
// Documents are {"id":"d0","text":".."}, numbered in order. The truth is TSV with a header, one row a planted
// copy: copy, source, kind, rate. Sources are always originals, so a source and its copies are one cluster.
// The same options give the same bytes. Training text: one UTF-8 document a line; without it the text is made
// of made-up words.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corpora/dialects.hpp"
#include "corpora/markov_text.hpp"
#include "corpora/plan.hpp"

namespace leitong::bench {
namespace {

constexpr double kCopiedRun = 5;          // gives the chance overlap of news texts (bench/README.md)
constexpr double kSharedSentences = .03;  // of all sentences
constexpr double kSitePages = .30;        // of texts above kSiteMinimum
constexpr double kSiteMinimum = 150;      // characters
constexpr double kPagesOfASite = 200;
constexpr std::uint32_t kFamilies = 100;
constexpr std::size_t kMadeUpCharacters = 12'000'000;
// Up to so many characters the phrases of the chain recur as often as those of the text from which it learnt.
// Above that it begins to repeat itself (bench/README.md has the curve), so a growing corpus uses further
// dialects.
constexpr double kOwnPhrases = 3e6;
const double kMeanOfMedian = std::exp(.5);  // of lengths that are lognormal with sigma 1

class Generator {
 public:
  Generator(const MarkovText& model, const Dialects& dialects, const Plan& plan, std::uint64_t seed)
      : model_(model), dialects_(dialects), plan_(plan), seed_(seed) {}

  /// The text of original `number`, always the same.
  void original(std::uint64_t number, Text& text) const {
    Random random(seed_ * 1'000'003 + number * 7'919 + 11);
    text.clear();
    const double length = std::clamp(plan_.median * std::exp(random.normal()), 20.0, 20'000.0);
    const bool on_site = random.uniform() < kSitePages && length > kSiteMinimum;
    const auto sites = std::max<std::uint32_t>(
        2, static_cast<std::uint32_t>(static_cast<double>(plan_.documents) / kPagesOfASite));
    const std::uint32_t site = on_site ? random.zipf(sites) : 0;
    if (on_site) site_lines(seed_ * 77 + site, site, text);
    fill(random, static_cast<std::size_t>(length), number, text);
    if (on_site) site_lines(seed_ * 79 + site, site, text);
  }

  void fill(Random& random, std::size_t length, std::uint64_t number, Text& text) const {
    while (text.size() < length) {
      if (random.uniform() < kSharedSentences) {
        model_.shared_sentence(random, text);
      } else {
        sentence(random, number, text);
      }
    }
  }

  /// Turns a source's text into the copy that is document `number`; returns the rate that was used.
  double copy(Kind kind, Random& random, std::uint64_t number, Text& text) const {
    constexpr double kLight[] = {.01, .02, .03, .05}, kHeavy[] = {.06, .08, .10}, kMoved[] = {.1, .2, .4};
    double rate = 0;
    switch (kind) {
      case Kind::light:
        edit(random, rate = kLight[random.below(4)], text);
        break;
      case Kind::heavy:
        edit(random, rate = kHeavy[random.below(3)], text);
        break;
      case Kind::moved:
        move_sentences(random, rate = kMoved[random.below(3)], number, text);
        break;
      case Kind::contained:
        rate = random.uniform() < .5 ? excerpt(random, text) : embed(random, number, text);
        break;
      case Kind::family:
        edit(random, rate = .02, text);
        break;
      case Kind::original:
      case Kind::exact:
        break;
    }
    return rate;
  }

  void edit(Random& random, double rate, Text& text) const {
    Text edited;
    edited.reserve(text.size() + text.size() / 8);
    for (const std::uint32_t c : text) {
      if (random.uniform() >= rate) {
        edited.push_back(c);
        continue;
      }
      const double what = random.uniform();  // half are replacements, a quarter insertions, a quarter losses
      if (what < .75) edited.push_back(model_.character(random));
      if (what >= .5 && what < .75) edited.push_back(c);
    }
    text.swap(edited);
  }

 private:
  // Appends a sentence of document `number`, in one of the dialects of a corpus of so many documents.
  // Dialects that came early are used most by its end, so some phrases are common and most are rare.
  void sentence(Random& random, std::uint64_t number, Text& text) const {
    const std::size_t begin = text.size();
    model_.sentence(random, text);
    const double characters = static_cast<double>(number) * plan_.median * kMeanOfMedian;
    if (plan_.phrase_growth == 0 || characters <= kOwnPhrases) return;
    const double dialects = std::pow(characters / kOwnPhrases, plan_.phrase_growth);
    dialects_.translate(static_cast<std::uint32_t>(random.uniform() * dialects),
                        std::span(text).subspan(begin));
  }

  void site_lines(std::uint64_t seed, std::uint32_t site, Text& text) const {
    Random random(seed);
    const auto founded = static_cast<std::uint64_t>(kPagesOfASite * site);
    for (std::uint32_t left = 1 + random.below(2); left > 0; --left) sentence(random, founded, text);
  }

  void move_sentences(Random& random, double rate, std::uint64_t number, Text& text) const {
    std::vector<Text> sentences(1);
    for (const std::uint32_t c : text) {
      sentences.back().push_back(c);
      if (c == kFullStop) sentences.emplace_back();
    }
    Text moved;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const double what = random.uniform();
      if (what < rate * .4) continue;
      if (what < rate * .7) {
        sentence(random, number, moved);
      } else if (what < rate && i + 1 < sentences.size()) {
        std::swap(sentences[i], sentences[i + 1]);
      }
      moved.insert(moved.end(), sentences[i].begin(), sentences[i].end());
    }
    text.swap(moved);
  }

  double excerpt(Random& random, Text& text) const {
    const double share = .3 + .5 * random.uniform();
    const auto length = static_cast<std::size_t>(static_cast<double>(text.size()) * share);
    const auto begin = random.below(static_cast<std::uint32_t>(text.size() - length + 1));
    text = Text(text.begin() + begin, text.begin() + begin + static_cast<std::ptrdiff_t>(length));
    return share;
  }

  double embed(Random& random, std::uint64_t number, Text& text) const {
    const double around = 1 + 2 * random.uniform();
    const auto side = static_cast<std::size_t>(static_cast<double>(text.size()) * around / 2);
    Text whole;
    while (whole.size() < side) sentence(random, number, whole);
    whole.insert(whole.end(), text.begin(), text.end());
    for (const std::size_t end = whole.size() + side; whole.size() < end;) sentence(random, number, whole);
    text.swap(whole);
    return 1 + around;
  }

  const MarkovText& model_;
  const Dialects& dialects_;
  const Plan& plan_;
  std::uint64_t seed_;
};

class Writer {
 public:
  Writer(const std::string& documents, const std::string& truth)
      : documents_(std::fopen(documents.c_str(), "wb")),
        truth_(truth.empty() ? nullptr : std::fopen(truth.c_str(), "wb")) {
    if (truth_) std::fputs("copy\tsource\tkind\trate\n", truth_.get());
  }
  [[nodiscard]] bool usable() const { return documents_ != nullptr; }

  void document(const Text& text) {
    line_ = "{\"id\":\"d" + std::to_string(count_++) + "\",\"text\":\"";
    const std::size_t begin = line_.size();
    append_utf8(text, line_);
    text_bytes_ += line_.size() - begin;
    line_ += "\"}\n";
    failed_ |= std::fwrite(line_.data(), 1, line_.size(), documents_.get()) != line_.size();
  }
  void document_copy(const Text& text, std::uint64_t source, Kind kind, double rate) {
    if (truth_) {
      std::fprintf(truth_.get(), "d%llu\td%llu\t%s\t%.3f\n", static_cast<unsigned long long>(count_),
                   static_cast<unsigned long long>(source), kKindNames[static_cast<std::size_t>(kind)].data(),
                   rate);
    }
    document(text);
  }
  /// Returns false if the disk refused a write.
  bool finish() {
    failed_ |= std::fflush(documents_.get()) != 0 || (truth_ && std::fflush(truth_.get()) != 0);
    std::fprintf(stderr, "%llu documents, %.1f MB of text\n", static_cast<unsigned long long>(count_),
                 static_cast<double>(text_bytes_) / 1e6);
    return !failed_;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> documents_, truth_;
  std::string line_;
  std::uint64_t count_ = 0, text_bytes_ = 0;
  bool failed_ = false;
};

// Chooses the sources of copies. Families have their own sources; every other source has one copy, since two
// independently edited copies of one text may be less similar than any rule requires, and then the truth
// would be a matter of opinion.
class Sources {
 public:
  explicit Sources(std::uint64_t warm_up)
      : families_(std::clamp<std::uint32_t>(static_cast<std::uint32_t>(warm_up / 10), 1, kFamilies)) {}

  void add(std::uint64_t original) {
    originals_.push_back(original);
    used_.push_back(false);
  }
  std::uint64_t family(Random& random) const { return originals_[random.zipf(families_)]; }
  /// An original that has no copy yet, or nothing if a few random ones all have one.
  std::optional<std::uint64_t> single(Random& random) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const std::uint32_t which = random.below(static_cast<std::uint32_t>(originals_.size()));
      if (which < families_ || used_[which]) continue;
      used_[which] = true;
      return originals_[which];
    }
    return std::nullopt;
  }

 private:
  std::uint32_t families_;
  std::vector<std::uint64_t> originals_;
  std::vector<bool> used_;
};

void write_mixed(const Generator& generator, const Plan& plan, std::uint64_t seed, Writer& writer) {
  Random choice(seed * 31'337);
  const std::uint64_t warm_up = std::min<std::uint64_t>(1'000, plan.documents / 10 + 1);
  Sources sources(warm_up);
  Text text;
  for (std::uint64_t number = 0; number < plan.documents; ++number) {
    Random random(seed * 5 + number * 104'729);
    double percent = choice.uniform() * 100;
    std::size_t kind = 1;
    while (kind < plan.planted.size() && percent >= plan.planted[kind]) percent -= plan.planted[kind++];
    std::optional<std::uint64_t> source;
    if (number >= warm_up && kind < plan.planted.size()) {
      source = static_cast<Kind>(kind) == Kind::family ? sources.family(choice) : sources.single(choice);
    }
    if (!source) {
      generator.original(number, text);
      writer.document(text);
      sources.add(number);
      continue;
    }
    generator.original(*source, text);
    const double rate = generator.copy(static_cast<Kind>(kind), random, number, text);
    writer.document_copy(text, *source, static_cast<Kind>(kind), rate);
  }
}

void write_identical(const Generator& generator, const Plan& plan, std::uint64_t seed, Writer& writer) {
  Text text;
  Random random(seed);
  generator.fill(random, plan.median, 0, text);
  writer.document(text);
  for (std::uint64_t number = 1; number < plan.documents; ++number)
    writer.document_copy(text, 0, Kind::exact, 0);
}

void write_templated(const Generator& generator, const Plan& plan, std::uint64_t seed, Writer& writer) {
  const auto half = static_cast<std::size_t>(plan.median * .3);
  Text head, foot, text;
  Random common(seed);
  generator.fill(common, half, 0, head);
  generator.fill(common, half, 0, foot);
  head.resize(half);
  foot.resize(half);
  for (std::uint64_t number = 0; number < plan.documents; ++number) {
    Random random(seed * 5 + number * 104'729);
    text = head;
    generator.fill(random, plan.median - half, number, text);
    text.resize(plan.median - half);
    text.insert(text.end(), foot.begin(), foot.end());
    writer.document(text);
  }
}

void write_edited(const Generator& generator, const Plan& plan, std::uint64_t seed, Writer& writer) {
  Text source, text;
  Random common(seed);
  generator.fill(common, plan.median, 0, source);
  writer.document(source);
  for (std::uint64_t number = 1; number < plan.documents; ++number) {
    Random random(seed * 5 + number * 104'729);
    const double rate = .02 + .03 * random.uniform();
    generator.edit(random, rate, text = source);
    writer.document_copy(text, 0, Kind::family, rate);
  }
}

std::size_t utf8_bytes(const Text& text) {
  std::size_t bytes = 0;
  for (const std::uint32_t c : text) bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  return bytes;
}

void write_giant(const Generator& generator, const Plan& plan, std::uint64_t seed, Writer& writer) {
  Text text;
  for (std::uint64_t number = 0; number < plan.documents; ++number) {
    if (number == plan.documents / 2) {
      Random random(seed);
      text.clear();
      for (std::size_t bytes = 0; bytes < plan.giant_bytes; bytes = utf8_bytes(text))
        generator.fill(random, text.size() + (plan.giant_bytes - bytes) / 3 + 1, number, text);
    } else {
      generator.original(number, text);
    }
    writer.document(text);
  }
}

Text training_text(const std::string& path, std::uint64_t seed) {
  if (path.empty()) return made_up_text(kMadeUpCharacters, seed);
  std::ifstream file(path, std::ios::binary);
  return decode_for_model(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace
}  // namespace leitong::bench

int main(int argc, char** argv) {
  using namespace leitong::bench;
  CLI::App app("Writes a corpus with known near-duplicates.");
  std::string name, output, truth, training;
  std::uint64_t documents = 0, seed = 1, giant_bytes = 0;
  std::uint32_t median = 0;
  std::optional<double> phrase_growth;
  std::string names;
  for (const Plan& plan : plans())
    names += "\n  " + std::string(plan.name) + ": " + std::string(plan.summary);
  app.add_option("plan", name, "One of:" + names)->required();
  app.add_option("-o,--output", output, "JSONL to write")->required();
  app.add_option("--truth", truth, "TSV of planted copies to write");
  app.add_option("--documents", documents, "Number of documents, instead of the plan's");
  app.add_option("--median", median, "Median characters of a text, instead of the plan's");
  app.add_option("--giant-bytes", giant_bytes, "Size of the plan's giant, instead of the plan's");
  app.add_option("--phrase-growth", phrase_growth,
                 "Exponent of the source of phrases, instead of the plan's");
  app.add_option("--seed", seed, "Another corpus of the same kind");
  app.add_option("--train", training, "UTF-8 text to learn from, one document a line")
      ->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);

  auto plan = find_plan(name);
  if (!plan) {
    std::fprintf(stderr, "make_corpus: no plan \"%s\"; there are:%s\n", name.c_str(), names.c_str());
    return 2;
  }
  if (documents) plan->documents = documents;
  if (median) plan->median = median;
  if (phrase_growth) plan->phrase_growth = *phrase_growth;
  if (giant_bytes) plan->giant_bytes = giant_bytes;

  const Text text = training_text(training, seed);
  const MarkovText model(text, kCopiedRun);
  const Dialects dialects(text);
  const Generator generator(model, dialects, *plan, seed);
  Writer writer(output, truth);
  if (!writer.usable()) {
    std::fprintf(stderr, "make_corpus: cannot write %s\n", output.c_str());
    return 1;
  }
  switch (plan->shape) {
    case Shape::mixed:
      write_mixed(generator, *plan, seed, writer);
      break;
    case Shape::identical:
      write_identical(generator, *plan, seed, writer);
      break;
    case Shape::templated:
      write_templated(generator, *plan, seed, writer);
      break;
    case Shape::edited:
      write_edited(generator, *plan, seed, writer);
      break;
    case Shape::giant:
      write_giant(generator, *plan, seed, writer);
      break;
  }
  if (!writer.finish()) {
    std::fprintf(stderr, "make_corpus: %s was not written whole (disk full?)\n", output.c_str());
    return 1;
  }
  return 0;
}
