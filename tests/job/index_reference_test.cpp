// An online index as the references of a run. It is compared with the same texts exported to a file of
// references.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/try.hpp"
#include "corpus/corpus_fixture.hpp"
#include "job/compare_in_corpus.hpp"
#include "leitong/job.hpp"
#include "leitong/online.hpp"
#include "online/opened_index.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;
using online::Opened;
using online::RandomTexts;
using online::value;
using ::testing::HasSubstr;
using Json = nlohmann::json;

/// Texts of all relevant kinds: independent ones, copies, edited copies, and pages of one frame, which is a
/// template.
std::vector<std::string> pages(std::uint32_t seed, std::size_t count) {
  RandomTexts random(seed), of_frame(99);
  const std::string head = of_frame.text(90), foot = of_frame.text(60);
  std::vector<std::string> works, texts;
  for (RandomTexts known(7); works.size() < count / 3;) works.push_back(known.text(40 + known.below(500)));
  while (texts.size() < count) {
    const std::string& work = works[random.below(static_cast<std::uint32_t>(works.size()))];
    switch (random.below(5)) {
      case 0:
        texts.push_back(random.text(20 + random.below(400)));
        break;
      case 1:
        texts.push_back(work);
        break;
      case 2:
        texts.push_back(random.edited(work, .05));
        break;
      case 3:
        texts.push_back(head + work + foot);
        break;
      default:
        texts.push_back(head + random.text(30 + random.below(40)) + foot);
    }
  }
  return texts;
}

std::string record(std::string_view id, std::string_view text) {
  return Json{{"id", id}, {"text", text}}.dump() + "\n";
}

std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) content[entry.path().string()] = read_file(entry.path());
  return content;
}

class IndexReference : public ::testing::Test {
 protected:
  IndexReference() { job_.input.paths = {(folder_ / "new.jsonl").string()}; }

  void fill(std::uint32_t seed, std::size_t known, std::size_t fresh, const online::Settings& settings = {}) {
    const std::vector<std::string> texts = pages(seed, known + fresh);
    std::vector<online::Text> batch;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < known; ++i) ids.push_back("known " + std::to_string(i));
    for (std::size_t i = 0; i < known; ++i) batch.push_back({ids[i], texts[i], i % 2 == 0 ? "even" : "odd"});
    Opened opened(place_, settings);
    value(opened.index.check_and_add(batch));
    for (std::size_t i = 0; i < known; i += 11) EXPECT_TRUE(value(opened.index.remove(ids[i])));
    std::string lines, exported;
    for (std::size_t i = known; i < texts.size(); ++i) lines += record("new " + std::to_string(i), texts[i]);
    write_file(folder_ / "new.jsonl", lines);
    const auto write_one = [&](const online::Stored& stored) -> Result<void> {
      exported += Json{{"id", stored.id}, {"text", stored.text}, {"source", stored.source}}.dump() + "\n";
      return {};
    };
    ASSERT_TRUE(opened.index.for_each(write_one));
    write_file(folder_ / "exported.jsonl", exported);
  }

  /// All outputs of a run, one after another.
  std::string outputs(const ContextSettings& settings) {
    std::vector<fs::path> files;
    for (std::string* name : {&job_.outputs.kept, &job_.outputs.removed, &job_.outputs.clusters,
                              &job_.outputs.components, &job_.outputs.pairs, &job_.outputs.quarantine}) {
      files.push_back(folder_ / ("out " + std::to_string(files.size())));
      *name = files.back().string();
    }
    job_.outputs.force = true;
    const auto summary = dedup_files(Context(settings), job_);
    EXPECT_TRUE(summary) << summary.error().message;
    if (!summary) return {};
    summary_ = *summary;
    std::string all;
    for (const fs::path& file : files) all += read_file(file) + "\n--\n";
    // A text of the index has another place than its line in the export.
    return std::regex_replace(all, std::regex("\"kept_place\":\"[^\"]*\","), "");
  }
  std::string by_index(const ContextSettings& settings = {.threads = 2}) {
    job_.reference_indexes = {place_.string()};
    job_.input.reference_paths.clear();
    return outputs(settings);
  }
  std::string by_export(const ContextSettings& settings = {.threads = 2}) {
    job_.reference_indexes.clear();
    job_.input.reference_paths = {(folder_ / "exported.jsonl").string()};
    return outputs(settings);
  }
  Error refusal() {
    job_.reference_indexes = {place_.string()};
    job_.outputs.kept = (folder_ / "kept.jsonl").string();
    const auto refused = dedup_files(Context({.threads = 1}), job_);
    EXPECT_FALSE(refused);
    EXPECT_FALSE(fs::exists(folder_ / "kept.jsonl"));
    return refused ? Error() : refused.error();
  }

  TemporaryFolder folder_;
  fs::path place_ = folder_ / "seen";
  DedupJob job_;
  DedupSummary summary_;
};

