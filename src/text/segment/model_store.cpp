#include "text/segment/model_store.hpp"

#include <fmt/core.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include "io/data_folder.hpp"
#include "text/segment/model_builder.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

fs::path from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

/// Where compiled models are kept, made if need be; nothing if there is no such place.
std::optional<fs::path> cache_folder() {
  fs::path folder = from_environment("XDG_CACHE_HOME");
  if (folder.empty()) {
    const fs::path home = from_environment("HOME");
    if (home.empty()) return std::nullopt;
    folder = home / ".cache";
  }
  folder /= "leitong";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0) return std::nullopt;
  return folder;
}

/// Tells files from what they were before they changed.
Result<std::string> stamp(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::canonical(path, error);
  const auto size = error ? 0 : fs::file_size(whole, error);
  const auto time = error ? fs::file_time_type() : fs::last_write_time(whole, error);
  if (error)
    return fail(ErrorCode::not_found, fmt::format("{}: can't be read: {}", path.string(), error.message()));
  return fmt::format("{}\n{} {}\n", whole.string(), size, time.time_since_epoch().count());
}

Result<std::string> cache_name(const JiebaFiles& files) {
  std::string stamps;
  const auto add = [&](const fs::path& path) -> Result<void> {
    LEITONG_ASSIGN(const std::string line, stamp(path));
    stamps += line;
    return {};
  };
  for (const fs::path* path : {&files.words, &files.model, &files.idf, &files.stop_words})
    LEITONG_TRY(add(*path));
  for (const fs::path& path : files.user) LEITONG_TRY(add(path));
  return fmt::format("segment-v{}-{:016x}.model", kModelVersion, XXH3_64bits(stamps.data(), stamps.size()));
}

Result<void> compile(const JiebaFiles& files, const fs::path& path) {
  std::ofstream out(path, std::ios::binary);
  LEITONG_TRY(write_segment_model(files, [&](std::string_view bytes) -> Result<void> {
    if (out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
    return fail(ErrorCode::io, fmt::format("{}: can't be written; is the disk full?", path.string()));
  }));
  out.close();
  if (!out) return fail(ErrorCode::io, fmt::format("{}: can't be written; is the disk full?", path.string()));
  return {};
}

/// Removes a file at the end, unless it has been renamed.
struct Unfinished {
  fs::path path;
  ~Unfinished() {
    std::error_code error;
    fs::remove(path, error);
  }
};

}  // namespace

Result<JiebaFiles> chosen_files(const ModelChoice& choice) {
  JiebaFiles files;
  LEITONG_ASSIGN(files.words, find_data_file("dict/jieba.dict.utf8"));
  LEITONG_ASSIGN(files.model, find_data_file("dict/hmm_model.utf8"));
  files.idf = choice.idf;
  files.stop_words = choice.stop_words;
  if (files.idf.empty()) {
    LEITONG_ASSIGN(files.idf, find_data_file("dict/idf.utf8"));
  }
  if (files.stop_words.empty()) {
    LEITONG_ASSIGN(files.stop_words, find_data_file("dict/stop_words.utf8"));
  }
  files.user = choice.user;
  return files;
}

Result<std::shared_ptr<const SegmentModel>> open_segment_model(const ModelChoice& choice) {
  if (!choice.model.empty()) {
    if (!choice.user.empty() || !choice.idf.empty() || !choice.stop_words.empty())
      return fail(ErrorCode::invalid_argument,
                  "a compiled model holds its own dictionaries: name either it or these files");
    return SegmentModel::open(choice.model);
  }
  LEITONG_ASSIGN(const JiebaFiles files, chosen_files(choice));
  LEITONG_ASSIGN(const std::string name, cache_name(files));
  const std::optional<fs::path> cache = cache_folder();
  if (cache) {
    // One that is damaged or of another version is made anew.
    if (auto model = SegmentModel::open(*cache / name)) return model;
  }
  std::error_code error;
  const fs::path folder = cache ? *cache : fs::temp_directory_path(error);
  static std::atomic<unsigned> made{0};  // threads of one process, too, may compile at the same time
  const Unfinished fresh{folder / fmt::format("{}.{}-{}", name, ::getpid(), made++)};
  LEITONG_TRY(compile(files, fresh.path));
  LEITONG_ASSIGN(auto model, SegmentModel::open(fresh.path));
  if (cache) fs::rename(fresh.path, *cache / name, error);  // mapped as it is; if it fails, next time anew
  return model;
}

}  // namespace leitong
