#include "text/segment/model_store.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/try.hpp"
#include "io/data_folder.hpp"
#include "io/draft_file.hpp"
#include "io/read_file.hpp"
#include "text/segment/model_builder.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

fs::path from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

/// The folder of compiled models, created if necessary. Returns nothing if there is none, or if other users
/// could have put a model into it.
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
  struct stat status {};
  if (error || ::stat(folder.c_str(), &status) != 0 || status.st_uid != ::geteuid() ||
      (status.st_mode & S_IWOTH) != 0 || ::access(folder.c_str(), W_OK) != 0)
    return std::nullopt;
  return folder;
}

/// Values that distinguish the content of one file from that of another.
struct Contents {
  std::uint64_t size = 0;
  XXH128_hash_t digest{};
};

Contents contents_of(const NamedBytes& file) {
  return {file.bytes.size(), XXH3_128bits(file.bytes.data(), file.bytes.size())};
}

/// Computes these values for a file that is not in memory. To read it in pieces takes a quarter of the time
/// of loading it.
Result<Contents> contents_of(const fs::path& path) {
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(fs::absolute(path).string()));  // a file may be named "-"
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  std::vector<char> piece(std::size_t{256} << 10);
  for (Contents contents;;) {
    LEITONG_ASSIGN(const std::size_t got, file.read(piece.data(), piece.size()));
    if (got == 0) {
      contents.digest = XXH3_128bits_digest(&state);
      return contents;
    }
    contents.size += got;
    XXH3_128bits_update(&state, piece.data(), got);
  }
}

/// The name depends on the content of the files only, not on their names or folders. `Files` are JiebaFiles
/// or JiebaTexts.
template <typename Files>
Result<std::string> cache_name(const Files& files) {
  std::string digests;
  const auto add = [&](std::string_view role, const auto& file) -> Result<void> {
    LEITONG_ASSIGN(const Contents contents, Result<Contents>(contents_of(file)));
    digests += fmt::format("{} {} {:016x}{:016x}\n", role, contents.size, contents.digest.high64,
                           contents.digest.low64);
    return {};
  };
  LEITONG_TRY(add("words", files.words));
  LEITONG_TRY(add("model", files.model));
  LEITONG_TRY(add("idf", files.idf));
  LEITONG_TRY(add("stop", files.stop_words));
  for (const auto& file : files.user) LEITONG_TRY(add("user", file));
  const XXH128_hash_t name = XXH3_128bits(digests.data(), digests.size());
  return fmt::format("segment-v{}-{:016x}{:016x}.model", kModelVersion, name.high64, name.low64);
}

/// True if each of the files gives the same bytes when it is read a second time, which a pipe does not.
bool can_be_read_again(const JiebaFiles& files) {
  const auto is_regular = [](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
  };
  return std::ranges::all_of(std::array{files.words, files.model, files.idf, files.stop_words}, is_regular) &&
         std::ranges::all_of(files.user, is_regular);
}

/// Opens the model that was stored under that name, and marks it as used.
Result<std::shared_ptr<const SegmentModel>> open_kept(const fs::path& path) {
  LEITONG_ASSIGN(auto model, SegmentModel::open(path));
  std::error_code error;
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);  // keep_few() uses this time
  return model;
}

/// Removes all models except those used last. If one cannot be removed, the next call tries again.
void keep_few(const fs::path& folder) {
  struct Kept {
    fs::file_time_type used;
    fs::path path;
  };
  std::vector<Kept> kept;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code vanished;
    const fs::file_time_type used = entry->last_write_time(vanished);
    if (!vanished && (name.starts_with("segment-") || name.starts_with("unfinished-")))
      kept.push_back({used, entry->path()});
  }
  std::ranges::sort(kept, std::ranges::greater(), &Kept::used);
  for (std::size_t i = kMostCachedModels; i < kept.size(); ++i) fs::remove(kept[i].path, error);
}

/// Compiles into a file of that folder that has no name yet.
Result<DraftFile> compile(const JiebaTexts& texts, const fs::path& folder, bool to_be_kept) {
  LEITONG_ASSIGN(DraftFile draft, DraftFile::create(folder, to_be_kept));
  LEITONG_TRY(write_segment_model(texts, [&](std::string_view bytes) { return draft.write(bytes); }));
  return draft;
}

}  // namespace

Result<JiebaFiles> chosen_files(const ModelChoice& choice) {
  JiebaFiles files;
  LEITONG_ASSIGN(files.words, find_data_file(choice.data_folder, "dict/jieba.dict.utf8"));
  LEITONG_ASSIGN(files.model, find_data_file(choice.data_folder, "dict/hmm_model.utf8"));
  files.idf = choice.idf;
  files.stop_words = choice.stop_words;
  if (files.idf.empty()) {
    LEITONG_ASSIGN(files.idf, find_data_file(choice.data_folder, "dict/idf.utf8"));
  }
  if (files.stop_words.empty()) {
    LEITONG_ASSIGN(files.stop_words, find_data_file(choice.data_folder, "dict/stop_words.utf8"));
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
  const std::optional<fs::path> cache = cache_folder();
  if (cache && can_be_read_again(files)) {
    if (const auto name = cache_name(files))
      if (auto model = open_kept(*cache / *name)) return model;
  }
  LEITONG_ASSIGN(const JiebaTexts texts, read_jieba_files(files));
  std::error_code error;
  if (cache) {
    LEITONG_ASSIGN(const std::string name, cache_name(texts));
    const fs::path path = *cache / name;
    if (auto model = open_kept(path)) return model;
    LEITONG_ASSIGN(DraftFile draft, compile(texts, *cache, true));
    fs::remove(path, error);                    // a damaged one
    if (draft.keep_as(path)) keep_few(*cache);  // if it cannot be stored, the next call compiles it again
    return SegmentModel::open(draft.descriptor(), path);
  }
  const fs::path folder = fs::temp_directory_path(error);
  if (error)
    return fail(
        ErrorCode::io,
        fmt::format("no folder for temporary files: what TMPDIR names can't be used ({})", error.message()));
  LEITONG_ASSIGN(const DraftFile draft, compile(texts, folder, false));
  return SegmentModel::open(draft.descriptor(), folder / "(a model without a name)");
}

}  // namespace leitong
