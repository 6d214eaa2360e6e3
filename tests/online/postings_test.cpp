#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "base/try.hpp"
#include "io/byte_stream.hpp"
#include "io/compression.hpp"
#include "io/read_file.hpp"
#include "online/posting_lists.hpp"
#include "online/posting_table.hpp"
#include "online/segment.hpp"
#include "temp_folder.hpp"
#include "test_places.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

std::vector<Posting> random_postings(std::uint32_t seed, TextNumber first, TextNumber texts) {
  std::mt19937_64 random(seed);
  std::vector<Posting> postings;
  for (TextNumber text = first; text < first + texts; ++text) {
    std::set<Key> keys;
    for (int i = 0; i < 10; ++i) {
      // Few keys that many texts have, and many that few have.
      const Key key = random() % 3 == 0 ? random() % 20 << 40 | 7 : random() & ((Key{1} << kKeyBits) - 1);
      keys.insert(key);
    }
    for (const Key key : keys) postings.push_back({key, text});
  }
  return postings;
}

std::vector<TextRecord> records_of(TextNumber first, TextNumber texts) {
  std::vector<TextRecord> records;
  for (TextNumber text = first; text < first + texts; ++text)
    records.push_back(
        {text * 3, {{text, text + 1, text + 2, text + 3, text + 4, text + 5, text + 6, text + 7}}});
  return records;
}

PostingTable table_of(const std::vector<Posting>& postings) {
  PostingTable table;
  for (const Posting& posting : postings) table.add(posting.key, posting.text);
  return table;
}

std::shared_ptr<const Segment> segment_of(const fs::path& path, const std::vector<Posting>& postings,
                                          TextNumber first, const std::vector<TextRecord>& records) {
  const PostingTable table = table_of(postings);
  const PodVector<Posting> sorted = table.sorted();
  SegmentContent content{sorted.size(), sorted.size(), {}, first, {records}};
  content.postings = [&](const auto& take) -> Result<void> {
    for (const Posting& posting : sorted) LEITONG_TRY(take(posting));
    return {};
  };
  EXPECT_TRUE(write_segment(path, content));
  auto segment = Segment::open(path);
  EXPECT_TRUE(segment) << (segment ? "" : segment.error().message);
  return segment ? *segment : nullptr;
}

using Model = std::map<Key, std::vector<TextNumber>>;

void expect_lists(const PostingSources& sources, const Model& model) {
  std::vector<Key> keys = {0, 1, (Key{1} << kKeyBits) - 1};  // including keys that were never posted
  for (const auto& [key, texts] : model) keys.push_back(key);
  for (const std::uint32_t most : {5u, 1000u}) {
    PostingLists lists;
    const std::vector<std::uint32_t> bounds(keys.size(), most);
    ASSERT_TRUE(find_lists(sources, keys, bounds, lists));
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto expected = model.find(keys[k]);
      std::vector<TextNumber> texts = expected == model.end() ? std::vector<TextNumber>{} : expected->second;
      std::erase_if(texts, [&](TextNumber text) { return sources.removed->contains(text); });
      if (texts.size() > most) texts.resize(most);
      EXPECT_TRUE(std::ranges::equal(lists[k], texts)) << "key " << keys[k];
    }
  }
}

TEST(Postings, OfTableSegmentsAndBatchAreOneList) {
  const TempFolder folder("postings");
  Model model;
  std::vector<std::shared_ptr<const Segment>> segments;
  TextNumber next = 0;
  std::vector<std::vector<Posting>> parts;
  for (const TextNumber texts : {500u, 3u, 0u, 1200u, 300u, 40u}) {
    parts.push_back(random_postings(next, next, texts));
    for (const Posting& posting : parts.back()) model[posting.key].push_back(posting.text);
    if (parts.size() <= 4)
      segments.push_back(segment_of(folder.path() / std::to_string(parts.size()), parts.back(), next,
                                    records_of(next, texts)));
    next += texts;
  }
  const PostingTable table = table_of(parts[4]), newest = table_of(parts[5]);
  TextSet removed;
  expect_lists({segments, &table, &newest, &removed}, model);
  for (TextNumber text = 0; text < next; text += 3) removed.add(text);
  expect_lists({segments, &table, &newest, &removed}, model);

  // Merged: the same lists without the postings of removed texts, and the same records.
  const auto content = merged(segments, [&](TextNumber text) { return !removed.contains(text); });
  ASSERT_TRUE(content);
  ASSERT_TRUE(write_segment(folder.path() / "merged", *content));
  const auto one = Segment::open(folder.path() / "merged");
  ASSERT_TRUE(one);
  EXPECT_LT((*one)->postings(), content->most_postings * 3 / 4);
  const std::vector<std::shared_ptr<const Segment>> alone = {*one};
  expect_lists({alone, &table, &newest, &removed}, model);
  const std::vector<TextRecord> records = records_of(0, 1703);
  EXPECT_TRUE(std::ranges::equal((*one)->records(), records));
  EXPECT_EQ((*one)->record(1000).value(), records[1000]);
}

