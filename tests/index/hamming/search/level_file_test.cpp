#include "index/hamming/search/level_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/try.hpp"
#include "index/hamming/index_helpers.hpp"
#include "index/hamming/search/memory_rows.hpp"
#include "temp_path.hpp"
#include "test_places.hpp"

namespace leitong::hamming {
namespace {

template <Fingerprint F>
std::string bytes_of(const std::vector<Row<F>>& rows, const std::vector<TableShape<F>>& shapes,
                     std::vector<Row<F>> removed) {
  const auto image = build_level<F>(RowSpan<F>(rows), shapes, 3, std::move(removed));
  EXPECT_TRUE(image);
  std::string bytes;
  EXPECT_TRUE(write_level<F>((*image)->parts, [&](std::string_view part) -> Result<void> {
    bytes += part;
    return {};
  }));
  return bytes;
}

template <Fingerprint F>
std::string bytes_of(const std::vector<Row<F>>& rows, const char* plan_name = "blocks4",
                     std::vector<Row<F>> removed = {}) {
  return bytes_of(rows, *level_shapes(*named_plan<F>(plan_name, 3), rows.size()), std::move(removed));
}

class LevelFileTest : public ::testing::Test {
 protected:
  std::filesystem::path write(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
    return path_;
  }
  void TearDown() override {
    if (!HasFailure()) std::filesystem::remove(path_);
  }

