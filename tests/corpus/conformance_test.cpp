// The promises of DocumentSource and Corpus, checked for every source: each registered format from files,
// from compressed files and from a pipe, the texts of a caller, and a format that is not addressed by bytes.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <map>
#include <random>
#include <thread>

#include "corpus/block_format.hpp"
#include "corpus/corpus_fixture.hpp"
#include "corpus/memory_documents.hpp"
#include "io/table_files.hpp"

namespace leitong {
namespace {

using Documents = std::vector<Streamed::Document>;

/// Several batches of documents: about a megabyte.
Documents documents_of(std::size_t count) {
  std::mt19937 random(5);
  Documents documents;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = "text " + std::to_string(i);
    for (std::size_t word = random() % 200; word > 0; --word)
      text += " w" + std::to_string(random() % 10'000);
    documents.push_back({"id-" + std::to_string(i), text});
  }
  return documents;
}

/// A table of two columns, made by the component; empty if it was not built.
std::string table_of(const Documents& documents, TableForm form) {
  const auto files = table_files();
  if (!files) return {};
  std::string bytes;
  const auto writer =
      (*files)->new_writer(form, {{"id"}, {"text"}}, [&](std::string_view part) -> Result<void> {
        bytes += part;
        return {};
      });
  for (const auto& document : documents) {
    (*writer)->text(document.id);
    (*writer)->text(document.text);
    EXPECT_TRUE((*writer)->end_row());
  }
  EXPECT_TRUE((*writer)->finish());
  return bytes;
}

/// How records of a format are written. Formats of one document a file write one.
using Write = std::string (*)(const Documents&);
const std::map<std::string, Write>& writers() {
  static const std::map<std::string, Write> known = {
      {"jsonl",
       [](const Documents& documents) {
         std::string bytes;
         for (const auto& d : documents) bytes += R"({"id":")" + d.id + R"(","text":")" + d.text + "\"}\n";
         return bytes;
       }},
      {"jsonl_array",
       [](const Documents& documents) {
         std::string bytes = "[\n";
         for (const auto& d : documents)
           bytes += (bytes.size() > 2 ? ",\n" : "") +
                    ("  {\n    \"id\": \"" + d.id + "\",\n    \"text\": \"" + d.text + "\"\n  }");
         return bytes + "\n]\n";
       }},
      {"csv",
       [](const Documents& documents) {
         std::string bytes = "id,text\r\n";
         for (const auto& d : documents) bytes += d.id + ",\"" + d.text + "\"\r\n";
         return bytes;
       }},
      {"tsv",
       [](const Documents& documents) {
         std::string bytes = "text\tid\n";
         for (const auto& d : documents) bytes += d.text + "\t" + d.id + "\n";
         return bytes;
       }},
      {"lines",
       [](const Documents& documents) {
         std::string bytes;
         for (const auto& d : documents) bytes += d.text + "\n";
         return bytes;
       }},
      {"warc",
       [](const Documents& documents) {
         std::string bytes = "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
         for (const auto& d : documents)
           bytes += "WARC/1.1\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nWARC-Record-ID: " +
                    (d.id.empty() ? "" : "<" + d.id + ">") +
                    "\r\nContent-Length: " + std::to_string(d.text.size()) + "\r\n\r\n" + d.text + "\r\n\r\n";
         return bytes;
       }},
      {"parquet", [](const Documents& documents) { return table_of(documents, TableForm::parquet); }},
      {"arrow", [](const Documents& documents) { return table_of(documents, TableForm::arrow_file); }},
      {"arrow_stream",
       [](const Documents& documents) { return table_of(documents, TableForm::arrow_stream); }},
      {"blocks",
       [](const Documents& documents) {
         std::string bytes(BlockFormat::kMagic), rows;
         for (std::size_t i = 0; i < documents.size(); ++i) {
           rows += documents[i].id + "\t" + documents[i].text + "\n";
           if (i % 17 != 16 && i + 1 != documents.size()) continue;
           bytes += BlockFormat::block(rows);
           rows.clear();
         }
         return bytes;
       }},
      {"mediawiki",
       [](const Documents& documents) {
         std::string bytes = "<mediawiki xml:lang=\"en\">\n  <siteinfo></siteinfo>\n";
         for (const auto& d : documents)
           bytes += "  <page>\n    <title>T</title>\n    <id>" + d.id +
                    "</id>\n    <revision>\n      <id>7</id>\n      <text>" + d.text +
                    "</text>\n    </revision>\n  </page>\n";
         return bytes + "</mediawiki>\n";
       }},
      {"subtitles",
       [](const Documents& documents) {
         return "1\n00:00:01,000 --> 00:00:02,000\n" + documents.front().text + "\n";
       }},
      {"text", [](const Documents& documents) { return documents.front().text; }},
      {"html", [](const Documents& documents) { return "<p>" + documents.front().text + "</p>"; }}};
  return known;
}

struct Case {
  std::string format;  // of writers(), or "memory"
  std::string way;     // "plain", "gz", "pipe"
};
void PrintTo(const Case& tried, std::ostream* out) { *out << tried.format << ", " << tried.way; }
std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.format + "_" + info.param.way;
}

