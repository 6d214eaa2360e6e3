#include "io/shard_log.hpp"

#include <fmt/core.h>

#include <span>
#include <utility>

#include "base/try.hpp"

namespace leitong {
namespace {

// The most that a kill can lose, and the size of a file.
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
  for (;; ++log.finished_) {
    const std::string shard = log.shard_name(log.finished_ + 1);
    if (!folder.has(shard)) return log;
    const std::size_t before = log.records_.size();
    if (read_shard(shard)) continue;
    log.records_.resize(before);
    break;
  }
  for (std::size_t number = log.finished_ + 1; folder.has(log.shard_name(number)); ++number)
    LEITONG_TRY(folder.remove(log.shard_name(number)));
  return log;
}

Result<void> ShardLog::append(std::string_view record) {
  if (!shard_) {
    LEITONG_ASSIGN(ArtifactWriter shard, folder_->begin(shard_name(finished_ + 1), name_, version_));
    shard_.emplace(std::move(shard));
    LEITONG_TRY(shard_->sections().begin("records"));
    begun_ = Clock::now();
  }
  LEITONG_TRY(shard_->sections().append(record));
  ends_.push_back((ends_.empty() ? 0 : ends_.back()) + record.size());
  return ends_.back() >= kShardBytes || Clock::now() - begun_ >= kShardTime ? flush() : Result<void>{};
}

Result<void> ShardLog::flush() {
  if (!shard_) return {};
  LEITONG_TRY(shard_->sections().section("ends", std::span<const std::uint64_t>(ends_)));
  LEITONG_TRY(shard_->finish());
  ++finished_;
  shard_.reset();
  ends_.clear();
  return {};
}

}  // namespace leitong
