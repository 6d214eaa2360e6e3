// The rows of an index on HBase. All are in one table and one family of columns, and their keys have one
// form: 4 bytes that spread them over the regions, one byte for the kind of row, and the rest. Bloom filters
// know the first five bytes.
//
//   tables 0, 1, ..   of fingerprints. 4 bytes: the segment of this table, its first bits in front
//                     tall layout: the fingerprint; columns: names of texts that have it
//                     wide layout: nothing; columns: fingerprint and name
//   table 0           of an index that compares texts. 4 bytes: the first bits of a key
//                     tall layout: the other 2 bytes, and the name of a text that posted it; column r: record
//                     wide layout: the other 2 bytes; columns: names; values: records
//   text              hash of the id; the id. Columns: s, its entry (entry.hpp); t, compressed text
//   content           digest; column h: name of the text that holds it: others of this content are copies
//   copy              digest and name of a copy
//   family            slot; column h: name of the representative, if it is not the first one
//   member            slot and name of a member
//   arrival           hash of the name; the name
//   source            hash of the source; the same in 16 bytes, and an id
//   expiry            hash of the id; the moment, and the id
//   learned           zeros; number of a commit. Column l: what it learned of templates (texts.hpp)
//   commit            zeros; its number. Column c: what it changes (commits.hpp)
//   told              zeros; number of a commit. Column c: who came and left by it (commits.hpp)
//   meta              zeros. Columns: the description of the index, and the state after the latest commit
//
// A name is the number of a text (8 bytes) and its id: as bytes it sorts by the number. A text that takes
// another's place gets a new one. A slot is a hash of the first name that represented a family. Numbers are
// written with the highest byte first.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "leitong/fingerprint.hpp"
#include "leitong/online.hpp"
#include "online/fingerprint_tables.hpp"
#include "online/stamp.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// The most tables; the other numbers stand for other kinds of rows.
inline constexpr std::size_t kMostTables = 200;

struct HBaseName {
  std::uint64_t number = 0;
  std::string id;

  auto operator<=>(const HBaseName&) const = default;
};
[[nodiscard]] std::string bytes_of_name(const HBaseName& name);
/// False for bytes that are no name.
[[nodiscard]] bool read_name(std::string_view bytes, HBaseName& name);

[[nodiscard]] std::string text_key(std::string_view id);
[[nodiscard]] std::string content_key(const ContentDigest& digest);
/// The rows of a list begin with one of these keys and end with the listed text.
[[nodiscard]] std::string copies_key(const ContentDigest& digest);
[[nodiscard]] std::string members_key(const HBaseName& first);
[[nodiscard]] std::string family_key(const HBaseName& first);
[[nodiscard]] std::string source_key(std::string_view source);
[[nodiscard]] std::string arrival_key(const HBaseName& name);
[[nodiscard]] std::string expiry_key(Seconds expires, std::string_view id);
[[nodiscard]] std::string meta_key();
/// Keys by the number of a commit; the first commit is 1.
[[nodiscard]] std::string learned_key(std::uint64_t commit);
[[nodiscard]] std::string learned_part();
[[nodiscard]] std::string commit_key(std::uint64_t commit);
[[nodiscard]] std::string told_key(std::uint64_t commit);
[[nodiscard]] std::string told_part();
/// Arrivals and expiries are spread over so many parts, each of which is in order.
inline constexpr unsigned kParts = 16;
[[nodiscard]] std::string arrivals_part(unsigned part);
[[nodiscard]] std::string expiries_part(unsigned part);
/// So many bytes at the beginning of a key give its part.
inline constexpr std::size_t kPartBytes = 5;

/// A row of a table: 5 bytes.
[[nodiscard]] std::string table_row(const TableKey& key, unsigned bits, std::size_t table,
                                    const hamming::Fingerprint128& fingerprint);
/// A row of a key: 7 bytes.
[[nodiscard]] std::string posting_row(Key key);
/// A fingerprint as it stands in rows and columns, its first bits in front.
[[nodiscard]] std::string fingerprint_bytes(const hamming::Fingerprint128& fingerprint, std::size_t width);
/// REQUIRES `width` bytes.
[[nodiscard]] hamming::Fingerprint128 fingerprint_in(std::string_view bytes);
/// A key that is larger than all keys that begin with `begin`, with the same first five bytes, so that
/// filters can be used.
[[nodiscard]] std::string end_of(std::string_view begin);

}  // namespace leitong::online