std::vector<Case> cases() {
  std::vector<Case> all = {{"memory", "plain"}};
  for (const auto& [format, write] : writers())
    for (const char* way : {"plain", "gz", "pipe"}) all.push_back({format, way});
  return all;
}

class EverySource : public CorpusTest, public testing::WithParamInterface<Case> {
 protected:
  void SetUp() override { make(); }
  void TearDown() override {
    if (feeder_.joinable()) feeder_.join();
  }

  /// Makes a new source with the documents of expected_.
  void make() {
    if (feeder_.joinable()) feeder_.join();
    const auto& [format, way] = GetParam();
    if (format == "memory") {
      if (texts_.empty()) expected_ = documents_of(3000);
      texts_.clear();
      for (auto& document : expected_) {
        document.id.clear();
        texts_.emplace_back(document.text);
      }
      memory_ = std::make_unique<MemoryDocuments>(texts_);
      return;
    }
    const std::string kind = format.substr(0, format.find('_'));
    const RecordFormat* known = formats_with_blocks().by_name(kind);
    ASSERT_NE(known, nullptr);
    if (const auto tables = table_files(); known->info().is_table && !tables)
      GTEST_SKIP() << tables.error().message;
    files_ = known->info().one_document_a_file;
    const Write write = writers().at(format);
    expected_ = documents_of(files_ ? way == "pipe" ? 1 : 40 : 3000);
    auto input = options({});
    input.formats = &formats_with_blocks();
    input.kind = kind;
    if (files_ && way != "pipe") {
      for (std::size_t i = 0; i < expected_.size(); ++i)
        pack("in/" + std::to_string(1000 + i), write({expected_[i]}));
      input.paths = {(folder_ / "in").string()};
    } else if (way == "pipe") {
      input.paths = {(folder_ / "pipe").string()};
      ::mkfifo(input.paths[0].c_str(), 0600);
      feeder_ = std::thread([path = input.paths[0], bytes = write(expected_)] { write_file(path, bytes); });
    } else {
      input.paths = {pack("in/records", write(expected_))};
    }
    if (files_ || format == "lines")
      for (auto& document : expected_) document.id.clear();
    auto opened = Corpus::open(input, run_);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    corpus_ = std::move(*opened);
  }

  std::string pack(const std::string& name, const std::string& bytes) {
    if (GetParam().way != "gz") return put(name, bytes);
    const auto path = folder_ / (name + ".gz");
    std::filesystem::create_directories(path.parent_path());
    const auto out = OutputFile::create(path, true);
    EXPECT_TRUE((*out)->write(bytes) && (*out)->commit());
    return path.string();
  }

  DocumentSource& source() { return memory_ ? static_cast<DocumentSource&>(*memory_) : *corpus_; }

  void expect_document(DocId number, ReadScratch& scratch) {
    const auto document = source().read(number, scratch);
    ASSERT_TRUE(document.has_value()) << document.error().message;
    ASSERT_EQ(document->id, expected_[number].id);
    ASSERT_EQ(document->text, expected_[number].text);
  }

  Documents expected_;
  std::vector<std::string_view> texts_;
  std::unique_ptr<MemoryDocuments> memory_;
  std::thread feeder_;
  bool files_ = false;
};
INSTANTIATE_TEST_SUITE_P(All, EverySource, testing::ValuesIn(cases()), name_of);

TEST(EverySource, CoversEveryRegisteredFormat) {
  for (const std::string& name : standard_formats().names())
    // A component reads office files, each in a process of its own: tests/cli/documents_test.py.
    EXPECT_TRUE(name == "office" || writers().contains(name)) << name;
}

