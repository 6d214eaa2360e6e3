// Stores each text in the form that is small enough for the time that it takes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/pod_vector.hpp"
#include "leitong/result.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace leitong::online {

/// Packs and unpacks texts. It holds working space, so each thread needs its own. A packed text is one of
/// - the text itself, if it has as many bytes;
/// - a byte 1 and the text's double-byte code (double_byte.hpp);
/// - a byte 2 and a zstd frame of that code;
/// - a zstd frame of the text, which begins with other bytes.
/// Texts that are mostly Chinese and not long are only coded: for 5 KB a frame has a tenth fewer bytes and
/// takes six times as long.
class TextCodec {
 public:
  TextCodec();
  ~TextCodec();
  TextCodec(const TextCodec&) = delete;
  TextCodec& operator=(const TextCodec&) = delete;

  /// Replaces `packed`, which is never empty: empty bytes mean that no text is kept.
  void pack(std::string_view text, std::string& packed);
  /// Replaces `text`, which has this size. Fails with corrupt if it is no packed text of this size.
  Result<void> unpack(std::string_view packed, std::size_t size, std::string& text);

 private:
  /// A mark and a frame of some bytes.
  void pack_frame(std::string_view mark, std::string_view bytes, std::string& packed);

  ZSTD_CCtx_s* packing_;
  ZSTD_DCtx_s* unpacking_;
  PodVector<char> code_;
};

}  // namespace leitong::online
