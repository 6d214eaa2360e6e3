// Indexes that are built at once. They are compared with the same texts added one by one to an index of the
// same secret.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "corpus/corpus_fixture.hpp"
#include "job/index_builder.hpp"
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

/// Texts, copies, edited copies and pages of one frame; some have a source and an expiry, some have a known
/// id.
struct Arriving {
  explicit Arriving(std::uint32_t seed, std::size_t count) {
    RandomTexts random(seed);
    const std::string head = random.text(90), foot = random.text(60);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t kind = random.below(12);
      const auto earlier = [&] { return texts[random.below(static_cast<std::uint32_t>(texts.size()))]; };
      if (texts.empty() || kind < 4)
        texts.push_back(random.text(random.below(5) == 0 ? random.below(30) : 40 + random.below(600)));
      else if (kind < 5)
        texts.push_back(earlier());
      else if (kind < 8)
        texts.push_back(random.edited(earlier(), .04));
      else
        texts.push_back(head + random.text(30 + random.below(60)) + foot);
      ids.push_back("t" + std::to_string(random.below(50) == 0 ? i / 2 : i));
    }
    for (std::size_t i = 0; i < count; ++i)
      all.push_back({.id = ids[i],
                     .text = texts[i],
                     .source = i % 3 == 0 ? "crawl" : "",
                     .time = i % 5 == 0 ? std::optional<online::Seconds>(i) : std::nullopt,
                     .expires = i % 7 == 0 ? std::optional<online::Seconds>(1000 + i) : std::nullopt});
  }
  std::vector<std::string> ids, texts;
  std::vector<online::Text> all;
};

/// An answer without words, and without matches of texts that were there before, which a batch finds in
/// itself.
std::string described(const online::Answer& answer) {
  if (answer.known || answer.verdict == online::Verdict::refused) return answer.known ? "known" : "refused";
  std::string text(online::verdict_name(answer.verdict));
  if (answer.match) text += ":" + answer.match->id + ":" + std::string(answer.match->measure);
  return text + " " + std::to_string(answer.refused_as_template);
}

class IndexMaking : public ::testing::Test {
 protected:
  /// Adds one by one, or in batches of this size for speed if it is not 1.
  std::vector<std::string> add_to(const fs::path& place, const Arriving& arriving, std::size_t batch,
                                  const online::Settings& settings) {
    std::vector<std::string> answers;
    const Opened opened(place, settings);
    auto& index = const_cast<online::Index&>(opened.index);
    for (std::size_t i = 0; i < arriving.all.size(); i += batch) {
      const std::size_t n = std::min(batch, arriving.all.size() - i);
      for (const auto& answer : value(index.check_and_add(std::span(arriving.all).subspan(i, n))))
        answers.push_back(described(answer));
    }
    return answers;
  }
  std::vector<std::string> make_at(const fs::path& place, const Arriving& arriving, std::size_t batch,
                                   const fs::path& twin, const online::Settings& settings, unsigned threads) {
    fs::create_directories(place);
    fs::copy_file(twin / "secret", place / "secret");
    const Context context({.threads = threads});
    const auto index = value(online::OnlineIndex::make_at_once(context, place, settings));
    std::vector<std::string> answers;
    for (std::size_t i = 0; i < arriving.all.size(); i += batch) {
      const std::size_t n = std::min(batch, arriving.all.size() - i);
      const auto part = std::span(arriving.all).subspan(i, n);
      for (const auto& answer : value(index->add(part, online::Look::near, {}, {})))
        answers.push_back(described(answer));
    }
    EXPECT_TRUE(index->finish());
    return answers;
  }
  static std::vector<online::Stored> content(online::Index& index) {
    std::vector<online::Stored> all;
    const auto take = [&](const online::Stored& stored) -> Result<void> {
      all.push_back(stored);
      return {};
    };
    EXPECT_TRUE(index.for_each(take));
    return all;
  }
  /// Both must give the same answers, now and about later texts.
  static void expect_equal(const fs::path& a, const fs::path& b, const Arriving& later) {
    Opened one(a), two(b);
    EXPECT_TRUE(one.index.verify());
    EXPECT_TRUE(two.index.verify());
    EXPECT_EQ(content(one.index), content(two.index));
    const online::Figures first = value(one.index.figures()), second = value(two.index.figures());
    EXPECT_EQ(first.texts, second.texts);
    EXPECT_EQ(first.near, second.near);
    EXPECT_EQ(first.postings, second.postings);
    EXPECT_EQ(first.full_keys, second.full_keys);
    EXPECT_EQ(first.shared_shingles, second.shared_shingles);
    EXPECT_EQ(first.version, second.version);
    EXPECT_EQ(value(one.index.remove_source("crawl")), value(two.index.remove_source("crawl")));
    EXPECT_EQ(value(one.index.expire(1500)), value(two.index.expire(1500)));
    EXPECT_EQ(one.add(later.all), two.add(later.all));
    EXPECT_EQ(content(one.index), content(two.index));
  }