TEST_P(EverySource, StreamsInOrderAndCountsWhatItReads) {
  const Streamed streamed = stream(source());
  EXPECT_EQ(streamed.error, "");
  EXPECT_TRUE(streamed.documents == expected_);
  EXPECT_EQ(source().size(), expected_.size());
  EXPECT_GT(source().bytes_read(), 0u);
  if (source().total_bytes() > 0) {
    EXPECT_EQ(source().bytes_read(), source().total_bytes());
  }
  const auto after = source().next_batch();
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(*after, nullptr);
}

TEST_P(EverySource, BatchesMayBeParsedAtTheSameTimeAndAreNumberedByCommit) {
  std::vector<std::unique_ptr<RecordBatch>> batches;
  for (;;) {
    auto batch = source().next_batch();
    ASSERT_TRUE(batch.has_value()) << batch.error().message;
    if (*batch == nullptr) break;
    batches.push_back(std::move(*batch));
  }
  std::vector<Documents> parsed(batches.size());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto scratch = source().new_scratch();
      for (std::size_t i = t; i < batches.size(); i += 4)
        source().parse(*batches[i], *scratch, [&](const DocumentText& document) {
          parsed[i].push_back({std::string(document.id), std::string(document.text)});
        });
    });
  for (std::thread& thread : threads) thread.join();
  Documents all;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(source().size(), all.size());
    ASSERT_TRUE(source().commit(*batches[i]));
    all.insert(all.end(), parsed[i].begin(), parsed[i].end());
  }
  EXPECT_TRUE(all == expected_);
  EXPECT_EQ(source().size(), all.size());
}

TEST_P(EverySource, ReadsByNumberInAnyOrderFromManyThreads) {
  ASSERT_EQ(stream(source()).error, "");
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto scratch = source().new_scratch();
      std::mt19937 random(t);
      for (std::size_t i = 0; i < expected_.size(); ++i)
        expect_document(static_cast<DocId>(t % 2 == 0 ? random() % expected_.size() : i), *scratch);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_P(EverySource, ReadsByNumberWhileTheStreamGoesOn) {
  const auto scratch = source().new_scratch(), other = source().new_scratch();
  for (;;) {
    auto batch = source().next_batch();
    ASSERT_TRUE(batch.has_value());
    if (*batch == nullptr) break;
    source().parse(**batch, *scratch, [](const DocumentText&) {});
    ASSERT_TRUE(source().commit(**batch));
    if (source().size() == 0) continue;
    expect_document(static_cast<DocId>(source().size() - 1), *other);
    expect_document(0, *other);
  }
}

TEST_P(EverySource, NamesEveryPlaceOnce) {
  if (memory_) GTEST_SKIP() << "texts of a caller have no places";
  stream(source());
  std::set<std::string> names;
  const auto scratch = source().new_scratch();
  for (DocId d = 0; d < expected_.size(); ++d) {
    const std::string name = corpus_->place_name(d);
    EXPECT_TRUE(name.starts_with(corpus_->source_path(d)));
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(*corpus_->id(d, *scratch), expected_[d].id.empty() ? name : expected_[d].id);
    if (d > 0) {
      EXPECT_LE(corpus_->place(d - 1).position, corpus_->place(d).position);
    }
  }
  EXPECT_EQ(corpus_->records(), expected_.size());
  EXPECT_EQ(corpus_->one_document_a_file(), files_);
}

TEST_P(EverySource, WhatIsKeptReadsAsWhatWasChosen) {
  if (memory_) GTEST_SKIP() << "texts of a caller are not written";
  stream(source());
  const auto choose = [](DocId d) { return d % 3 != 1; };
  if (files_) {
    EXPECT_FALSE(corpus_->check_copyable());
    return;
  }
  const std::string bytes = kept(choose);
  Documents chosen;
  for (DocId d = 0; d < expected_.size(); ++d)
    if (choose(d)) chosen.push_back(expected_[d]);
  auto input = options({put("kept", bytes)});
  input.formats = &formats_with_blocks();
  input.kind = GetParam().format.substr(0, GetParam().format.find('_'));
  open(input);
  EXPECT_TRUE(streamed_.documents == chosen);
  EXPECT_EQ(corpus_->quarantined(), 0u);
}

}  // namespace
}  // namespace leitong