TEST(Postings, AreSortedForAnyKeysAndATableIsUsedAgain) {
  std::mt19937_64 random(3);
  PostingTable table;
  // Any keys; adjacent ones; with the same upper bits; and with few of them.
  for (const std::uint64_t mask :
       {(std::uint64_t{1} << kKeyBits) - 1, std::uint64_t{0xfff}, std::uint64_t{0xff0000000fff}}) {
    table.clear();
    EXPECT_EQ(table.postings(), 0u);
    std::vector<Posting> expected;
    for (TextNumber text = 0; text < 5000; ++text) {
      expected.push_back({random() & mask, text});
      table.add(expected.back().key, text);
    }
    std::ranges::stable_sort(expected, {}, &Posting::key);
    EXPECT_TRUE(std::ranges::equal(table.sorted(), expected)) << mask;
    EXPECT_EQ(table.postings(), 5000u);
  }
  table.clear();
  EXPECT_TRUE(table.sorted().empty());
  EXPECT_TRUE(table.find(7).empty());
}

TEST(Segment, FilterHoldsEveryKeyAndRefusesMostOthers) {
  const TempFolder folder("filter");
  const std::vector<Posting> postings = random_postings(1, 0, 3000);
  const auto segment = segment_of(folder.path() / "s", postings, 0, {});
  for (const Posting& posting : postings) ASSERT_TRUE(segment->may_hold(posting.key).value());
  std::mt19937_64 random(9);
  int passed = 0;
  constexpr int kOthers = 20000;
  for (int i = 0; i < kOthers; ++i) passed += segment->may_hold(random() >> (64 - kKeyBits)).value();
  EXPECT_LT(passed, kOthers * 5 / 100);
}

TEST(Segment, EveryFlippedByteAndEveryTruncationIsFound) {
  const TempFolder folder("damage");
  const fs::path path = folder.path() / "s";
  const std::vector<Posting> postings = random_postings(1, 0, 20);
  segment_of(path, postings, 0, records_of(0, 20));
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const auto found = [&](const std::string& content) {
    fs::remove(path);
    std::ofstream(path, std::ios::binary) << content;
    const auto segment = Segment::open(path);
    if (!segment) return segment.error().message.find(path.string()) != std::string::npos;
    const auto whole = (*segment)->verify();
    return !whole && whole.error().message.find("offset") != std::string::npos;
  };
  ASSERT_FALSE(found(bytes));
  // Most of a small segment are the offsets of empty buckets, so one in 97 of them is tested for all.
  for (std::size_t i = 0; i<bytes.size(); i += i> 4096 && i + 4096 < bytes.size() ? 97 : 1) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_TRUE(found(damaged)) << "byte " << i;
    if (i % 5 == 0) {
      EXPECT_TRUE(found(bytes.substr(0, i))) << "cut at " << i;
    }
  }
}

// Damage must be found by reading, not only by verify().
TEST(Segment, DamageIsFoundWhereItIsRead) {
  const TempFolder folder("damage-read");
  const fs::path path = folder.path() / "s";
  const std::vector<Posting> postings = random_postings(1, 0, 2000);
  segment_of(path, postings, 0, {});
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(70);  // among the postings, which come first
  file.put('x');
  file.close();
  const auto segment = Segment::open(path);
  ASSERT_TRUE(segment);
  Key least = postings[0].key;
  for (const Posting& posting : postings) least = std::min(least, posting.key);
  const auto read = (*segment)->for_each(least, [](TextNumber) {});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::corrupt);
}

// The bytes are those of docs/format.md, and later versions must read them.
TEST(Segment, GoldenFile) {
  const fs::path golden = fs::path(LEITONG_SOURCE_DIR) / "tests/online/golden/segment-v2.online.zst";
  const TempFolder folder("golden");
  const std::vector<Posting> postings = random_postings(42, 100, 30);
  segment_of(folder.path() / "s", postings, 100, records_of(100, 30));
  const fs::path unpacked = folder.path() / "golden";
  auto stored = std::make_unique<StoredBytes>(ReadFile::open(golden).value(), nullptr);
  const auto stream = make_decoder(Compression::zstd, std::move(stored));
  std::ofstream(unpacked, std::ios::binary) << read_all(*stream, golden).value();
  const auto bytes = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(bytes(folder.path() / "s"), bytes(unpacked));
  ASSERT_TRUE(Segment::open(unpacked));
}

}  // namespace
}  // namespace leitong::online
