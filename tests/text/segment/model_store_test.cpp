// Which models are stored in the user's cache folder, and which are not.
#include "text/segment/model_store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "text/segment/small_dictionary.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

/// Sets a variable of the environment, or removes it, until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const std::optional<fs::path>& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  void set(const std::optional<fs::path>& value) const {
    if (value)
      ::setenv(name_, value->c_str(), 1);
    else
      ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<fs::path> before_;
};

class ModelStore : public test::SmallDictionary {
 protected:
  ModelStore() {
    fs::create_directories(folder_ / "data" / "dict");
    for (const auto& [from, to] : {std::pair{"words", "jieba.dict.utf8"},
                                   {"model", "hmm_model.utf8"},
                                   {"idf", "idf.utf8"},
                                   {"stop", "stop_words.utf8"}})
      fs::rename(folder_ / from, folder_ / "data" / "dict" / to);
  }
  std::shared_ptr<const SegmentModel> open(const std::vector<fs::path>& user) const {
    auto model = open_segment_model({{.user = user}});
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return model ? *model : nullptr;
  }
  /// Files of a folder, sorted; none if it isn't there.
  static std::vector<fs::path> files(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }
  static bool knows(const SegmentModel& model, std::string_view word) {
    const std::uint32_t id = model.find(word);
    return id != kNoWord && (model.flags(id) & kInDictionary) != 0;
  }

  Variable data_{"LEITONG_DATA", folder_ / "data"};
  Variable xdg_{"XDG_CACHE_HOME", folder_ / "cache"};
  fs::path cache_ = folder_ / "cache" / "leitong";
};

TEST_F(ModelStore, WhatIsKeptIsOpenedAgain) {
  const auto first = open({}), second = open({});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(files(cache_).size(), 1u);
  EXPECT_EQ(second->file().path(), files(cache_).front());
  EXPECT_TRUE(second->verify().has_value());
}

TEST_F(ModelStore, EqualContentOfAnotherPathIsOneModel) {
  open({write("here", "新词\n")});
  open({write("there", "新词\n")});
  EXPECT_EQ(files(cache_).size(), 1u);
}

// A shell's <(..) gives such a pipe: its bytes can be read once.
TEST_F(ModelStore, AUserDictionaryMayBeAPipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "新词\n"; });
  const auto from_pipe = open({pipe});
  writer.join();
  ASSERT_TRUE(from_pipe);
  EXPECT_TRUE(knows(*from_pipe, "新词"));
  const auto from_file = open({write("user", "新词\n")});
  ASSERT_TRUE(from_file);
  EXPECT_EQ(from_file->file().path(), from_pipe->file().path());
}

// Images and build systems make files with equal times.
TEST_F(ModelStore, OtherContentOfEqualSizeAndTimeIsAnotherModel) {
  const fs::path user = write("user", "新词甲\n");
  const fs::file_time_type time = fs::last_write_time(user);
  const auto before = open({user});
  write("user", "新词乙\n");
  fs::last_write_time(user, time);
  const auto after = open({user});
  ASSERT_TRUE(before && after);
  EXPECT_TRUE(knows(*before, "新词甲"));
  EXPECT_TRUE(knows(*after, "新词乙"));
  EXPECT_FALSE(knows(*after, "新词甲"));
}

TEST_F(ModelStore, TheSameWordsInTwoRolesAreTwoModels) {
  const fs::path user = write("user", "echo 3\n");
  open({user});
  const auto model = open_segment_model({{.idf = user}});
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(files(cache_).size(), 2u);
}

TEST_F(ModelStore, OnlyTheModelsUsedLastAreKept) {
  const auto use = [&](int i) { open({write("user", "新词" + std::to_string(i) + "\n")}); };
  use(0);
  const fs::path first = files(cache_).front();
  for (int i = 1; i < 20; ++i) {
    use(i);
    use(0);  // each time
  }
  EXPECT_EQ(files(cache_).size(), kMostCachedModels);
  EXPECT_TRUE(fs::exists(first));
}

TEST_F(ModelStore, ADamagedOneIsCompiledAgain) {
  open({});
  const fs::path kept = files(cache_).front();
  fs::resize_file(kept, fs::file_size(kept) / 2);
  const auto model = open({});
  ASSERT_TRUE(model);
  EXPECT_TRUE(knows(*model, "雷同"));
  EXPECT_TRUE(SegmentModel::open(kept).has_value());
}

TEST_F(ModelStore, AFolderThatOthersCanWriteToIsNotUsed) {
  fs::create_directories(cache_);
  ::chmod(cache_.c_str(), 0777);
  EXPECT_TRUE(open({}));
  EXPECT_TRUE(files(cache_).empty());
}

TEST_F(ModelStore, WithoutAHomeNothingIsLeftBehind) {
  const Variable home("HOME", std::nullopt), temporary("TMPDIR", folder_ / "tmp");
  fs::create_directories(folder_ / "tmp");
  xdg_.set(std::nullopt);
  const auto model = open({});
  ASSERT_TRUE(model);
  EXPECT_TRUE(knows(*model, "雷同"));
  EXPECT_TRUE(files(folder_ / "tmp").empty());  // while the model is in use
}

}  // namespace
}  // namespace leitong
