#include "corpus/peeked_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace leitong {
namespace {

constexpr std::size_t kPeekedBytes = std::size_t{64} << 10;

}  // namespace

std::string_view PeekedBytes::peek() {
  std::size_t filled = ahead_.size();
  ahead_.resize(kPeekedBytes);
  while (filled < kPeekedBytes && !(as_it_comes_ && filled > 0) && !ended_ && !fault_) {
    const Result<std::size_t> got = bytes_->read(ahead_.data() + filled, kPeekedBytes - filled);
    if (!got) fault_ = got.error();
    ended_ = got && *got == 0;
    filled += got.value_or(0);
  }
  ahead_.resize(filled);
  return ahead_;
}

Result<std::size_t> PeekedBytes::read(char* out, std::size_t size) {
  if (taken_ < ahead_.size()) {
    size = std::min(size, ahead_.size() - taken_);
    std::memcpy(out, ahead_.data() + taken_, size);
    taken_ += size;
    return size;
  }
  if (fault_) return tl::unexpected<Error>(*fault_);
  if (ended_) return 0;
  return bytes_->read(out, size);
}

}  // namespace leitong
