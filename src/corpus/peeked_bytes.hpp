// A stream whose beginning can be looked at.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"

namespace leitong {

class PeekedBytes final : public ByteStream {
 public:
  /// `as_it_comes`: what the first read gives is enough to look at.
  explicit PeekedBytes(std::unique_ptr<ByteStream> bytes, bool as_it_comes = false)
      : bytes_(std::move(bytes)), as_it_comes_(as_it_comes) {}

  /// The first bytes, at least 64 KiB unless the source is shorter or can't be read that far; they stay to be
  /// read. Before the first read().
  std::string_view peek();
  [[nodiscard]] bool as_it_comes() const noexcept { return as_it_comes_; }
  /// What the stream gives. A fault that peek() met is reported when the bytes before it have been read.
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
