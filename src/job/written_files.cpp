#include "job/written_files.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace leitong {

struct WrittenFiles::Hash {
  Hash() { XXH3_64bits_reset(&state); }
  XXH3_state_t state;
};

WrittenFiles::WrittenFiles() : hash_(std::make_unique<Hash>()) {}
WrittenFiles::~WrittenFiles() = default;

void WrittenFiles::begin_file(std::string_view path, std::uint64_t bytes_before) {
  files_.push_back({path, bytes_before});
  *hash_ = Hash();
}

void WrittenFiles::wrote(std::string_view bytes) {
  if (!files_.empty()) files_.back().bytes += bytes.size();
  XXH3_64bits_update(&hash_->state, bytes.data(), bytes.size());
}

std::size_t WrittenFiles::file_of(std::string_view path, std::size_t first) const noexcept {
  while (first + 1 < files_.size() && files_[first].path.data() != path.data()) ++first;
  return first;
}

void WrittenFiles::end_file() { files_.back().hash = hash(); }

std::uint64_t WrittenFiles::hash() const noexcept { return XXH3_64bits_digest(&hash_->state); }

}  // namespace leitong
