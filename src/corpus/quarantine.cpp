#include "corpus/quarantine.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/try.hpp"
#include "corpus/corpus.hpp"

namespace leitong {
namespace {

constexpr std::size_t kHeldBytes = std::size_t{1} << 20;

/// Before each record: the lengths of its id, place and reason, which follow.
using Lengths = std::array<std::uint32_t, 3>;

/// Takes one record from the front of `bytes`; false if it is incomplete.
bool take(std::string_view& bytes, QuarantinedRecord& record) {
  Lengths lengths{};
  if (bytes.size() < sizeof lengths) return false;
  std::memcpy(lengths.data(), bytes.data(), sizeof lengths);
  const std::size_t size = sizeof lengths + lengths[0] + lengths[1] + lengths[2];
  if (bytes.size() < size) return false;
  std::string_view rest = bytes.substr(sizeof lengths);
  record.id = rest.substr(0, lengths[0]);
  rest.remove_prefix(lengths[0]);
  record.place = rest.substr(0, lengths[1]);
  record.reason = rest.substr(lengths[1], lengths[2]);
  bytes.remove_prefix(size);
  return true;
}

}  // namespace

Result<void> Quarantine::add(const QuarantinedRecord& record) {
  if (size_ == 0) first_.append(record.place).append(": ").append(record.reason);
  const Lengths lengths{static_cast<std::uint32_t>(record.id.size()),
                        static_cast<std::uint32_t>(record.place.size()),
                        static_cast<std::uint32_t>(record.reason.size())};
  held_.append(reinterpret_cast<const char*>(lengths.data()), sizeof lengths);
  held_.append(record.id).append(record.place).append(record.reason);
  ++size_;
  if (held_.size() < kHeldBytes) return {};
  if (!file_) {
    LEITONG_ASSIGN(file_, folder_.new_file());
  }
  LEITONG_TRY(file_->append(held_.data(), held_.size()));
  held_.clear();
  return {};
}

Result<void> Quarantine::for_each(const EachQuarantined& each) const {
  QuarantinedRecord record;
  std::string block;
  const std::uint64_t filed = file_ ? file_->size() : 0;
  for (std::uint64_t at = 0; at < filed;) {
    const std::size_t had = block.size();
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(kHeldBytes, filed - at));
    block.resize(had + more);
    LEITONG_TRY(file_->read(at, block.data() + had, more));
    at += more;
    std::string_view rest = block;
    while (take(rest, record)) LEITONG_TRY(each(record));
    block.erase(0, block.size() - rest.size());
  }
  for (std::string_view rest = held_; take(rest, record);) LEITONG_TRY(each(record));
  return {};
}

Result<void> write_quarantine(const Corpus& corpus,
                              const std::function<Result<void>(std::string_view)>& write) {
  std::string lines;
  const auto add_line = [&](const QuarantinedRecord& record) -> Result<void> {
    nlohmann::ordered_json line;
    if (!record.id.empty()) line["id"] = record.id;
    line["place"] = record.place;
    line["reason"] = record.reason;
    lines += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    lines += '\n';
    if (lines.size() < kHeldBytes) return {};
    LEITONG_TRY(write(lines));
    lines.clear();
    return {};
  };
  LEITONG_TRY(corpus.for_each_quarantined(add_line));
  return write(lines);
}

}  // namespace leitong
