#include "corpus/byte_stream.hpp"

#include <algorithm>
#include <cstring>

namespace leitong {
namespace {

constexpr std::size_t kPeekedBytes = std::size_t{64} << 10;

}  // namespace

Result<std::string_view> StoredBytes::peek() {
  if (ahead_.empty()) {
    ahead_.resize(kPeekedBytes);
    const auto got = file_.read(ahead_.data(), ahead_.size());
    ahead_.resize(got.value_or(0));
    if (!got) return tl::unexpected<Error>(got.error());
  }
  return ahead_;
}

Result<std::size_t> StoredBytes::read(char* out, std::size_t size) {
  std::size_t done = std::min(size, ahead_.size() - taken_);
  std::memcpy(out, ahead_.data() + taken_, done);
  taken_ += done;
  if (done == 0) {
    LEITONG_ASSIGN(done, file_.read(out, size));
  }
  if (counter_ != nullptr) counter_->fetch_add(done, std::memory_order_relaxed);
  return done;
}

}  // namespace leitong
