#include "io/available_memory.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>

namespace leitong {
namespace {

// The number in a file of the kernel; nothing if it has other content, such as "max".
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> of_system() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::uint64_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit))
    if (name == "MemAvailable:") return kilobytes << 10;
  return std::nullopt;
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t available = of_system().value_or(UINT64_MAX);
  // The files of control groups version 2 and 1, as a container sees its own.
  constexpr std::array<std::array<const char*, 2>, 2> kGroups = {
      {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
       {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}};
  for (const auto& [limit_file, used_file] : kGroups) {
    const auto limit = number_in(limit_file), used = number_in(used_file);
    if (limit && used) available = std::min(available, *limit - std::min(*limit, *used));
  }
  return available;
}

}  // namespace leitong