TEST_F(IndexReference, RemovesWhatAnExportOfItWouldRemoveByteForByte) {
  for (const std::uint32_t seed : {1U, 2U}) {
    place_ = folder_ / ("seen " + std::to_string(seed));
    fill(seed, 1500, 700);
    const auto before = content_of(place_);
    const std::string expected = by_export({.threads = 1});
    const DedupSummary of_export = summary_;
    EXPECT_GT(of_export.removed, 100u);
    EXPECT_GT(of_export.templates.pairs_refused, 0u);
    EXPECT_EQ(by_index({.threads = 1}), expected);
    EXPECT_EQ(summary_.removed, of_export.removed);
    EXPECT_EQ(summary_.reference, of_export.reference);
    EXPECT_EQ(summary_.templates.pairs_refused, of_export.templates.pairs_refused);
    EXPECT_EQ(by_index({.threads = 3}), expected);
    EXPECT_EQ(by_index({.threads = 2, .memory = 80 << 20}), expected);
    EXPECT_EQ(content_of(place_), before) << "the index is only read";
  }
}

TEST_F(IndexReference, FieldsOfTheInputMayHaveAnyName) {
  fill(3, 300, 100);
  const std::string expected = by_export();
  std::string renamed;
  for (const char c : read_file(folder_ / "new.jsonl")) {
    renamed += c;
    if (renamed.ends_with("\"text\":")) renamed.replace(renamed.size() - 7, 7, "\"body\":");
  }
  write_file(folder_ / "new.jsonl", renamed);
  job_.input.text_fields = {"body"};
  std::string got = by_index();
  for (std::size_t at = 0; (at = got.find("\"body\":", at)) != std::string::npos;)
    got.replace(at, 7, "\"text\":");
  EXPECT_EQ(got, expected);
}

TEST_F(IndexReference, ASiteMayBeInTheSourceOfATextAsInAnExport) {
  fill(4, 600, 200);
  job_.site_field = "source";
  const std::string expected = by_export();
  EXPECT_EQ(by_index(), expected);
}

TEST_F(IndexReference, AResumedRunContinuesAndRefusesAnIndexThatChanged) {
  fill(5, 200, 100);
  const std::string expected = by_index();
  job_.resume_folder = folder_ / "stages";
  Context* running = nullptr;
  Context stopped({.threads = 1, .progress = [&](const Progress& progress) {
                     if (progress.stage == "writing") running->request_stop();
                   }});
  running = &stopped;
  EXPECT_EQ(dedup_files(stopped, job_).error().code, ErrorCode::cancelled);
  EXPECT_EQ(by_index(), expected);

  Context again({.threads = 1, .progress = [&](const Progress& progress) {
                   if (progress.stage == "writing") running->request_stop();
                 }});
  running = &again;
  EXPECT_EQ(dedup_files(again, job_).error().code, ErrorCode::cancelled);
  EXPECT_TRUE(value(Opened(place_).index.remove("known 1")));
  const auto changed = dedup_files(Context({.threads = 1}), job_);
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("seen"));
}

TEST_F(IndexReference, SeveralRunsMayReadAtOnceButNoneMayWriteMeanwhile) {
  fill(6, 100, 50);
  by_index();
  bool looked = false;
  const Context context({.threads = 1, .progress = [&](const Progress&) {
                           if (looked) return;
                           looked = true;
                           const Context other;
                           const auto writer = online::Index::open(other, place_);
                           ASSERT_FALSE(writer);
                           EXPECT_THAT(writer.error().message, HasSubstr("open elsewhere"));
                           DedupJob second = job_;
                           second.outputs.kept = (folder_ / "second.jsonl").string();
                           second.outputs.removed = second.outputs.clusters = second.outputs.components =
                               second.outputs.pairs = second.outputs.quarantine = "";
                           EXPECT_TRUE(dedup_files(other, second));
                         }});
  EXPECT_TRUE(dedup_files(context, job_));
  EXPECT_TRUE(looked);

  const Opened writer(place_);
  EXPECT_THAT(refusal().message, HasSubstr("open elsewhere"));
  EXPECT_THAT(refusal().message, HasSubstr("open elsewhere")) << "the writer has its lock still";
  const Context other;
  EXPECT_FALSE(online::Index::open(other, place_));
}

TEST_F(IndexReference, FingerprintsServeARunByTheSameFingerprints) {
  const online::Settings settings{.scheme = "simhash", .params = {"distance=3", "features=chars"}};
  fill(8, 300, 100, settings);
  EXPECT_THAT(refusal().message, AllOf(HasSubstr("simhash, distance 3"), HasSubstr("by the default rule")));
  job_.settings.method = "simhash";
  job_.settings.params = {"features=chars", "n=4"};
  EXPECT_THAT(refusal().message, AllOf(HasSubstr("other parameters"), HasSubstr("3 and 4")));
  job_.settings.params = {"distance=5", "features=chars"};
  EXPECT_THAT(refusal().message, HasSubstr("distance 5"));
  job_.settings.params = {"features=chars"};
  const std::string expected = by_export();
  EXPECT_EQ(by_index(), expected);
  EXPECT_GT(summary_.removed, 0u);
}

