// A stream whose beginning can be read in advance.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"

namespace leitong {

class PeekedBytes final : public ByteStream {
 public:
  /// `as_it_comes`: the result of the first read is enough.
  explicit PeekedBytes(std::unique_ptr<ByteStream> bytes, bool as_it_comes = false)
      : bytes_(std::move(bytes)), as_it_comes_(as_it_comes) {}

  /// The first bytes, at least 64 KiB unless the source is shorter or cannot be read so far; read() returns
  /// them again. Call it before the first read().
  std::string_view peek();
  [[nodiscard]] bool as_it_comes() const noexcept { return as_it_comes_; }
  /// The bytes of the stream. A fault that peek() met is reported after the bytes before it.
  Result<std::size_t> read(char* out, std::size_t size) override;

 private:
  std::unique_ptr<ByteStream> bytes_;
  bool as_it_comes_;
  std::string ahead_;
  std::size_t taken_ = 0;  // of ahead_
  bool ended_ = false;
  std::optional<Error> fault_;
};

}  // namespace leitong
