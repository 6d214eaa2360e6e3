// An index of fingerprints on a Redis server: its texts, families and tables are there, and functions on the
// server decide (functions.cpp). Any number of processes can add to it.
#pragma once

#include <memory>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/redis/description.hpp"
#include "online/redis/redis_home.hpp"

namespace leitong::online {

class RedisFingerprints final : public RedisHome {
 public:
  RedisFingerprints(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription index);

  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected) override;
  /// Removed texts leave no space to free.
  Result<void> compact() override { return {}; }

 private:
  /// Sends one call for each part of the texts that are not refused. Returns their answers.
  Result<std::vector<Answer>> ask_about(std::span<const Text> given, Look look, const Wanted& wanted,
                                        bool add);
  Result<void> verify_postings() override;
  [[nodiscard]] RedisCommand command(std::string_view name, bool reads_only) const;
  Result<Answer> answer_in(std::string_view bytes) const;
};

}  // namespace leitong::online
