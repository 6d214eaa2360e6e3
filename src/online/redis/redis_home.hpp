// What all indexes on a Redis server have in common.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/index_scheme.hpp"
#include "online/redis/link.hpp"
#include "online/server_home.hpp"

namespace leitong::online {

class RedisHome : public ServerHome {
 public:
  Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  Result<void> verify() final;

 protected:
  RedisHome(const Context& context, std::unique_ptr<RedisLink> link, std::unique_ptr<IndexScheme> scheme);

  /// Larger than all numbers of texts.
  Result<TextNumber> next_number();
  /// Is each text found by what it posted? Fails with corrupt.
  virtual Result<void> verify_postings() = 0;
  /// "redis://host:port/name: WHAT"
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;

  const std::unique_ptr<RedisLink> link_;

 private:
  // verifying.cpp
  /// The counts of `meta`, which differ after a change.
  Result<std::vector<std::string>> counts();
  Result<void> verify_rows();

  Result<Stored> stored_in(const RedisReply& reply) const;
  Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) override;
};

}  // namespace leitong::online