TEST_F(IndexReference, WhatCannotServeIsRefused) {
  fill(9, 100, 50);
  job_.settings.method = "minhash";
  EXPECT_THAT(refusal().message, AllOf(HasSubstr("the default rule"), HasSubstr("by minhash")));
  job_.settings.method = "default";
  const fs::path there = std::exchange(place_, folder_ / "prints");
  { const Opened prints(place_, {.scheme = "simhash", .params = {"features=chars"}, .keep_texts = false}); }
  EXPECT_EQ(refusal().code, ErrorCode::unsupported);
  EXPECT_THAT(refusal().message, HasSubstr("keeps fingerprints alone"));
  place_ = folder_ / "nothing";
  EXPECT_EQ(refusal().code, ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(place_));
  job_.reference_indexes = {"redis://127.0.0.1:1/seen"};
  EXPECT_EQ(dedup_files(Context(), job_).error().code, ErrorCode::unsupported);
  // An output may not be inside the index.
  job_.reference_indexes = {there.string()};
  job_.outputs.kept = (there / "secret").string();
  job_.outputs.force = true;
  EXPECT_EQ(dedup_files(Context(), job_).error().code, ErrorCode::invalid_argument);
}

TEST_F(IndexReference, IsNoInputAsAFolderOfFiles) {
  fill(12, 50, 20);
  for (std::vector<std::string>* paths : {&job_.input.paths, &job_.input.reference_paths}) {
    DedupJob job = job_;
    (paths == &job_.input.paths ? job.input.paths : job.input.reference_paths) = {place_.string()};
    job.outputs.kept = (folder_ / "kept.jsonl").string();
    const auto refused = dedup_files(Context(), job);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr(place_.string() + ": is an index"),
                                               HasSubstr("name it as a reference index")));
    EXPECT_FALSE(estimate(Context(), job));
  }
}

class IndexAsCorpus : public IndexReference {
 protected:
  Result<CorpusVerdict> verdict(const std::string& a, const std::string& b, const fs::path& corpus) {
    InputOptions input;
    input.paths = {corpus.string()};
    LEITONG_ASSIGN(const CompareResult compared, compare(a, b));
    LEITONG_ASSIGN(InCorpus found, compare_in_corpus(a, b, compared, input, Context({.threads = 1})));
    return std::move(found.verdict);
  }
};

TEST_F(IndexAsCorpus, FindsTheTemplatesThatItsExportHas) {
  fill(13, 600, 10);
  const std::vector<std::string> texts = pages(14, 16);
  std::size_t refused = 0;
  for (std::size_t i = 0; i + 1 < texts.size(); ++i) {
    const auto by_index = verdict(texts[i], texts[i + 1], place_);
    ASSERT_TRUE(by_index) << by_index.error().message;
    const auto by_export = verdict(texts[i], texts[i + 1], folder_ / "exported.jsonl");
    ASSERT_TRUE(by_export) << by_export.error().message;
    EXPECT_EQ(by_index->reason, by_export->reason);
    refused += by_index->reason.find("of what they share is a template") != std::string::npos;
  }
  EXPECT_GT(refused, 0u);
}

TEST_F(IndexAsCorpus, MayCompareByFingerprintsIfItKeepsTexts) {
  fill(15, 200, 10, {.scheme = "simhash", .params = {"features=chars"}});
  const auto found = verdict("one text", "another text", place_);
  EXPECT_TRUE(found) << found.error().message;
}

TEST_F(IndexAsCorpus, WithoutTextsIsRefused) {
  place_ = folder_ / "prints";
  { const Opened prints(place_, {.scheme = "simhash", .params = {"features=chars"}, .keep_texts = false}); }
  const auto prints = verdict("one text", "another text", place_);
  ASSERT_FALSE(prints);
  EXPECT_EQ(prints.error().code, ErrorCode::unsupported);
  EXPECT_THAT(prints.error().message, HasSubstr("keeps fingerprints alone"));
  const auto on_server = verdict("one text", "another text", "redis://127.0.0.1:1/seen");
  ASSERT_FALSE(on_server);
  EXPECT_EQ(on_server.error().code, ErrorCode::unsupported);
}

TEST_F(IndexReference, WhatADamagedTextIsIsSaid) {
  fill(10, 400, 50);
  value(Opened(place_).index.figures());  // moves the log into sorted files
  for (const auto& entry : fs::directory_iterator(place_ / "texts")) {
    std::string bytes = read_file(entry.path());
    if (entry.path().extension() != ".sst" || bytes.size() < 100'000) continue;
    for (std::size_t at = 5000; at < 6000; ++at) bytes[at] = static_cast<char>(~bytes[at]);
    write_file(entry.path(), bytes);
  }
  EXPECT_EQ(refusal().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace leitong
