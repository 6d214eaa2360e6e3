// SimHash as yanyiwu/simhash has it: cppjieba's keywords (TF-IDF, top N), a weighted 64-bit SimHash of them,
// pairs within a Hamming distance (Charikar 2002; Manku, Jain, Sarma 2007). Uses cppjieba itself.
//
//   simhash_jieba DICTIONARIES INPUT.jsonl OUTPUT.tsv [top=20 distance=3]
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cppjieba/KeywordExtractor.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::uint64_t word_hash(std::string_view word) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const unsigned char byte : word) hash = (hash ^ byte) * 0x100000001B3ULL;
  hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93ULL;
  return hash ^ (hash >> 32);
}

std::uint64_t simhash(const std::vector<cppjieba::KeywordExtractor::Word>& words) {
  double sums[64] = {};
  for (const auto& word : words) {
    const std::uint64_t hash = word_hash(word.word);
    for (int bit = 0; bit < 64; ++bit) sums[bit] += (hash >> bit & 1) ? word.weight : -word.weight;
  }
  std::uint64_t print = 0;
  for (int bit = 0; bit < 64; ++bit) print |= static_cast<std::uint64_t>(sums[bit] > 0) << bit;
  return print;
}

// Two prints at distance d agree in at least one of d + 1 blocks; a pair is reported by the first block it
// agrees in.
template <class Report>
void pairs_within(const std::vector<std::uint64_t>& prints, int distance, Report report) {
  const int blocks = distance + 1;
  const auto block = [&](std::uint64_t print, int number) {
    const int begin = 64 * number / blocks, end = 64 * (number + 1) / blocks;
    return end - begin == 64 ? print : print >> begin & ((std::uint64_t{1} << (end - begin)) - 1);
  };
  std::vector<std::uint32_t> order(prints.size());
  for (int number = 0; number < blocks; ++number) {
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      return std::pair(block(prints[a], number), a) < std::pair(block(prints[b], number), b);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        const std::uint64_t a = prints[order[i]], b = prints[order[j]];
        if (block(a, number) != block(b, number)) break;
        if (std::popcount(a ^ b) > distance) continue;
        bool before = false;
        for (int earlier = 0; earlier < number; ++earlier) before |= block(a, earlier) == block(b, earlier);
        if (!before) report(order[i], order[j], std::popcount(a ^ b));
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  std::size_t top = 20;
  int distance = 3;
  for (int i = 4; i < argc; ++i) {
    const std::string_view setting = argv[i];
    if (setting.starts_with("top=")) top = std::strtoul(argv[i] + 4, nullptr, 10);
    if (setting.starts_with("distance=")) distance = std::atoi(argv[i] + 9);
  }
  const std::string folder = argv[1];
  const cppjieba::KeywordExtractor extractor(folder + "/jieba.dict.utf8", folder + "/hmm_model.utf8",
                                             folder + "/idf.utf8", folder + "/stop_words.utf8");
  std::vector<std::string> ids;
  std::vector<std::uint64_t> prints;
  std::vector<cppjieba::KeywordExtractor::Word> words;
  simdjson::ondemand::parser parser;
  const simdjson::padded_string json = simdjson::padded_string::load(argv[2]);
  simdjson::ondemand::document_stream documents = parser.iterate_many(json, std::size_t{64} << 20);
  for (auto document : documents) {
    ids.emplace_back(std::string_view(document["id"]));
    extractor.Extract(std::string(std::string_view(document["text"])), words, top);
    prints.push_back(simhash(words));
  }
  std::FILE* file = std::fopen(argv[3], "w");
  if (!file) return 1;
  std::fputs("id_a\tid_b\testimate\n", file);
  pairs_within(prints, distance, [&](std::uint32_t a, std::uint32_t b, int apart) {
    std::fprintf(file, "%s\t%s\t%.4f\n", ids[a].c_str(), ids[b].c_str(), 1 - apart / 64.0);
  });
  return std::fclose(file) == 0 ? 0 : 1;
}
