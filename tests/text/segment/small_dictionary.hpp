// A dictionary of a few words made for the tests, so that they do not need a downloaded one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/try.hpp"
#include "text/segment/model.hpp"
#include "text/segment/model_builder.hpp"

namespace leitong::test {

inline constexpr std::string_view kWords =
    "雷同 9 v\n同一 5 m\n打雷 9 v\n回声 9 n\n雷 3 n\n声 1 n\n回声定位 4 n\n定位 8 v\nC++ 3 nz\nT恤 4 n\n";
inline constexpr std::string_view kMarkov =
    "#start\n-0.2 -3.14e+100 -3.14e+100 -1.4\n"
    "-3.14e+100 -0.5 -0.9 -3.14e+100\n-0.5 -3.14e+100 -3.14e+100 -0.8\n"
    "-3.14e+100 -0.3 -1.2 -3.14e+100\n-0.7 -3.14e+100 -3.14e+100 -0.6\n"
    "甲:-1\n乙:-1\n丙:-9\n丁:-1\n";
inline constexpr std::string_view kIdf = "雷同 5\n回声 7\necho 3\n词外 2\n";
inline constexpr std::string_view kStopWords = "同一\nthe\n";

/// A folder with dictionary files that a test may change before it compiles them.
class SmallDictionary : public testing::Test {
 protected:
  SmallDictionary() {
    std::filesystem::create_directories(folder_);
    write("words", kWords);
    write("model", kMarkov);
    write("idf", kIdf);
    write("stop", kStopWords);
  }
  ~SmallDictionary() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  [[nodiscard]] JiebaFiles files() const {
    return {folder_ / "words", folder_ / "model", folder_ / "idf", folder_ / "stop", {}};
  }
  [[nodiscard]] JiebaFiles files_with_user(std::string_view user) const {
    JiebaFiles all = files();
    all.user.push_back(write("user", user));
    return all;
  }
  Result<void> compile(const JiebaFiles& from, const std::filesystem::path& to) const {
    std::ofstream out(to, std::ios::binary);
    return write_segment_model(from, [&](std::string_view bytes) -> Result<void> {
      out << bytes;
      return {};
    });
  }
  Result<std::shared_ptr<const SegmentModel>> model(const JiebaFiles& from) const {
    LEITONG_TRY(compile(from, folder_ / "model.bin"));
    return SegmentModel::open(folder_ / "model.bin");
  }
  /// A model with these IDF and stop words.
  [[nodiscard]] std::shared_ptr<const SegmentModel> load(std::string_view idf,
                                                         std::string_view stop_words) const {
    write("idf", idf);
    write("stop", stop_words);
    auto opened = model(files());
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return *opened;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("leitong_dictionary_" + std::to_string(getpid()));
};

}  // namespace leitong::test
