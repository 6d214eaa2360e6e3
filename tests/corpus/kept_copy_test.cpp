// Kept records are written byte for byte.
#include <gmock/gmock.h>

#include <random>

#include "corpus/corpus_fixture.hpp"

namespace leitong {
namespace {

class KeptCopy : public CorpusTest {
 protected:
  struct Written {
    std::string bytes;  // of a record, with its line end
    bool is_document;
  };
  std::mt19937 random_{11};

  std::string line_end() { return random_() % 3 == 0 ? "\r\n" : "\n"; }

  std::string record(bool csv) {
    const std::size_t size = random_() % 50 == 0 ? 3'000'000 : random_() % 300;
    const std::string text = std::to_string(random_()).append(size, 'x');
    if (!csv) return "{\"text\":\"" + text + "\"}";
    return random_() % 2 == 0 ? std::string("7,\"") + text + "\n,\"\"\n" + text + "\""
                              : std::string("7,") + text;
  }
};

TEST_F(KeptCopy, RandomSelectionsAreByteIdentical) {
  for (int round = 0; round < 30; ++round) {
    const bool csv = round % 2 == 1;
    std::vector<std::string> paths;
    std::vector<std::vector<std::string>> sources;  // per file: its documents with their line ends
    for (int file = 0; file < 3; ++file) {
      std::string bytes = csv ? "id,text\n" : file == 0 && round % 3 == 0 ? "\xef\xbb\xbf" : "";
      sources.emplace_back();
      const int count = static_cast<int>(random_() % 80);
      for (int i = 0; i < count; ++i) {
        if (random_() % 10 == 0) bytes += "  " + line_end();
        if (random_() % 10 == 0) bytes += "{\"broken\"" + line_end();
        std::string one = record(csv);
        if (i + 1 < count || random_() % 2 == 0) one += line_end();
        sources.back().push_back(one);
        bytes += one;
      }
      paths.push_back(put(std::to_string(file) + (csv ? ".csv" : ".jsonl"), bytes));
    }
    open(paths);
    std::size_t documents = 0;
    for (const auto& source : sources) documents += source.size();
    ASSERT_EQ(corpus_->size(), documents);

    std::vector<bool> keep(documents);
    for (std::size_t i = 0; i < documents; ++i) keep[i] = random_() % 3 != 0;
    std::string expected;
    bool first = true;
    std::size_t document = 0;
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (const auto& bytes : sources[s]) {
        if (!keep[document++]) continue;
        if (first) expected += csv ? "id,text\n" : s == 0 && round % 3 == 0 ? "\xef\xbb\xbf" : "";
        if (!first && !expected.ends_with('\n')) expected += '\n';
        first = false;
        expected += bytes;
      }
    ASSERT_TRUE(kept([&](DocId d) { return keep[d]; }) == expected) << "round " << round;
  }
}

}  // namespace
}  // namespace leitong
