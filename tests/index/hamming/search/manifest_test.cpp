#include "index/hamming/search/manifest.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "index/hamming/search/hamming_index.hpp"
#include "index/hamming/search/level_file.hpp"
#include "index/hamming/search/open_index.hpp"
#include "temp_path.hpp"
#include "test_places.hpp"

namespace leitong::hamming {
namespace {

namespace fs = std::filesystem;
const fs::path kGolden = LEITONG_SOURCE_DIR "/tests/index/hamming/golden";
const SchemeId kSimhash = {"simhash", 1, "bits=64 features=chars n=3", 0x902a63ac88f1e857, 0};

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ManifestTest : public ::testing::Test {
 protected:
  ManifestTest() { fs::create_directories(folder_); }
  ~ManifestTest() override { fs::remove_all(folder_); }
  void put(const char* manifest) const {
    fs::copy_file(kGolden / manifest, manifest_path(folder_), fs::copy_options::overwrite_existing);
    fs::copy_file(kGolden / "level-v1.hamming", level_path(folder_, 1), fs::copy_options::overwrite_existing);
  }
  static auto open(const fs::path& folder, std::optional<SchemeId> scheme) {
    IndexOptions options;
    options.folder = folder;
    options.scheme = std::move(scheme);
    options.merge_in_background = false;
    return HammingIndex<Fingerprint64>::open(std::move(options));
  }
  fs::path folder_ = test::temp_path();
};

TEST_F(ManifestTest, Version2IsWrittenAndReadAsItAlwaysWas) {
  ASSERT_TRUE(write_manifest(folder_, {64, 3, 2, {1}, kSimhash}));
  EXPECT_TRUE(bytes_of(manifest_path(folder_)) == bytes_of(kGolden / "manifest-v2.hamming"))
      << "written was " << manifest_path(folder_);
  put("manifest-v2.hamming");
  EXPECT_EQ(index_scheme(folder_).value(), kSimhash);
}

TEST_F(ManifestTest, AnIndexKeepsItsSchemeAndRefusesAnother) {
  fs::remove_all(folder_);
  {
    const auto index = open(folder_, kSimhash).value();
    ASSERT_TRUE(index->insert(Row<Fingerprint64>{42, 7}));
    ASSERT_TRUE(index->flush());
  }
  EXPECT_EQ(level_scheme(level_path(folder_, 1)).value(), kSimhash) << "the level file says it, too";
  EXPECT_EQ((*open(folder_, kSimhash))->figures().rows, 1u);
  EXPECT_EQ((*open(folder_, std::nullopt))->scheme(), kSimhash);
  SchemeId other = kSimhash;
  other.parameters = "bits=64 features=chars n=5";
  const auto refused = open(folder_, other);
  ASSERT_FALSE(refused);
  for (const std::string& part : {scheme_label(kSimhash), scheme_label(other), std::string("n: 3 and 5")})
    EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace leitong::hamming
