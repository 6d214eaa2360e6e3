#include "job/keep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace leitong {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Documents that have only a source path and one field.
class FakeCorpus : public Corpus {
 public:
  struct Entry {
    std::string source, field;
  };
  explicit FakeCorpus(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  mutable std::vector<DocId> fields_read;

  Result<std::string> field(DocId document, std::string_view, ReadScratch&) const override {
    fields_read.push_back(document);
    return entries_[document].field;
  }
  std::string_view source_path(DocId document) const override { return entries_[document].source; }
  std::unique_ptr<ReadScratch> new_scratch() const override { return std::make_unique<ReadScratch>(); }
  std::uint64_t size() const noexcept override { return entries_.size(); }

  // Members that a keep policy does not use.
  Place place(DocId) const override { return {}; }
  std::string place_name(DocId) const override { return {}; }
  Result<std::string> id(DocId, ReadScratch&) const override { return std::string(); }
  Result<std::vector<std::string>> field_names(DocId, std::string_view, ReadScratch&) const override {
    return std::vector<std::string>();
  }
  DocId reference_count() const noexcept override { return 0; }
  bool one_document_a_file() const noexcept override { return false; }
  std::uint64_t quarantined() const noexcept override { return 0; }
  std::string first_quarantined() const override { return {}; }
  std::uint64_t truncated_inputs() const noexcept override { return 0; }
  Result<void> for_each_quarantined(const EachQuarantined&) const override { return {}; }
  std::uint64_t records() const noexcept override { return entries_.size(); }
  Result<std::string> list_input() const override { return std::string(); }
  Result<RepeatedIds> repeated_ids() const override { return RepeatedIds{}; }
  Result<void> copy_kept(const std::function<bool(DocId)>&,
                         const std::function<Result<void>(std::string_view)>&,
                         const KeptPlaced&) const override {
    return {};
  }
  Result<void> copy_kept_by_source(const std::function<bool(DocId)>&,
                                   const std::function<Result<void>(std::string_view, bool)>&,
                                   const std::function<Result<void>(std::string_view)>&, const KeptPlaced&,
                                   const std::function<Result<void>()>&) const override {
    return {};
  }
  std::optional<std::uint64_t> stored_bytes(DocId) const override { return std::nullopt; }
  Result<void> cut_sources(PieceSink&) const override { return {}; }
  Result<void> copy_left_rows(const FateOf&, RowSink&) const override { return {}; }
  Result<void> read_kept(DocId, std::uint64_t, std::size_t, char*, ReadScratch&) const override { return {}; }
  std::string_view kept_kind() const noexcept override { return {}; }
  Result<std::unique_ptr<RecordBatch>> next_batch() override { return std::unique_ptr<RecordBatch>(); }
  void parse(RecordBatch&, ReadScratch&, const EachDocument&) const override {}
  Result<void> commit(RecordBatch&) override { return {}; }
  std::uint64_t bytes_read() const noexcept override { return 0; }
  std::uint64_t total_bytes() const noexcept override { return 0; }
  Result<DocumentText> read(DocId, ReadScratch&) const override { return DocumentText{}; }

 private:
  std::vector<Entry> entries_;
};

/// Documents from the best to the worst.
std::vector<DocId> order(std::string_view policy, const FakeCorpus& corpus,
                         std::vector<std::uint32_t> units = {}, std::vector<bool> wanted = {}) {
  units.resize(corpus.size());
  if (wanted.empty()) wanted.assign(corpus.size(), true);
  const auto rank = keep_ranks(parse_keep_policy(policy).value(), corpus, units, wanted).value().rank;
  std::vector<DocId> best_first(rank.size(), kNoDocument);
  for (DocId d = 0; d < rank.size(); ++d) best_first.at(rank[d]) = d;
  return best_first;
}

FakeCorpus with_fields(std::vector<std::string> fields) {
  std::vector<FakeCorpus::Entry> entries;
  for (std::string& field : fields) entries.push_back({"a.jsonl", std::move(field)});
  return FakeCorpus(std::move(entries));
}

FakeCorpus from_sources(std::vector<std::string> sources) {
  std::vector<FakeCorpus::Entry> entries;
  for (std::string& source : sources) entries.push_back({std::move(source), ""});
  return FakeCorpus(std::move(entries));
}

TEST(KeepPolicy, IsReadAndWrittenAlike) {
  for (const std::string text :
       {"longest", "shortest", "first", "covering", "newest:meta.date", "oldest:meta.date", "max:score",
        "min:score", "source:a.jsonl,b/", "source:site=a,b", "source:site=a,b,longest",
        "source:a.jsonl,max:score,oldest:date,shortest"}) {
    const auto policy = parse_keep_policy(text);
    ASSERT_TRUE(policy) << text;
    EXPECT_EQ(to_string(*policy), text);
  }
  EXPECT_EQ(parse_keep_policy("newest:a:b")->field, "a:b");
}

TEST(KeepPolicy, AnInvalidPolicyIsRefusedWithTheFix) {
  const std::pair<std::string, std::string> cases[] = {{"briefest", "longest, shortest, first, covering"},
                                                       {"", "longest, shortest"},
                                                       {"first,covering", "covering decides alone"},
                                                       {"covering,first", "covering decides alone"},
                                                       {"source:site=", "source:site=a,b"},
                                                       {"newest", "newest:date"},
                                                       {"max:", "max:score"},
                                                       {"source:", "source:best.jsonl"},
                                                       {"longest:x", "takes no argument"},
                                                       {"covering:x", "takes no argument"}};
  for (const auto& [text, fix] : cases) {
    const auto policy = parse_keep_policy(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_EQ(policy.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(policy.error().message, HasSubstr(fix));
  }
}

TEST(KeepRanks, LongestComparesUnitsThenTheOrder) {
  EXPECT_THAT(order("longest", with_fields({"", "", "", ""}), {5, 9, 9, 0}), ElementsAre(1, 2, 0, 3));
}

TEST(KeepPolicy, AFolderMayHaveAnEqualsSignAndAFieldAComma) {
  EXPECT_THAT(parse_keep_policy("source:data/lang=en/,longest/x")->sources,
              ElementsAre("data/lang=en/", "longest/x"));
  EXPECT_EQ(parse_keep_policy("source:./lang=en/")->field, "");
  EXPECT_EQ(parse_keep_policy("max:a,b")->field, "a,b");
  const KeepPolicy policy = parse_keep_policy("source:site=a,b,max:n,first").value();
  EXPECT_EQ(policy.field, "site");
  EXPECT_THAT(policy.sources, ElementsAre("a", "b"));
  ASSERT_EQ(policy.then.size(), 2U);
  EXPECT_EQ(policy.then[0].by, Keep::max);
  EXPECT_EQ(policy.then[1].by, Keep::first);
}

TEST(KeepRanks, SmallestValuesComeFirstAndNoValueLast) {
  EXPECT_THAT(order("min:score", with_fields({"9", "10", "", "-3.5", "0", "-0"})),
              ElementsAre(3, 4, 5, 0, 1, 2));
  EXPECT_THAT(order("oldest:date", with_fields({"2023", "yesterday", "1999-12-31", "1672617600"})),
              ElementsAre(2, 0, 3, 1));
  EXPECT_THAT(order("shortest", with_fields({"", "", "", ""}), {5, 9, 9, 0}), ElementsAre(3, 0, 1, 2));
}

TEST(KeepRanks, SourcePrefersValuesOfAFieldInTheirOrder) {
  EXPECT_THAT(order("source:site=b,a", with_fields({"a", "c", " b ", "", "a"})), ElementsAre(2, 0, 4, 1, 3));
}

TEST(KeepRanks, SeveralPoliciesDecideOneAfterTheOther) {
  const FakeCorpus corpus = with_fields({"a", "b", "a", "b", "c"});
  EXPECT_THAT(order("source:site=b,a,longest", corpus, {1, 2, 3, 4, 5}), ElementsAre(3, 1, 2, 0, 4));
  EXPECT_THAT(order("source:site=b,a,shortest", corpus, {1, 2, 3, 4, 5}), ElementsAre(1, 3, 0, 2, 4));
  EXPECT_THAT(order("source:site=b,a,first,longest", corpus, {1, 2, 3, 4, 5}), ElementsAre(1, 3, 0, 2, 4));
}

TEST(KeepRanks, FirstComparesTheOrder) {
  EXPECT_THAT(order("first", with_fields({"", "", ""}), {1, 2, 3}), ElementsAre(0, 1, 2));
}

TEST(KeepRanks, MaxComparesNumbersNotText) {
  EXPECT_THAT(order("max:score", with_fields({"9", "10", "-3.5", " 1e3 ", "0", "-0"})),
              ElementsAre(3, 1, 0, 4, 5, 2));
}

TEST(KeepRanks, DocumentsWithoutTheFieldComeLast) {
  EXPECT_THAT(order("max:score", with_fields({"", "high", "-1e308", "nan"})), ElementsAre(2, 0, 1, 3));
  EXPECT_THAT(order("newest:date", with_fields({"yesterday", "1999-12-31", "2024-13-01", ""})),
              ElementsAre(1, 0, 2, 3));
}

TEST(KeepRanks, NewestUnderstandsEveryPrecisionAndZone) {
  EXPECT_THAT(order("newest:date", with_fields({
                                       "2023",                       // 0
                                       "2023-01-02",                 // 1
                                       "2023-01-02T00:00:01Z",       // 2
                                       "2023-01-02 00:00:01.5",      // 3
                                       "2023-01-02T01:30:02+01:30",  // 4: 00:00:02 UTC
                                       "2023-01-01T23:00-0200",      // 5: 01:00 UTC on the 2nd
                                       "1969-12-31",                 // 6
                                       "2022-12",                    // 7
                                   })),
              ElementsAre(5, 4, 3, 2, 1, 0, 7, 6));
}

TEST(KeepRanks, NewestComparesEpochNumbersWithDates) {
  // 1672617600 is 2023-01-02 00:00 UTC.
  EXPECT_THAT(
      order("newest:date", with_fields({"2023-01-01", "1672617600", "2023-01-02T00:00:01Z", "1672617599.5"})),
      ElementsAre(2, 1, 3, 0));
}

TEST(KeepRanks, SourcePrefersFilesAndFoldersInTheirOrder) {
  const FakeCorpus corpus =
      from_sources({"x/a.jsonl", "y/b.jsonl", "y/z/c.jsonl", "yy/d.jsonl", "./x/e.jsonl"});
  EXPECT_THAT(order("source:y/,x/e.jsonl", corpus), ElementsAre(1, 2, 4, 0, 3));
  EXPECT_THAT(order("source:y/z,x", corpus), ElementsAre(2, 0, 4, 1, 3));
}

TEST(KeepRanks, CountsWhatThePolicyCouldNotPlace) {
  const auto without = [](std::string_view policy, const FakeCorpus& corpus) {
    const std::vector<std::uint32_t> units(corpus.size());
    const std::vector<bool> all(corpus.size(), true);
    return keep_ranks(parse_keep_policy(policy).value(), corpus, units, all).value().without_value;
  };
  EXPECT_EQ(without("newest:date", with_fields({"2023-01-01", "5 May 2023", "", "1672617600"})), 2u);
  EXPECT_EQ(without("source:x", from_sources({"x/a.jsonl", "y/b.jsonl"})), 1u);
  EXPECT_EQ(without("longest", with_fields({"", ""})), 0u);
}

TEST(KeepRanks, OnlyDocumentsOfPairsAreReadAndComeFirst) {
  const FakeCorpus corpus = with_fields({"1", "2", "3", "4"});
  EXPECT_THAT(order("max:score", corpus, {}, {false, true, false, true}), ElementsAre(3, 1, 0, 2));
  EXPECT_THAT(corpus.fields_read, ElementsAre(1, 3));
}

}  // namespace
}  // namespace leitong
