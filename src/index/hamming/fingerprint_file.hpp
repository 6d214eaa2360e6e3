// Files of fingerprints: raw words, NumPy arrays, and text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "index/hamming/source.hpp"

namespace leitong::hamming {

/// The format of a file of fingerprints.
///   raw      little-endian words, 8 or 16 bytes a fingerprint (the low word first)
///   npy      NumPy's array file: 64-bit integers of shape (n,) or (n, 1); for 128 bits (n, 2), the low word
///            first. Little-endian, C order, versions 1 to 3.
///   hex      one a line, at most 16 or 32 digits, with or without 0x; after "id TAB", if there are ids.
///            Ids are escaped as in all TSV files; an id before an empty field has no fingerprint.
///   decimal  one a line, as above
///   binary   one a line, at most 64 or 128 digits 0 and 1, with or without 0b
/// `automatic` recognises npy by its magic number, and text by the beginning of the file: hex if some value
/// has a letter, binary if all have 64 or 128 digits 0 and 1, decimal if they differ in length. Everything
///   else is raw. All formats may be compressed, which the content decides; but `raw` words may begin like a
///   compressed file, so such a file counts as compressed only if its name says so, too.
enum class FileFormat { automatic, raw, npy, hex, decimal, binary };

/// The names of the formats, in their order.
[[nodiscard]] const std::vector<std::string>& file_format_names();

/// An open file: its fingerprints by row, and their ids if it has some.
template <Fingerprint F>
struct FingerprintFile {
  std::unique_ptr<Source<F>> source;
  std::vector<std::string> ids;  ///< id of each row; empty if there are none
  std::uint64_t without = 0;     ///< lines with an id and no fingerprint; they are not rows
};

/// "-" is standard input. Raw files and arrays are read again at each pass and take no memory; text, pipes
/// and compressed files are kept in memory. Fails with corrupt or invalid_argument, naming the offset (and
/// the line, in text), for a size that is no multiple of a fingerprint, a truncated array, and a wrong
/// number.
template <Fingerprint F>
Result<FingerprintFile<F>> open_fingerprints(const std::string& path, FileFormat format, StopToken stop = {});

}  // namespace leitong::hamming
