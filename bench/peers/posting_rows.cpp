// The peer of bench/online that keeps keys as rows of RocksDB, which is how one would begin: of each text the
// keys that the online index looks up are looked up, and those that it posts are posted. Neither are texts
// kept nor candidates compared: this is the least that such an index costs. Prints one JSON object.
//
//   posting_rows FILE.jsonl FOLDER merge|prefix [--limit N]
//
// merge: a row for each key, to which an operator appends the number of a text. prefix: a row for each key
// and text, found by the key as their prefix.
#include <fmt/core.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <sys/resource.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "online/text_keys.hpp"

namespace leitong::bench {
namespace {

using online::Key;

// The texts of a batch, and the most texts of one key that are read.
constexpr std::size_t kBatch = 1000, kMostOfKey = 64;
constexpr std::size_t kKeyBytes = online::kKeyBits / 8;

void check(const rocksdb::Status& status) {
  if (status.ok()) return;
  fmt::print(stderr, "{}\n", status.ToString());
  std::exit(1);
}

std::string big_endian(std::uint64_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = bytes; i-- > 0;) out += static_cast<char>(number >> (8 * i));
  return out;
}

class Appending : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* held, const rocksdb::Slice& more, std::string* all,
             rocksdb::Logger*) const override {
    *all = held != nullptr ? held->ToString() : std::string();
    all->append(more.data(), more.size());
    return true;
  }
  [[nodiscard]] const char* Name() const override { return "leitong.bench.appending"; }
};

rocksdb::Options options_of(bool merge) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kNoCompression;
  if (merge)
    options.merge_operator = std::make_shared<Appending>();
  else
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kKeyBytes));
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_cache = rocksdb::NewLRUCache(std::size_t{256} << 20);
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

/// Returns how many texts these keys find.
std::uint64_t look_up(rocksdb::DB& rows, bool merge, const std::vector<std::string>& keys) {
  std::uint64_t found = 0;
  if (merge) {
    const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
    std::vector<rocksdb::PinnableSlice> values(keys.size());
    std::vector<rocksdb::Status> states(keys.size());
    rows.MultiGet({}, rows.DefaultColumnFamily(), keys.size(), slices.data(), values.data(), states.data());
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (states[i].ok()) found += std::min(kMostOfKey, values[i].size() / sizeof(std::uint32_t));
    return found;
  }
  rocksdb::ReadOptions reading;
  reading.prefix_same_as_start = true;
  const std::unique_ptr<rocksdb::Iterator> at(rows.NewIterator(reading));
  for (const std::string& key : keys) {
    std::size_t of_key = 0;
    for (at->Seek(key); at->Valid() && of_key < kMostOfKey; at->Next()) ++of_key;
    check(at->status());
    found += of_key;
  }
  return found;
}

int run(const std::string& file, const std::string& folder, bool merge, std::size_t limit) {
  std::vector<std::string> texts;
  std::ifstream in(file);
  for (std::string line; texts.size() != limit && std::getline(in, line);)
    texts.push_back(nlohmann::json::parse(line).at("text"));

  rocksdb::DB* opened = nullptr;
  check(rocksdb::DB::Open(options_of(merge), folder, &opened));
  const std::unique_ptr<rocksdb::DB> rows(opened);
  const online::Secret secret(online::random_secret());
  online::KeyScratch scratch;
  online::TextKeys keys;
  std::uint64_t found = 0, looked_up = 0, posted = 0;
  const auto begun = std::chrono::steady_clock::now();
  for (std::size_t first = 0; first < texts.size(); first += kBatch) {
    rocksdb::WriteBatch batch;
    for (std::size_t i = first; i < std::min(texts.size(), first + kBatch); ++i) {
      online::make_keys(texts[i], {}, secret, scratch, keys);
      std::vector<std::string> wanted = {big_endian(keys.content, kKeyBytes)};
      const auto post = [&](Key key) {
        const std::string row = big_endian(key, kKeyBytes);
        const std::string number = big_endian(i, sizeof(std::uint32_t));
        check(merge ? batch.Merge(row, number) : batch.Put(row + number, ""));
        ++posted;
      };
      post(keys.content);
      for (std::size_t tier = 0; tier < online::kTiers; ++tier) {
        const std::vector<Key>& all = keys.keys[tier];
        for (std::size_t k = 0; k < all.size() && k < keys.quota[tier].look_up; ++k)
          wanted.push_back(big_endian(all[k], kKeyBytes));
        for (std::size_t k = 0; k < all.size() && k < keys.quota[tier].post; ++k) post(all[k]);
      }
      looked_up += wanted.size();
      found += look_up(*rows, merge, wanted);
    }
    rocksdb::WriteOptions writing;
    writing.disableWAL = true;
    check(rows->Write(writing, &batch));
  }
  check(rows->Flush({}));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  const auto count = static_cast<double>(texts.size());
  const nlohmann::ordered_json out = {{"texts", texts.size()},
                                      {"seconds", seconds},
                                      {"texts_a_second", count / seconds},
                                      {"keys_looked_up", static_cast<double>(looked_up) / count},
                                      {"keys_posted", static_cast<double>(posted) / count},
                                      {"found", static_cast<double>(found) / count},
                                      {"bytes_a_text", static_cast<double>(bytes) / count},
                                      {"peak_bytes", static_cast<std::uint64_t>(usage.ru_maxrss) << 10}};
  fmt::print("{}\n", out.dump());
  return 0;
}

}  // namespace
}  // namespace leitong::bench

int main(int argc, char** argv) {
  CLI::App app("keys as rows of RocksDB");
  std::string file, folder, layout;
  std::size_t limit = 0;
  app.add_option("FILE", file)->required();
  app.add_option("FOLDER", folder)->required();
  app.add_option("LAYOUT", layout)->required()->check(CLI::IsMember({"merge", "prefix"}));
  app.add_option("--limit", limit, "texts; 0: all");
  CLI11_PARSE(app, argc, argv);
  return leitong::bench::run(file, folder, layout == "merge", limit == 0 ? SIZE_MAX : limit);
}
