#include "io/compression.hpp"

#include <array>
#include <utility>

namespace leitong {
namespace {

using namespace std::string_view_literals;

constexpr std::array<std::pair<std::string_view, Compression>, 7> kEndings{{
    {".gz", Compression::gzip},
    {".gzip", Compression::gzip},
    {".zst", Compression::zstd},
    {".zstd", Compression::zstd},
    {".bz2", Compression::bzip2},
    {".bzip2", Compression::bzip2},
    {".xz", Compression::xz},
}};

constexpr std::array<std::pair<std::string_view, Compression>, 4> kMagic{{
    {"\x1f\x8b"sv, Compression::gzip},
    {"\x28\xb5\x2f\xfd"sv, Compression::zstd},
    {"BZh"sv, Compression::bzip2},
    {"\xfd"
     "7zXZ\0"sv,
     Compression::xz},
}};

// A zstd file may begin with skippable frames: magic 0x184D2A50 to 0x184D2A5F, little endian.
bool is_skippable_zstd(std::string_view bytes) noexcept {
  return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xf0) == 0x50 &&
         bytes.substr(1, 3) == "\x2a\x4d\x18"sv;
}

}  // namespace

std::string_view compression_name(Compression compression) noexcept {
  switch (compression) {
    case Compression::none:
      return "none";
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
    case Compression::bzip2:
      return "bzip2";
    case Compression::xz:
      return "xz";
  }
  return "none";
}

Compression compression_of_name(std::string_view path) noexcept {
  for (const auto& [ending, compression] : kEndings)
    if (path.ends_with(ending)) return compression;
  return Compression::none;
}

std::string_view without_compression_ending(std::string_view path) noexcept {
  for (const auto& [ending, compression] : kEndings)
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

Compression compression_of_content(std::string_view first_bytes, std::string_view path) noexcept {
  for (const auto& [magic, compression] : kMagic)
    if (first_bytes.starts_with(magic)) return compression;
  if (is_skippable_zstd(first_bytes)) return Compression::zstd;
  const Compression promised = compression_of_name(path);
  for (const auto& [magic, compression] : kMagic)
    if (compression == promised && magic.starts_with(first_bytes)) return promised;
  return Compression::none;
}

}  // namespace leitong
