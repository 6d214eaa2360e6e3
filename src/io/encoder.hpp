// Compressed output.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "io/compression.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Compresses a stream at the tools' usual levels (gzip 6, zstd 3, bzip2 9, xz 6).
class Encoder {
 public:
  using Sink = std::function<Result<void>(std::string_view)>;
  virtual ~Encoder() = default;
  /// Passes compressed bytes to `sink` as they are made.
  virtual Result<void> write(std::string_view bytes, const Sink& sink) = 0;
  /// Writes the rest and the end of the stream. Nothing may be written afterwards.
  virtual Result<void> finish(const Sink& sink) = 0;
};

/// Null for `none`: bytes are written unchanged.
[[nodiscard]] std::unique_ptr<Encoder> make_encoder(Compression compression);

}  // namespace leitong
