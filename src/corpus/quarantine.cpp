#include "corpus/quarantine.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace leitong {
namespace {

constexpr std::size_t kHeldBytes = std::size_t{1} << 20;

}  // namespace

Result<void> Quarantine::add(std::string_view id, std::string_view place, std::string_view reason) {
  if (size_ == 0) first_.append(place).append(": ").append(reason);
  nlohmann::ordered_json line;
  if (!id.empty()) line["id"] = id;
  line["place"] = place;
  line["reason"] = reason;
  // A path may be any bytes; what isn't UTF-8 in it is shown as U+FFFD.
  lines_ += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  lines_ += '\n';
  ++size_;
  if (lines_.size() < kHeldBytes) return {};
  if (!file_) {
    LEITONG_ASSIGN(file_, folder_.new_file());
  }
  LEITONG_TRY(file_->append(lines_.data(), lines_.size()));
  lines_.clear();
  return {};
}

Result<void> Quarantine::write_to(const std::function<Result<void>(std::string_view)>& write) const {
  std::string block;
  const std::uint64_t filed = file_ ? file_->size() : 0;
  for (std::uint64_t at = 0; at < filed; at += block.size()) {
    block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kHeldBytes, filed - at)));
    LEITONG_TRY(file_->read(at, block.data(), block.size()));
    LEITONG_TRY(write(block));
  }
  return write(lines_);
}

}  // namespace leitong
