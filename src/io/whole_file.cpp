#include "io/whole_file.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/try.hpp"
#include "io/read_file.hpp"

namespace leitong {

Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most) {
  // "-" is a file of this name here, because standard input holds texts, not lists.
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(path == "-" ? "./-" : path.string()));
  std::string bytes;
  std::size_t size = 0;
  bytes.resize(std::min(file.stamp().size, most) + 1);  // one more byte, so that the end is noticed at once
  for (;;) {
    LEITONG_ASSIGN(const std::size_t got, file.read(bytes.data() + size, bytes.size() - size));
    if (got == 0) break;
    size += got;
    if (size > most)
      return fail(ErrorCode::limit,
                  fmt::format("{}: is larger than {} MB, the most that such a file may have", path.string(),
                              most >> 20));
    if (size == bytes.size()) bytes.resize(std::min<std::uint64_t>(2 * size + 4096, most + 1));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace leitong
