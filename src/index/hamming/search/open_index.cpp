#include "index/hamming/search/open_index.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "index/hamming/search/level_file.hpp"
#include "index/hamming/search/manifest.hpp"

namespace leitong::hamming {
namespace {

/// A merge may replace files after the manifest is read and before they are opened.
constexpr unsigned kAttempts = 5;

template <Fingerprint F>
Result<Snapshot<F>> open_folder(const std::filesystem::path& folder, Residence residence) {
  LEITONG_ASSIGN(const Manifest manifest, read_manifest(folder));
  if (manifest.bits != kBits<F>)
    return fail(ErrorCode::invalid_argument, fmt::format("{}: holds fingerprints of {} bits, not of {}",
                                                         folder.string(), manifest.bits, kBits<F>));
  LevelStack<F> stack;
  for (const std::uint64_t number : manifest.levels) {
    LEITONG_ASSIGN(auto level, Level<F>::open(level_path(folder, number), residence));
    stack.levels.push_back(std::move(level));
  }
  return Snapshot<F>(std::make_shared<const LevelStack<F>>(std::move(stack)), manifest.distance, 0);
}

}  // namespace

Result<unsigned> index_bits(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return level_bits(path);
  LEITONG_ASSIGN(const Manifest manifest, read_manifest(path));
  return manifest.bits;
}

Result<std::optional<SchemeId>> index_scheme(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return level_scheme(path);
  LEITONG_ASSIGN(Manifest manifest, read_manifest(path));
  return std::move(manifest.scheme);
}

template <Fingerprint F>
Result<Snapshot<F>> open_index(const std::filesystem::path& path, Residence residence) {
  if (!std::filesystem::is_directory(path)) {
    LEITONG_ASSIGN(auto level, Level<F>::open(path, residence));
    return Snapshot<F>(std::move(level));
  }
  for (unsigned attempt = 1;; ++attempt) {
    auto opened = open_folder<F>(path, residence);
    if (opened || opened.error().code != ErrorCode::not_found || attempt == kAttempts) return opened;
  }
}

template Result<Snapshot<Fingerprint64>> open_index(const std::filesystem::path&, Residence);
template Result<Snapshot<Fingerprint128>> open_index(const std::filesystem::path&, Residence);

}  // namespace leitong::hamming
