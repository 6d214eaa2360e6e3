// Texts as they are stored: each as it is, or as a zstd frame if that is shorter.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "leitong/result.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace leitong::online {

/// Working space for packing and unpacking, one per thread.
class TextCodec {
 public:
  TextCodec();
  ~TextCodec();
  TextCodec(const TextCodec&) = delete;
  TextCodec& operator=(const TextCodec&) = delete;

  /// Replaces `packed`. 27 us for 5 KB.
  void pack(std::string_view text, std::string& packed);
  /// Replaces `text`, which has this size. Fails with corrupt for a frame that isn't one of such a
  /// text.
  Result<void> unpack(std::string_view packed, std::size_t size, std::string& text);

 private:
  ZSTD_CCtx_s* packing_;
  ZSTD_DCtx_s* unpacking_;
};

}  // namespace leitong::online
