#include "io/shard_log.hpp"

#include <fmt/core.h>

#include <span>
#include <utility>

namespace leitong {
namespace {

// What a kill can cost, and what fits the memory beside a run.
constexpr std::size_t kShardBytes = std::size_t{32} << 20;
constexpr std::chrono::seconds kShardTime{5};

}  // namespace

std::string ShardLog::shard_name(std::size_t number) const { return fmt::format("{}-{}", name_, number); }

Result<ShardLog> ShardLog::open(const ArtifactFolder& folder, std::string name, std::uint32_t version) {
  ShardLog log(folder, std::move(name), version);
  const auto read_shard = [&](const std::string& shard) -> Result<void> {
    LEITONG_ASSIGN(SectionFile file, folder.read(shard, log.name_, version));
    LEITONG_ASSIGN(const std::span<const char> bytes, file.section<char>("records"));
    LEITONG_ASSIGN(const std::span<const std::uint64_t> ends, file.section<std::uint64_t>("ends"));
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
      if (end < begin || end > bytes.size())
        return fail(ErrorCode::corrupt, shard + ": ends that do not rise");
      log.records_.emplace_back(bytes.data() + begin, end - begin);
      begin = end;
    }
    log.shards_.push_back(std::move(file));
    return {};
  };
  for (;; ++log.written_) {
    const std::string shard = log.shard_name(log.written_ + 1);
    if (!folder.has(shard)) return log;
    const std::size_t before = log.records_.size();
    if (read_shard(shard)) continue;
    log.records_.resize(before);
    break;
  }
  for (std::size_t number = log.written_ + 1; folder.has(log.shard_name(number)); ++number)
    LEITONG_TRY(folder.remove(log.shard_name(number)));
  return log;
}

Result<void> ShardLog::append(std::string_view record) {
  gathered_ += record;
  ends_.push_back(gathered_.size());
  return gathered_.size() >= kShardBytes || Clock::now() - last_ >= kShardTime ? flush() : Result<void>{};
}

Result<void> ShardLog::flush() {
  last_ = Clock::now();
  if (ends_.empty()) return {};
  LEITONG_TRY(
      folder_->write(shard_name(written_ + 1), name_, version_, [&](SectionWriter& writer) -> Result<void> {
        LEITONG_TRY(writer.section("records", std::span<const char>(gathered_.data(), gathered_.size())));
        return writer.section("ends", std::span<const std::uint64_t>(ends_));
      }));
  ++written_;
  gathered_.clear();
  ends_.clear();
  return {};
}

}  // namespace leitong