  std::filesystem::path path_ = test::temp_path();
};

/// Hits in order, or the error of the search.
template <Fingerprint F>
Result<std::vector<Hit<F>>> search(const Level<F>& level, const std::vector<F>& queries) {
  std::vector<Hit<F>> hits;
  typename Level<F>::Scratch scratch;
  for (std::uint32_t q = 0; q < queries.size(); ++q) {
    std::int16_t limit = 3;
    const std::size_t old = hits.size();
    LEITONG_TRY(level.search({&queries[q], 1}, {&limit, 1}, HitRule::all, scratch, hits));
    for (Hit<F>& hit : std::span(hits).subspan(old)) hit.query = q;
  }
  std::sort(hits.begin(), hits.end(), rank_before<F>);
  return hits;
}

template <Fingerprint F>
void expect_round_trip(const std::filesystem::path& path, const std::vector<Row<F>>& rows,
                       const std::vector<F>& queries) {
  for (const Residence residence : {Residence::mapped, Residence::loaded}) {
    const auto level = Level<F>::open(path, residence);
    ASSERT_TRUE(level) << level.error().message;
    EXPECT_EQ((*level)->distance(), 3u);
    for (int turn = 0; turn < 2; ++turn) {  // checked during the search, then before it
      const auto hits = search(**level, queries);
      ASSERT_TRUE(hits) << hits.error().message;
      EXPECT_EQ(*hits, search_slowly(rows, queries, 3));
      EXPECT_TRUE((*level)->verify());
    }
  }
}

TEST_F(LevelFileTest, AnOpenedLevelAnswersLikeTheOneThatWasWritten) {
  std::mt19937_64 random(1);
  auto rows = random_rows<Fingerprint64>(4000, random);
  const auto queries = random_queries(rows, 200, random);
  expect_round_trip(write(bytes_of(rows)), rows, queries);
  EXPECT_EQ(*level_bits(path_), 64u);
  for (auto& row : rows) row.id %= 1000;  // ids of 32 bits
  expect_round_trip(write(bytes_of(rows, "cover6_4_3")), rows, queries);
}

TEST_F(LevelFileTest, HoldsFingerprintsOf128Bits) {
  std::mt19937_64 random(2);
  const auto rows = random_rows<Fingerprint128>(3000, random);
  expect_round_trip(write(bytes_of(rows)), rows, random_queries(rows, 100, random));
  EXPECT_EQ(*level_bits(path_), 128u);
  const auto narrow = Level<Fingerprint64>::open(path_, Residence::mapped);
  ASSERT_FALSE(narrow);
  EXPECT_NE(narrow.error().message.find("128 bits"), std::string::npos);
}

TEST_F(LevelFileTest, HoldsNothing) {
  expect_round_trip(write(bytes_of(std::vector<Row<Fingerprint64>>{})), std::vector<Row<Fingerprint64>>{},
                    {1, 2, 3});
}

TEST_F(LevelFileTest, HoldsBucketsWithTablesOfTheirOwn) {
  std::mt19937_64 random(3);
  std::vector<Row<Fingerprint64>> rows;
  for (std::uint64_t i = 0; i < 20000; ++i) rows.push_back({near<Fingerprint64>(0, 9, random, 16), i});
  expect_round_trip(write(bytes_of(rows)), rows, random_queries(rows, 50, random));
}

TEST_F(LevelFileTest, KeepsTheListOfRemovedRows) {
  std::mt19937_64 random(4);
  const auto removed = random_rows<Fingerprint64>(100, random);
  write(bytes_of(random_rows<Fingerprint64>(100, random), "blocks4", removed));
  const auto level = Level<Fingerprint64>::open(path_, Residence::mapped);
  ASSERT_TRUE(level);
  for (const auto& row : removed) EXPECT_TRUE(*(*level)->removes(row));
  EXPECT_FALSE(*(*level)->removes({random(), random()}));
}

/// The same on every machine: the standard defines the generator.
std::vector<Row<Fingerprint64>> golden_rows() {
  std::mt19937_64 random(2026);
  std::vector<Row<Fingerprint64>> rows;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const std::uint64_t fingerprint =
        i % 4 == 0 ? random() : rows.back().fingerprint ^ (i % 4 == 1 ? 0 : 1ull << i);
    rows.push_back({fingerprint, i});
  }
  return rows;
}

// docs/format.md describes these bytes. If they have to change, the version must change, and this file must
// stay to show that the old one is refused or read.
TEST_F(LevelFileTest, Version1IsWrittenAndReadAsItAlwaysWas) {
  const auto rows = golden_rows();
  const std::vector<Row<Fingerprint64>> removed{{1, 2}, {3, 4}};
  std::vector<TableShape<Fingerprint64>> shapes;
  for (const std::uint64_t mask : {7ull, 7ull << 16, 7ull << 32, 7ull << 48}) shapes.push_back({mask});
  const std::string written = bytes_of(rows, shapes, removed);
  const std::filesystem::path golden = LEITONG_SOURCE_DIR "/tests/index/hamming/golden/level-v1.hamming";
  std::ifstream file(golden, std::ios::binary);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(written == expected) << "written were " << write(written) << ", expected " << golden;
  std::mt19937_64 random(1);
  expect_round_trip(golden, rows, random_queries(rows, 50, random));
  const auto level = Level<Fingerprint64>::open(golden, Residence::mapped);
  ASSERT_TRUE(level);
  EXPECT_TRUE(*(*level)->removes(removed[1]));
}

TEST_F(LevelFileTest, EveryTruncationIsDetectedAtOpening) {
  std::mt19937_64 random(5);
  const std::string whole = bytes_of(random_rows<Fingerprint64>(20, random));
  write(whole);
  for (std::size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(path_, size);
    const auto level = Level<Fingerprint64>::open(path_, Residence::mapped);
    ASSERT_FALSE(level) << size;
    EXPECT_NE(level.error().message.find(path_.string()), std::string::npos);
  }
}

TEST_F(LevelFileTest, NoFlippedBitChangesAnAnswer) {
  std::mt19937_64 random(6);
  auto rows = random_rows<Fingerprint64>(24, random);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].id = i;
  const auto queries = random_queries(rows, 8, random);
  const auto expected = search_slowly(rows, queries, 3);
  const std::string whole = bytes_of(rows);
  ASSERT_LT(whole.size(), 4096u);
  write(whole);
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t at, char byte) {
    file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
  };
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    put(bit / 8, static_cast<char>(whole[bit / 8] ^ 1 << bit % 8));
    if (const auto level = Level<Fingerprint64>::open(path_, Residence::mapped)) {
      if (const auto hits = search(**level, queries)) {
        EXPECT_EQ(*hits, expected) << bit;
      }
      EXPECT_FALSE((*level)->verify()) << bit;
    } else {
      EXPECT_NE(level.error().message.find(path_.string()), std::string::npos);
    }
    EXPECT_FALSE(Level<Fingerprint64>::open(path_, Residence::loaded)) << bit;
    put(bit / 8, whole[bit / 8]);
  }
}

