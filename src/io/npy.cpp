#include "io/npy.hpp"

#include <fmt/core.h>

#include <charconv>

namespace leitong {
namespace {

/// The text after `'key':` in the header.
std::string_view field(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const char last = rest.starts_with('(') ? ')' : rest.starts_with('\'') ? '\'' : ',';
  const std::size_t end = rest.find(last, 1);
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end + (last == ',' ? 0 : 1));
}

/// Empty if it is no shape.
std::vector<std::uint64_t> parse_shape(std::string_view text) {
  if (text.find_first_not_of("0123456789, ()") != std::string_view::npos) return {};
  std::vector<std::uint64_t> shape;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error == std::errc{}) {
      shape.push_back(number);
      at = stop;
    } else {
      ++at;
    }
  }
  return shape;
}

}  // namespace

tl::unexpected<Error> npy_corrupt(const std::string& path, std::uint64_t offset, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("{}: offset {}: {}", path, offset, what));
}

Result<NpyHeader> parse_npy(const std::string& path, std::string_view head) {
  // Magic, version, length of the header in 2 bytes (from version 2 on in 4), header.
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  if (head.size() < 12) return npy_corrupt(path, head.size(), "the array file ends within its header");
  const std::size_t start = byte(6) == 1 ? 10 : 12;
  std::uint64_t length = byte(8) | byte(9) << 8;
  if (start == 12) length |= std::uint64_t{byte(10)} << 16 | std::uint64_t{byte(11)} << 24;
  if (byte(6) < 1 || byte(6) > 3)
    return npy_corrupt(path, 6, fmt::format("array version {} is unknown", byte(6)));
  if (start + length > head.size()) return npy_corrupt(path, 8, "the array file ends within its header");
  const std::string_view header = head.substr(start, length);
  NpyHeader found;
  found.type = field(header, "descr");
  found.shape_text = field(header, "shape");
  found.shape = parse_shape(found.shape_text);
  found.fortran_order = field(header, "fortran_order") == "True";
  found.text = start;
  found.begin = start + length;
  return found;
}

Result<void> check_npy_size(const std::string& path, const NpyHeader& header, std::uint64_t row_bytes,
                            std::string_view rows, std::uint64_t bytes) {
  const std::uint64_t wanted = header.shape.front();
  const std::uint64_t have = (bytes - header.begin) / row_bytes;
  if (have < wanted)
    return npy_corrupt(path, bytes, fmt::format("the array is cut off: {} of {} {}", have, wanted, rows));
  const std::uint64_t end = header.begin + wanted * row_bytes;
  if (end < bytes) return npy_corrupt(path, end, fmt::format("{} bytes follow the array", bytes - end));
  return {};
}

}  // namespace leitong
