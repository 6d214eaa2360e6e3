// A folder of input files, and the corpus that is opened from them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "io/output_file.hpp"
#include "temporary_folder.hpp"

namespace leitong {

/// All results of streaming.
struct Streamed {
  struct Document {
    std::string id, text;
    bool operator==(const Document&) const = default;
  };
  std::vector<Document> documents;
  std::string error;  // of next_batch() or commit()
};

inline Streamed stream(DocumentSource& source) {
  Streamed result;
  const auto scratch = source.new_scratch();
  while (true) {
    auto batch = source.next_batch();
    if (!batch) {
      result.error = batch.error().message;
      return result;
    }
    if (*batch == nullptr) return result;
    source.parse(**batch, *scratch, [&](const DocumentText& document) {
      result.documents.push_back({std::string(document.id), std::string(document.text)});
    });
    if (const auto committed = source.commit(**batch); !committed) {
      result.error = committed.error().message;
      return result;
    }
  }
}

/// Tests write inputs under `folder_` and check the documents that are read from them.
class CorpusTest : public testing::Test {
 protected:
  std::string put(std::string_view name, std::string_view bytes) {
    write_file(folder_ / name, bytes);
    return (folder_ / name).string();
  }

  InputOptions options(std::vector<std::string> paths) {
    InputOptions result;
    result.paths = std::move(paths);
    return result;
  }

  /// Opens and streams: the corpus is kept in corpus_, the documents in streamed_.
  void open(InputOptions input) {
    auto opened = Corpus::open(std::move(input), run_);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    corpus_ = std::move(*opened);
    streamed_ = stream(*corpus_);
  }
  void open(std::vector<std::string> paths) { open(options(std::move(paths))); }

  std::vector<std::string> texts() const {
    std::vector<std::string> result;
    for (const auto& document : streamed_.documents) result.push_back(document.text);
    return result;
  }

  /// The quarantine's lines, with the test's folder cut out of them.
  std::vector<std::string> quarantine() {
    std::string all;
    const auto written = write_quarantine(*corpus_, [&](std::string_view block) -> Result<void> {
      all += block;
      return {};
    });
    EXPECT_TRUE(written.has_value()) << written.error().message;
    std::vector<std::string> lines;
    std::istringstream in(all);
    for (std::string line; std::getline(in, line);) {
      for (std::size_t at; (at = line.find(folder_.str() + "/")) != std::string::npos;)
        line.erase(at, folder_.str().size() + 1);
      lines.push_back(line);
    }
    EXPECT_EQ(lines.size(), corpus_->quarantined());
    return lines;
  }

  std::string kept(const std::function<bool(DocId)>& keep = [](DocId) { return true; }) {
    std::string bytes;
    const auto copied = corpus_->copy_kept(keep, [&](std::string_view piece) -> Result<void> {
      bytes += piece;
      return {};
    });
    EXPECT_TRUE(copied.has_value()) << copied.error().message;
    return bytes;
  }

  std::string place_name(DocId document) const {
    std::string name = corpus_->place_name(document);
    if (name.starts_with(folder_.str() + "/")) name.erase(0, folder_.str().size() + 1);
    return name;
  }

  /// Documents read by number are what was streamed.
  void expect_random_access_equals_streaming() {
    const auto scratch = corpus_->new_scratch();
    ASSERT_EQ(corpus_->size(), streamed_.documents.size());
    for (std::size_t i = streamed_.documents.size(); i-- > 0;) {
      const auto document = corpus_->read(static_cast<DocId>(i), *scratch);
      ASSERT_TRUE(document.has_value()) << document.error().message;
      EXPECT_EQ(document->id, streamed_.documents[i].id);
      EXPECT_EQ(document->text, streamed_.documents[i].text);
    }
  }

  TemporaryFolder folder_;
  const Context context_{{.work_folder = folder_ / "work"}};
  const RunContext run_{context_};
  std::unique_ptr<Corpus> corpus_;
  Streamed streamed_;
};

}  // namespace leitong
