// A sequence of records that survives a kill of the process, except for its last moments.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/artifact_folder.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Records go to shards, artifacts NAME-1, NAME-2, ..: a shard is finished when it is large or after some
/// seconds. Records of earlier processes can be read, and new ones follow them. For one thread.
class ShardLog {
 public:
  /// Opens the complete shards. From the first damaged one on they are removed: their records have to be made
  /// again. `folder` must outlive the log.
  static Result<ShardLog> open(const ArtifactFolder& folder, std::string name, std::uint32_t version);

  /// The number of records of earlier processes.
  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }
  /// REQUIRES i < size(). Valid as long as the log.
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept { return records_[i]; }

  Result<void> append(std::string_view record);
  /// Finishes the present shard, so that all appended records survive the process.
  Result<void> flush();

 private:
  using Clock = std::chrono::steady_clock;
  ShardLog(const ArtifactFolder& folder, std::string name, std::uint32_t version)
      : folder_(&folder), name_(std::move(name)), version_(version) {}
  [[nodiscard]] std::string shard_name(std::size_t number) const;

  const ArtifactFolder* folder_;
  std::string name_;
  std::uint32_t version_;
  std::vector<SectionFile> shards_;
  std::vector<std::string_view> records_;
  std::size_t finished_ = 0;  // shards, with those of earlier processes
  std::optional<ArtifactWriter> shard_;
  std::vector<std::uint64_t> ends_;  // ends of records in shard_
  Clock::time_point begun_;          // begin of shard_
};

}  // namespace leitong