  TemporaryFolder folder_;
};

TEST_F(IndexMaking, GivesTheAnswersAndContentOfAddingOneByOne) {
  const Arriving arriving(1, 1500), later(2, 200);
  const auto expected = add_to(folder_ / "one by one", arriving, 1, {.durability = online::Durability::none});
  const fs::path twin = folder_ / "one by one";
  EXPECT_EQ(make_at(folder_ / "made", arriving, 97, twin, {}, 3), expected);
  // With many segments, and with one thread.
  EXPECT_EQ(make_at(folder_ / "sealed", arriving, 256, twin, {.postings_in_memory = 300}, 1), expected);
  fs::copy(twin, folder_ / "twin", fs::copy_options::recursive);
  expect_equal(twin, folder_ / "made", later);
  expect_equal(folder_ / "twin", folder_ / "sealed", later);
}

TEST_F(IndexMaking, FingerprintsAreTheSame) {
  const online::Settings settings{.durability = online::Durability::none,
                                  .scheme = "simhash",
                                  .params = {"distance=3", "features=chars"}};
  const Arriving arriving(3, 400), later(4, 50);
  const auto expected = add_to(folder_ / "one by one", arriving, 1, settings);
  EXPECT_EQ(make_at(folder_ / "made", arriving, 64, folder_ / "one by one", settings, 2), expected);
  expect_equal(folder_ / "one by one", folder_ / "made", later);
}

TEST_F(IndexMaking, UntilItIsFinishedItIsNone) {
  const fs::path place = folder_ / "seen";
  {
    const Context context({.threads = 1});
    const auto index = value(online::OnlineIndex::make_at_once(context, place, {}));
    const Arriving arriving(5, 300);
    value(index->add(arriving.all, online::Look::near, {}, {}));
  }
  const Context context;
  for (const bool create : {false, true}) {
    const auto opened = online::Index::open(context, place, {.create = create});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::corrupt);
    EXPECT_THAT(opened.error().message, HasSubstr("making was interrupted"));
  }
  DedupJob job{.input = {.paths = {(folder_ / "new.jsonl").string()}}, .reference_indexes = {place.string()}};
  write_file(folder_ / "new.jsonl", "{\"text\":\"a\"}\n");
  EXPECT_THAT(dedup_files(context, job).error().message, HasSubstr("making was interrupted"));
}

TEST_F(IndexMaking, ABuilderThatIsGivenUpLeavesNothing) {
  const Context context;
  {
    auto builder = value(online::IndexBuilder::begin(context, folder_ / "seen", {}));
    value(builder.index().add(Arriving(6, 20).all, online::Look::near, {}, {}));
  }
  EXPECT_TRUE(fs::is_empty(folder_.str()));
  auto builder = value(online::IndexBuilder::begin(context, folder_ / "seen", {}));
  EXPECT_FALSE(fs::exists(folder_ / "seen"));
  EXPECT_TRUE(builder.finish());
  EXPECT_TRUE(builder.put_in_place());
  EXPECT_TRUE(online::Index::open(context, folder_ / "seen", {.create = false})) << "an empty one";
  EXPECT_EQ(online::IndexBuilder::begin(context, folder_ / "seen", {}).error().code,
            ErrorCode::invalid_argument);
}

