// Files on which signatures depend, with fixed bytes: a compiled dictionary and a trained model. A change of
// their bytes needs a new version of the format; the old file stays, to show that it is still read or refused
// by its version.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "feature/term_hash.hpp"
#include "feature/term_model.hpp"
#include "io/byte_stream.hpp"
#include "io/read_file.hpp"
#include "temp_path.hpp"
#include "test_places.hpp"
#include "text/jieba_cutter.hpp"
#include "text/segment/model.hpp"
#include "text/segment/model_builder.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {
namespace {

const std::filesystem::path kGolden = LEITONG_SOURCE_DIR "/tests/golden";

std::string unpacked(const std::filesystem::path& path) {
  auto stored = std::make_unique<StoredBytes>(ReadFile::open(path).value(), nullptr);
  const auto stream = make_decoder(Compression::zstd, std::move(stored));
  return read_all(*stream, path.string()).value();
}

JiebaFiles golden_dictionary() {
  const auto dict = kGolden / "dict";
  return {dict / "jieba.dict.utf8", dict / "hmm_model.utf8", dict / "idf.utf8", dict / "stop_words.utf8", {}};
}

TEST(GoldenFormats, SegmentModelVersion2IsWrittenAndReadAsItAlwaysWas) {
  std::string written;
  ASSERT_TRUE(write_segment_model(golden_dictionary(), [&](std::string_view bytes) -> Result<void> {
    written += bytes;
    return {};
  }));
  const std::string golden = unpacked(kGolden / "segment-v2.model.zst");
  const std::filesystem::path path = test::temp_path("segment.model");
  std::ofstream(path, std::ios::binary) << written;
  EXPECT_TRUE(written == golden) << "written were " << path;
  if (!HasFailure()) std::filesystem::remove(path);

  const std::filesystem::path copy = test::temp_path("golden.model");
  std::ofstream(copy, std::ios::binary) << golden;
  const auto model = SegmentModel::open(copy);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE((*model)->verify());
  EXPECT_EQ((*model)->counts().dictionary_words, 30u);
  EXPECT_EQ(dictionary_id(**model), 0x5dca35fc50aee1c6u) << "part of every id of schemes on words";
  const JiebaCutter cutter(*model);
  CutScratch scratch;
  PodVector<std::uint32_t> starts;
  cutter.cut("管理员点燃蜡烛", true, scratch, starts);
  EXPECT_EQ(std::vector<std::uint32_t>(starts.begin(), starts.end()), (std::vector<std::uint32_t>{0, 9, 15}));
  std::filesystem::remove(copy);
}

TEST(GoldenFormats, TermModelVersion1IsReadAsItAlwaysWas) {
  const auto model = TermModel::open(kGolden / "terms-v1.model");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->size(), 28u);
  EXPECT_TRUE(model->trained());
  const std::uint64_t word = term_hash(TermHash::xxh3, "蜡烛");
  EXPECT_TRUE(model->find(word).has_value());
  EXPECT_GT(model->neighbours(word).left, 1);
  EXPECT_FALSE(model->partners(word).empty());
  EXPECT_EQ(model->content_id(), 0x95ccacbbf922a1c0u);
}

}  // namespace
}  // namespace leitong
