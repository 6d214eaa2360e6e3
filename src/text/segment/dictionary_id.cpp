#include "text/segment/dictionary_id.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace leitong {

// SegmentModel::about() has a line "role: name, size, XXH3 digest" for each file.
std::uint64_t dictionary_id(const SegmentModel& dictionary) {
  constexpr std::string_view kDigest = ", XXH3 ";
  std::string content;
  for (std::string_view rest = dictionary.about(); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t digest = line.rfind(kDigest), role = line.find(':');
    if (digest == std::string_view::npos || role > digest) continue;
    content.append(line.substr(0, role)).append(line.substr(digest)).append("\n");
  }
  // The dictionary was not compiled from files, so the bytes themselves are hashed.
  if (content.empty()) {
    const auto bytes = dictionary.file().bytes();
    return XXH3_64bits(bytes.data(), bytes.size());
  }
  return XXH3_64bits(content.data(), content.size());
}

}  // namespace leitong