class KeptIndex : public IndexMaking {
 protected:
  KeptIndex() {
    const Arriving arriving(7, 1200);
    std::string lines;
    for (std::size_t i = 0; i < arriving.texts.size(); ++i)
      lines += Json{{"id", "d" + std::to_string(i)}, {"text", arriving.texts[i]}}.dump() + "\n";
    write_file(folder_ / "in.jsonl", lines);
    job_.input.paths = {(folder_ / "in.jsonl").string()};
    job_.outputs.kept = (folder_ / "kept.jsonl").string();
    job_.outputs.index = (folder_ / "seen").string();
  }
  DedupJob job_;
};

TEST_F(KeptIndex, HoldsTheKeptDocumentsEachRepresentingItself) {
  const auto summary = dedup_files(Context({.threads = 2}), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->indexed, summary->kept);
  EXPECT_EQ(summary->not_indexed, 0u);
  {
    Opened opened(folder_ / "seen");
    EXPECT_TRUE(opened.index.verify());
    std::string lines;
    for (const online::Stored& stored : content(opened.index)) {
      lines += Json{{"id", stored.id}, {"text", stored.text}}.dump() + "\n";
      EXPECT_EQ(stored.verdict, online::Verdict::fresh);
      EXPECT_FALSE(stored.family);
    }
    EXPECT_EQ(lines, read_file(folder_ / "kept.jsonl"));
    EXPECT_GT(value(opened.index.figures()).shared_shingles, 0u) << "it knows of templates";
  }
  // What was removed is known, and what was kept is known as it is.
  DedupJob again{.input = job_.input, .reference_indexes = {(folder_ / "seen").string()}};
  again.outputs.removed = (folder_ / "removed.jsonl").string();
  const auto second = dedup_files(Context({.threads = 2}), again);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->kept, 0u);
}

TEST_F(KeptIndex, DocumentsOfOneIdAreThereOnceAndTheRestIsCounted) {
  write_file(folder_ / "in.jsonl",
             Json{{"id", "a"}, {"text", "渡船清晨六点开第一班，雾大的日子改到七点。"}}.dump() + "\n" +
                 Json{{"id", "a"}, {"text", "面团要发两次，一次在盆里，一次在模子里。"}}.dump() + "\n" +
                 Json{{"text", "没有编号的一条，以所在的行为名，只此一条而已。"}}.dump() + "\n");
  const auto summary = dedup_files(Context({.threads = 1}), job_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->indexed, 2u);
  EXPECT_EQ(summary->not_indexed, 1u);
  EXPECT_EQ(Json::parse(to_json(*summary, job_))["index"], (Json{{"texts", 2}, {"refused", 1}}));
  Opened opened(folder_ / "seen");
  EXPECT_TRUE(value(opened.index.get((folder_ / "in.jsonl").string() + ":3")));
}

TEST_F(KeptIndex, AFolderThatIsThereIsLeftAloneAndAFailedRunLeavesNone) {
  fs::create_directories(folder_ / "seen");
  EXPECT_EQ(dedup_files(Context({.threads = 1}), job_).error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(fs::is_empty(folder_ / "seen"));
  fs::remove(folder_ / "seen");
  job_.input.strict = true;
  write_file(folder_ / "in.jsonl", "no record\n");
  EXPECT_FALSE(dedup_files(Context({.threads = 1}), job_));
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder_.str())) left.push_back(entry.path().filename());
  EXPECT_THAT(left, ::testing::UnorderedElementsAre("in.jsonl"));
}

}  // namespace
}  // namespace leitong
