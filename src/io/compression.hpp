// The compressions of files, and how they are recognised.
#pragma once

#include <string_view>

namespace leitong {

enum class Compression : unsigned char { none, gzip, zstd, bzip2, xz };

/// "gzip", "zstd", "bzip2", "xz", "none".
[[nodiscard]] std::string_view compression_name(Compression compression) noexcept;

/// By the ending of the name: .gz .zst .bz2 .xz (also .gzip .zstd .bzip2).
[[nodiscard]] Compression compression_of_name(std::string_view path) noexcept;

/// The name without such an ending: "a.jsonl.gz" -> "a.jsonl".
[[nodiscard]] std::string_view without_compression_ending(std::string_view path) noexcept;

/// By the first bytes of a file. A file shorter than the magic number of the compression in its name counts
/// as a truncated one; in every other case the content decides.
[[nodiscard]] Compression compression_of_content(std::string_view first_bytes,
                                                 std::string_view path) noexcept;

}  // namespace leitong
