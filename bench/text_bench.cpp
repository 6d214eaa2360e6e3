// Everything between a record and its features, beside other libraries in one run: segmentation and text to
// SimHash beside cppjieba, normal forms and words beside ICU, utf8proc and OpenCC, records beside bare
// simdjson. `./dev bench text` runs it.
//
//   text_bench TEXTS.jsonl [--repeats N]  ->  JSON on stdout
//
// Texts go in batches of 150 KB, all contenders by turns on each; a batch counts with its quickest repeat.
// What can be compared for equality is, first.
#include <fmt/core.h>
#include <simdjson.h>
#include <unicode/brkiter.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/utext.h>
#include <utf8proc.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cppjieba/Jieba.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "feature/rolling.hpp"
#include "feature/shingles.hpp"
#include "feature/terms.hpp"
#include "race.hpp"
#include "signature/simhash.hpp"
#include "text/jieba_cutter.hpp"
#include "text/normalise.hpp"
#include "text/phrase_simplifier.hpp"
#include "text/segment/model_store.hpp"
#include "text/segment/word_text.hpp"
#include "text/words.hpp"

namespace leitong {
namespace {

using bench::Batch;
using bench::Contender;
using bench::Work;
using Json = nlohmann::ordered_json;

constexpr std::size_t kTop = 20;
constexpr Simd kLevels[] = {Simd::scalar, Simd::avx2, Simd::avx512};

/// A kind of work, and who does it.
struct Race {
  std::string name;
  std::vector<Contender> contenders;
  bool must_agree = false;  ///< all return the same number
};

/// `each(text)` for every text.
template <class Each>
Work each_text(Each each) {
  return [each](Batch batch) {
    std::uint64_t sum = 0;
    for (const std::string& text : batch) sum += each(text);
    return sum;
  };
}

/// Appends one contender for each kernel family that this machine runs.
template <class MakeWork>
void add_levels(Race& race, const MakeWork& make_work) {
  for (const Simd level : kLevels)
    if (level <= simd_level()) race.contenders.push_back({std::string(simd_name(level)), make_work(level)});
}

// --- segmentation -----------------------------------------------------------------------------------------

enum class Cut { mix, dictionary, full, search };

Work peer_cut(const cppjieba::Jieba& jieba, Cut kind) {
  return each_text(
      [&jieba, kind, words = std::make_shared<std::vector<cppjieba::Word>>()](const std::string& text) {
        switch (kind) {
          case Cut::mix:
          case Cut::dictionary:
            jieba.Cut(text, *words, kind == Cut::mix);
            break;
          case Cut::full:
            jieba.CutAll(text, *words);
            break;
          case Cut::search:
            jieba.CutForSearch(text, *words);
            break;
        }
        return words->size();
      });
}

/// Working space that outlives a contender's calls.
struct CutSpace {
  CutScratch scratch;
  PodVector<std::uint32_t> starts;
  PodVector<Token> tokens;
  std::string joined;
};

Work own_cut(const std::shared_ptr<const SegmentModel>& model, Simd level, Cut kind) {
  return each_text([cutter = JiebaCutter(model, level), space = std::make_shared<CutSpace>(),
                    kind](const std::string& text) {
    space->starts.clear();
    space->tokens.clear();
    if (kind == Cut::full)
      cutter.cut_full(text, space->scratch, space->tokens);
    else if (kind == Cut::search)
      cutter.cut_for_search(text, true, space->scratch, space->tokens);
    else
      cutter.cut(text, kind == Cut::mix, space->scratch, space->starts);
    return space->starts.size() + space->tokens.size();
  });
}

/// A batch as one text: line feeds separate, so that the cuts are the same.
Work own_joined_cut(const std::shared_ptr<const SegmentModel>& model, Simd level) {
  return [cutter = JiebaCutter(model, level), space = std::make_shared<CutSpace>()](Batch batch) {
    space->joined.clear();
    for (const std::string& text : batch) space->joined.append(text).push_back('\n');
    space->starts.clear();
    cutter.cut(space->joined, true, space->scratch, space->starts);
    return std::uint64_t{space->starts.size()} - batch.size();
  };
}

/// The 64-bit SimHash of cppjieba's keywords, as yanyiwu/simhash adds it up, with the same hash of words.
std::uint64_t peer_simhash(const cppjieba::Jieba& jieba, const std::string& text) {
  std::vector<cppjieba::KeywordExtractor::Word> keywords;
  jieba.extractor.Extract(text, keywords, kTop);
  double sums[64] = {};
  for (const auto& keyword : keywords) {
    const std::uint64_t hash = word_hash(keyword.word);
    for (int bit = 0; bit < 64; ++bit) sums[bit] += (hash >> bit & 1) ? keyword.weight : -keyword.weight;
  }
  std::uint64_t result = 0;
  for (int bit = 0; bit < 64; ++bit) result |= std::uint64_t{sums[bit] > 0} << bit;
  return result;
}

Work own_simhash(const std::shared_ptr<const SegmentModel>& model, Simd level) {
  struct Space {
    TermScratch scratch;
    PodVector<Feature> features;
  };
  auto terms = std::make_shared<TermExtractor>(TermExtractor::open(model, level).value());
  return each_text([terms, level, space = std::make_shared<Space>()](const std::string& text) {
    terms->top(text, kTop, space->scratch, space->features);
    return simhash(space->features, level).value_or(0);
  });
}

std::vector<Race> segmentation(const std::shared_ptr<const SegmentModel>& model,
                               const cppjieba::Jieba& jieba) {
  std::vector<Race> races;
  const auto add = [&](std::string name, Cut kind) {
    Race race{std::move(name), {{"cppjieba", peer_cut(jieba, kind), true}}, true};
    add_levels(race, [&](Simd level) { return own_cut(model, level, kind); });
    races.push_back(std::move(race));
  };
  add("mix", Cut::mix);
  Race joined{"mix, a batch in one call", {{"cppjieba", peer_cut(jieba, Cut::mix), true}}, true};
  add_levels(joined, [&](Simd level) { return own_joined_cut(model, level); });
  races.push_back(std::move(joined));
  add("no HMM", Cut::dictionary);
  add("full", Cut::full);
  add("search", Cut::search);
  Race simhash{"top-20 TF-IDF, SimHash", {}};
  simhash.contenders.push_back(
      {"cppjieba", each_text([&jieba](const std::string& text) { return peer_simhash(jieba, text); }), true});
  add_levels(simhash, [&](Simd level) { return own_simhash(model, level); });
  races.push_back(std::move(simhash));
  return races;
}

// --- normal forms, shingles, words ------------------------------------------------------------------------

struct NormalSpace {
  PodVector<char> bytes;
  PodVector<char32_t> points;
  PodVector<Unit> units;
  PodVector<std::uint64_t> hashes;
  PodVector<std::uint32_t> shingles;
};

Race normalising(std::string name, const Normaliser& normaliser) {
  Race race{std::move(name), {}};
  add_levels(race, [&](Simd level) {
    return each_text([&normaliser, level, space = std::make_shared<NormalSpace>()](const std::string& text) {
      normaliser(text, space->bytes, level);
      return space->bytes.size();
    });
  });
  return race;
}

Work icu_normalise() {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const casefold = icu::Normalizer2::getNFKCCasefoldInstance(error);
  return each_text([casefold, normal = std::make_shared<std::string>()](const std::string& text) {
    UErrorCode status = U_ZERO_ERROR;
    normal->clear();
    icu::StringByteSink<std::string> sink(normal.get());
    casefold->normalizeUTF8(0, text, sink, nullptr, status);
    return normal->size();
  });
}

std::uint64_t utf8proc_normalise(const std::string& text) {
  utf8proc_uint8_t* const normal =
      utf8proc_NFKC_Casefold(reinterpret_cast<const utf8proc_uint8_t*>(text.c_str()));
  const std::uint64_t first = normal[0];
  std::free(normal);
  return first;
}

Work icu_words() {
  UErrorCode error = U_ZERO_ERROR;
  const std::shared_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
  return each_text([breaks](const std::string& text) {
    UErrorCode status = U_ZERO_ERROR;
    UText wrapped = UTEXT_INITIALIZER;
    utext_openUTF8(&wrapped, text.data(), static_cast<std::int64_t>(text.size()), &status);
    breaks->setText(&wrapped, status);
    std::uint64_t count = 0;
    while (breaks->next() != icu::BreakIterator::DONE) count += breaks->getRuleStatus() >= UBRK_WORD_NUMBER;
    utext_close(&wrapped);
    return count;
  });
}

std::vector<Race> normal_forms(const Normaliser& normaliser, const Normaliser& simplifier) {
  std::vector<Race> races;
  races.push_back(normalising("normalise", normaliser));
  races.back().contenders.push_back({"ICU", icu_normalise(), true});
  races.back().contenders.push_back({"utf8proc", each_text(utf8proc_normalise), true});

  races.push_back(normalising("normalise, traditional to simplified", simplifier));
  if (auto phrases = PhraseSimplifier::open()) {
    auto opencc = std::make_shared<PhraseSimplifier>(std::move(*phrases));
    races.back().contenders.push_back(
        {"OpenCC", each_text([opencc](const std::string& text) { return (*opencc)(text)->size(); }), true});
  }

  Race hashes{"normalise + 5-character hashes", {}};
  add_levels(hashes, [&](Simd level) {
    return each_text([&normaliser, level, space = std::make_shared<NormalSpace>()](const std::string& text) {
      normaliser(text, space->points, level);
      rolling_ngrams(std::span<const char32_t>(space->points), {}, space->hashes, level);
      return space->hashes.empty() ? 0 : space->hashes.back();
    });
  });
  races.push_back(std::move(hashes));

  Race shingles{"units + 5-unit shingles", {}};
  add_levels(shingles, [](Simd level) {
    return each_text([level, space = std::make_shared<NormalSpace>()](const std::string& text) {
      to_units(text, space->units, level);
      shingle_hashes(space->units, space->shingles, level);
      return space->shingles.empty() ? 0 : space->shingles.back();
    });
  });
  races.push_back(std::move(shingles));

  Race words{"words", {}};
  words.contenders.push_back({"scalar", each_text([](const std::string& text) {
                                std::uint64_t count = 0;
                                for_each_word(text, [&](const Word&) { ++count; });
                                return count;
                              })});
  words.contenders.push_back({"ICU", icu_words(), true});
  races.push_back(std::move(words));
  return races;
}

// --- the whole --------------------------------------------------------------------------------------------

Result<std::vector<std::string>> read_texts(const std::string& path) {
  simdjson::padded_string json;
  if (simdjson::padded_string::load(path).get(json) != simdjson::SUCCESS)
    return fail(ErrorCode::not_found, fmt::format("{}: can't be read", path));
  std::vector<std::string> texts;
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream records =
      parser.iterate_many(json, std::max<std::size_t>(json.size(), 1U << 20));
  for (auto record : records) texts.emplace_back(std::string_view(record["text"]));
  return texts;
}

Result<Json> run_race(const Race& race, const std::vector<Batch>& batches, std::size_t bytes, int repeats) {
  if (race.must_agree) {
    const std::uint64_t expected = race.contenders[0].work(batches.front());
    for (const Contender& contender : race.contenders)
      if (contender.work(batches.front()) != expected)
        return fail(ErrorCode::corrupt, fmt::format("{}: {} differs", race.name, contender.name));
  }
  const std::vector<double> seconds = bench::race(race.contenders, batches, repeats);
  Json speeds;
  for (std::size_t i = 0; i < seconds.size(); ++i)
    speeds[race.contenders[i].name] = static_cast<double>(bytes) / 1e6 / seconds[i];
  fmt::print(stderr, "{}: {}\n", race.name, speeds.dump());
  return Json{{"name", race.name}, {"mb_s", std::move(speeds)}};
}

template <class Work>
double least_seconds(int repeats, const Work& work) {
  double least = 1e9;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

/// Records of a file in the page cache to texts, as every command reads them.
std::uint64_t read_records(const std::string& path) {
  InputOptions options;
  options.paths = {path};
  const Context context;
  const auto corpus = Corpus::open(options, RunContext(context)).value();
  const auto scratch = corpus->new_scratch();
  std::uint64_t bytes = 0;
  while (auto batch = corpus->next_batch().value()) {
    corpus->parse(*batch, *scratch, [&](const DocumentText& document) { bytes += document.text.size(); });
    if (!corpus->commit(*batch)) return 0;
  }
  return bytes;
}

Result<Json> measure(const std::string& path, int repeats) {
  LEITONG_ASSIGN(auto model, open_segment_model());  // compiled, if it wasn't yet
  const double open_seconds = least_seconds(repeats, [&] { model = open_segment_model().value(); });
  LEITONG_ASSIGN(const JiebaFiles files, chosen_files({}));
  std::unique_ptr<const cppjieba::Jieba> jieba;
  const double load_seconds = least_seconds(1, [&] {
    jieba = std::make_unique<const cppjieba::Jieba>(files.words.string(), files.model.string(), "/dev/null",
                                                    files.idf.string(), files.stop_words.string());
  });

  LEITONG_ASSIGN(const std::vector<std::string> texts, read_texts(path));
  const auto batches = bench::batches_of(texts);
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  const Normaliser normaliser;
  const Normaliser simplifier({.simplify = true});
  std::vector<Race> races = segmentation(model, *jieba);
  for (Race& race : normal_forms(normaliser, simplifier)) races.push_back(std::move(race));
  Json jobs = Json::array();
  for (const Race& race : races) {
    LEITONG_ASSIGN(Json job, run_race(race, batches, bytes, repeats));
    jobs.push_back(std::move(job));
  }
  const auto file_bytes = static_cast<double>(std::filesystem::file_size(path));
  const double records = least_seconds(repeats, [&] { read_records(path); });
  return Json{{"texts", texts.size()},
              {"bytes", bytes},
              {"jobs", std::move(jobs)},
              {"jsonl_mb_s", file_bytes / 1e6 / records},
              {"model_bytes", model->file().size()},
              {"model_open_ms", 1e3 * open_seconds},
              {"cppjieba_load_ms", 1e3 * load_seconds}};
}

}  // namespace
}  // namespace leitong

int main(int argc, char** argv) {
  CLI::App app("From records to features beside other libraries: MB/s of text, one thread.");
  std::string path;
  int repeats = 5;
  app.add_option("texts", path, "JSONL with a text a record")->required()->check(CLI::ExistingFile);
  app.add_option("--repeats", repeats, "Runs of each batch; the quickest counts")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const auto report = leitong::measure(path, repeats);
  if (!report) {
    fmt::print(stderr, "text_bench: {}\n", report.error().message);
    return 1;
  }
  fmt::print("{}\n", report->dump(1));
  return 0;
}
