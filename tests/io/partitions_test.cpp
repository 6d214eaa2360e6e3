#include "io/partitions.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/hash.hpp"
#include "base/radix_sort.hpp"

namespace leitong {
namespace {

std::vector<std::uint64_t> content(const Partitions& partitions, unsigned index) {
  PodVector<std::uint64_t> values;
  EXPECT_TRUE(partitions.load(index, values));
  return {values.begin(), values.end()};
}

/// The bytes on the disk of the files in a folder that this process has open; work files have no name.
std::uint64_t disk_bytes_of_files_in(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code closed;
    struct ::stat about {};
    if (std::filesystem::read_symlink(open, closed).string().starts_with(folder.string() + "/") &&
        ::stat(open.path().c_str(), &about) == 0)
      bytes += static_cast<std::uint64_t>(about.st_blocks) * 512;
  }
  return bytes;
}

TEST(Partitions, HoldTheSameValuesInTheSameOrderWhetherOrNotTheyWereSpilled) {
  const Context context;
  RunContext roomy(context, 1ull << 30), tight(context, MemoryBudget::least(0));
  Partitions in_memory(roomy), on_disk(tight);
  Partitions::Writer a(in_memory), b(on_disk);
  for (std::uint64_t i = 0; i < 5'000'000; ++i) {
    ASSERT_TRUE(a.append(mix64(i) % 256, i));
    ASSERT_TRUE(b.append(mix64(i) % 256, i));
  }
  ASSERT_TRUE(a.flush());
  ASSERT_TRUE(b.flush());
  EXPECT_FALSE(in_memory.spilled());
  EXPECT_TRUE(on_disk.spilled());
  EXPECT_EQ(in_memory.size(), 5'000'000u);
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition)
    ASSERT_EQ(content(in_memory, partition), content(on_disk, partition));
}

TEST(Partitions, LoadSomeIsAPartOfLoadOnDiskAndInMemory) {
  const Context context;
  for (const std::uint64_t limit : {MemoryBudget::least(0), std::uint64_t{1} << 30}) {
    RunContext run(context, limit);
    Partitions partitions(run);
    Partitions::Writer writer(partitions);
    for (std::uint64_t i = 0; i < 3'000'000; ++i) ASSERT_TRUE(writer.append(mix64(i) % 4, i));
    ASSERT_TRUE(writer.flush());
    for (std::uint64_t i = 0; i < 3'000; ++i) ASSERT_TRUE(writer.append(mix64(i) % 4, i));
    ASSERT_TRUE(writer.flush());
    ASSERT_EQ(partitions.spilled(), limit == MemoryBudget::least(0));
    PodVector<std::uint64_t> some;
    for (unsigned partition = 0; partition < 5; ++partition) {
      const std::vector<std::uint64_t> all = content(partitions, partition);
      for (std::uint64_t i = 0; i < 200; ++i) {
        const std::uint64_t begin = mix64(i) % (all.size() + 1);
        const std::uint64_t count =
            std::min<std::uint64_t>(i % 3 == 0 ? all.size() : mix64(i + 1) % 2'000, all.size() - begin);
        ASSERT_TRUE(partitions.load_some(partition, begin, count, some));
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
        ASSERT_TRUE(std::equal(some.begin(), some.end(), from, from + static_cast<std::ptrdiff_t>(count)));
      }
    }
  }
}

TEST(Partitions, TakeEmptiesAndPutFillsAgain) {
  const Context context;
  RunContext run(context);
  Partitions partitions(run);
  Partitions::Writer writer(partitions);
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(writer.append(7, i));
  ASSERT_TRUE(writer.flush());
  PodVector<std::uint64_t> values;
  ASSERT_TRUE(partitions.take(7, values));
  EXPECT_EQ(values.size(), 100u);
  EXPECT_EQ(partitions.size(), 0u);
  EXPECT_TRUE(content(partitions, 7).empty());
  ASSERT_TRUE(partitions.put(7, std::span<const std::uint64_t>(values).first(3)));
  EXPECT_EQ(content(partitions, 7), (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(Partitions, LoseNothingUnderConcurrentWritersThatSpill) {
  const Context context;
  RunContext tight(context, MemoryBudget::least(0));
  Partitions partitions(tight);
  constexpr std::uint64_t kEach = 1'500'000;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Partitions::Writer writer(partitions);
      for (std::uint64_t i = 0; i < kEach; ++i) EXPECT_TRUE(writer.append(i % 256, t * kEach + i));
      EXPECT_TRUE(writer.flush());
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<bool> seen(4 * kEach);
  for (unsigned partition = 0; partition < Partitions::kCount; ++partition)
    for (const std::uint64_t value : content(partitions, partition)) {
      EXPECT_EQ(value % kEach % 256, partition);
      EXPECT_FALSE(seen[value]);
      seen[value] = true;
    }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<long>(seen.size()));
}

TEST(Partitions, AWriterStaysUsableAfterADiskThatCannotBeWritten) {
  const Context context({.work_folder = "/proc/nowhere"});
  RunContext tight(context, MemoryBudget::least(0));
  Partitions partitions(tight);
  Partitions::Writer writer(partitions);
  std::size_t failures = 0;
  for (std::uint64_t i = 0; i < 3'000'000; ++i) failures += writer.append(Partitions::kCount - 1, i) ? 0 : 1;
  EXPECT_GT(failures, 1u);
  EXPECT_FALSE(writer.append(0, 1) && writer.flush());
}

TEST(Partitions, GiveTheDiskBackWhatIsTaken) {
  if (!std::filesystem::exists("/proc/self/fd")) GTEST_SKIP() << "the system does not list open files";
  const auto folder = std::filesystem::temp_directory_path() / "leitong-partitions-test";
  const Context context({.work_folder = folder});
  RunContext tight(context, MemoryBudget::least(0));
  Partitions partitions(tight);
  Partitions::Writer writer(partitions);
  for (std::uint64_t i = 0; i < 8'000'000; ++i) ASSERT_TRUE(writer.append(i % 4, i));
  ASSERT_TRUE(writer.flush());
  EXPECT_GT(disk_bytes_of_files_in(folder), 32'000'000u);
  PodVector<std::uint64_t> values;
  partitions.clear(3);
  EXPECT_EQ(partitions.size(), 6'000'000u);
  for (unsigned partition = 0; partition < 4; ++partition) {
    ASSERT_TRUE(partitions.take(partition, values));
    EXPECT_EQ(values.empty(), partition == 3);
  }
  EXPECT_LT(disk_bytes_of_files_in(folder), 1'000'000u);
  std::filesystem::remove_all(folder);
}

TEST(TempFile, NamesTheFolderThatCannotBeWritten) {
  const auto file = TempFile::create("/proc/nowhere");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::io);
  EXPECT_NE(file.error().message.find("/proc/nowhere"), std::string::npos);
}

TEST(RadixSort, SortsBySomeBitsAndKeepsTheOrderOfEquals) {
  PodVector<std::uint64_t> values, scratch;
  for (std::uint64_t i = 0; i < 10'000; ++i) values.push_back(mix64(i) % 1000 << 32 | i);
  std::vector<std::uint64_t> twin(values.begin(), values.end());
  radix_sort(values, scratch, 32, 64, [](std::uint64_t v) { return v; });
  std::stable_sort(twin.begin(), twin.end(), [](auto x, auto y) { return x >> 32 < y >> 32; });
  EXPECT_EQ(std::vector<std::uint64_t>(values.begin(), values.end()), twin);
}

}  // namespace
}  // namespace leitong
