#include "io/staged.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/try.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

// File names on common file systems have at most 255 bytes; the rest is for additions.
constexpr std::size_t kNameKept = 200;

}  // namespace

Result<void> commit_all(std::span<Staged* const> outputs, StopToken stop) {
  std::vector<Staged*> made;
  for (Staged* const output : outputs)
    if (output != nullptr) made.push_back(output);
  LEITONG_TRY(stop.check());
  for (Staged* const output : made) LEITONG_TRY(output->finish());
  for (const Staged* const output : made) LEITONG_TRY(output->check_place());
  LEITONG_TRY(stop.check());
  std::vector<std::string> in_place;
  for (Staged* const output : made) {
    if (Result<void> result = output->appear(); !result) {
      if (!in_place.empty())
        result.error().message += fmt::format("; in place already, and to be removed before another run: {}",
                                              fmt::join(in_place, ", "));
      return result;
    }
    in_place.push_back(output->name());
  }
  for (const Staged* const output : made) LEITONG_TRY(output->make_durable());
  return {};
}

fs::path temporary_name(const fs::path& place, int attempt) {
  return place.parent_path() /
         fmt::format(".{}.{}-{}.part", place.filename().string().substr(0, kNameKept), ::getpid(), attempt);
}

Result<void> sync_folder_of(const fs::path& place) {
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return {};  // a folder that can be written but not read cannot be synced
  const int status = ::fsync(fd);
  const int error = errno;
  ::close(fd);
  if (status != 0 && error != EINVAL)
    return fail(ErrorCode::io, fmt::format("{}: {} is in place, but a loss of power may undo that: {}",
                                           folder.string(), place.filename().string(), std::strerror(error)));
  return {};
}

}  // namespace leitong