TEST_F(LevelFileTest, DamageFarInAFileIsFoundWhereItIsReadAndNowhereElse) {
  std::mt19937_64 random(7);
  const auto rows = random_rows<Fingerprint64>(60000, random);
  std::string bytes = bytes_of(rows);
  const std::size_t damaged = bytes.size() / 2;
  bytes[damaged] = static_cast<char>(bytes[damaged] ^ 1);
  write(bytes);
  const auto queries = random_queries(rows, 100, random);
  const auto expected = search_slowly(rows, queries, 3);
  unsigned refused = 0;
  for (std::uint32_t q = 0; q < queries.size(); ++q) {
    const auto level = Level<Fingerprint64>::open(path_, Residence::mapped);
    ASSERT_TRUE(level);
    std::vector<Hit<Fingerprint64>> hits;
    Level<Fingerprint64>::Scratch scratch;
    std::int16_t limit = 3;
    const auto searched = (*level)->search({&queries[q], 1}, {&limit, 1}, HitRule::all, scratch, hits);
    if (!searched) {
      ++refused;
      EXPECT_EQ(searched.error().code, ErrorCode::corrupt);
      EXPECT_NE(searched.error().message.find(path_.string()), std::string::npos);
      EXPECT_NE(searched.error().message.find("at offset"), std::string::npos);
      continue;
    }
    const auto of_query =
        std::count_if(expected.begin(), expected.end(), [&](const auto& hit) { return hit.query == q; });
    EXPECT_EQ(std::ssize(hits), of_query);
  }
  EXPECT_GT(refused, 0u);
  EXPECT_LT(refused, 100u);
}

/// A level whose parts can be changed before it is written, with right checksums.
struct Crafted {
  explicit Crafted(const std::vector<Row<Fingerprint64>>& rows) {
    const auto shapes = level_shapes(*named_plan<Fingerprint64>("blocks4", 3), rows.size());
    image = *build_level<Fingerprint64>(RowSpan<Fingerprint64>(rows), *shapes, 3);
    parts = image->parts;
    groups.assign(parts.groups.begin(), parts.groups.end());
    for (const auto& table : parts.tables)
      directories.emplace_back(table.directory.begin(), table.directory.end());
  }
  [[nodiscard]] std::string bytes() {
    parts.groups = groups;
    for (std::size_t i = 0; i < directories.size(); ++i) parts.tables[i].directory = directories[i];
    std::string written;
    EXPECT_TRUE(write_level<Fingerprint64>(parts, [&](std::string_view part) -> Result<void> {
      written += part;
      return {};
    }));
    return written;
  }

  std::unique_ptr<LevelImage<Fingerprint64>> image;
  LevelParts<Fingerprint64> parts;
  std::vector<Group> groups;
  std::vector<std::vector<std::uint32_t>> directories;
};

/// The first error of opening, searching and verifying; empty if there is none.
std::string complaint(const std::filesystem::path& path, Residence residence,
                      const std::vector<Fingerprint64>& queries) {
  const auto level = Level<Fingerprint64>::open(path, residence);
  if (!level) return level.error().message;
  if (const auto hits = search(**level, queries); !hits) return hits.error().message;
  const auto verified = (*level)->verify();
  return verified ? "" : verified.error().message;
}

TEST_F(LevelFileTest, NonsenseUnderRightChecksumsIsRefusedAndReadsNothingOutside) {
  std::mt19937_64 random(8);
  const auto rows = random_rows<Fingerprint64>(2'000, random);
  const auto queries = random_queries(rows, 50, random);
  const Crafted whole(rows);
  ASSERT_GT(whole.groups.size(), 3u);
  for (const Residence residence : {Residence::mapped, Residence::loaded}) {
    for (int trial = 0; trial < 200; ++trial) {
      Crafted crafted(rows);
      if (trial % 2 == 0) {
        auto& directory = crafted.directories[random() % crafted.directories.size()];
        directory[random() % (directory.size() - 1)] = static_cast<std::uint32_t>(random() | 0x100000);
      } else {
        Group& group = crafted.groups[random() % crafted.groups.size()];
        (random() % 2 == 0 ? group.position : group.surplus) =
            static_cast<std::uint32_t>(random() | 0x100000);
      }
      write(crafted.bytes());
      EXPECT_NE(complaint(path_, residence, queries), "") << trial;
    }
    Crafted falling(rows);
    falling.directories[0][5] += falling.directories[0][6] - falling.directories[0][5] + 1;
    write(falling.bytes());
    EXPECT_NE(complaint(path_, residence, queries), "") << "a bucket that ends before it begins";
    Crafted circle(rows);
    circle.parts.splits.push_back({1, 0, 0});
    write(circle.bytes());
    EXPECT_NE(complaint(path_, residence, queries), "") << "a bucket that is split into the tables it is of";
  }
}

}  // namespace
}  // namespace leitong::hamming
