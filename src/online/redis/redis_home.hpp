// What indexes on a Redis server have in common, whatever they compare texts by.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "io/run_context.hpp"
#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/home.hpp"
#include "online/index_scheme.hpp"
#include "online/redis/link.hpp"
#include "online/scratch_pool.hpp"

namespace leitong::online {

class RedisHome : public Home {
 public:
  // A server shows texts as they come: there are no sources that are set aside.
  Result<bool> begin(std::string_view source) override;
  Result<Committed> commit(std::string_view source) override;
  Result<void> rollback(std::string_view source) override;
  std::vector<std::string> open_sources() override { return {}; }
  Result<std::optional<Stored>> get(std::string_view id) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;

 protected:
  RedisHome(const Context& context, std::unique_ptr<RedisLink> link, std::unique_ptr<IndexScheme> scheme);

  [[nodiscard]] StopToken stop() const { return StopToken(context_.state().stop); }
  /// Prepares texts on the context's threads.
  Result<void> prepare(std::span<CheckedText* const> texts, const Secret& secret, bool to_be_added);
  /// Makes them of what was given, and prepares them.
  Result<std::vector<CheckedText>> prepared(std::span<const Text> texts, const Secret& secret, Look look,
                                            bool to_be_added);
  /// Finds what texts share with their matches, as far as these are still there.
  Result<void> add_passages(std::span<const Text> texts, std::span<Answer> answers);
  /// Larger than all numbers that texts have.
  Result<TextNumber> next_number();
  [[nodiscard]] tl::unexpected<Error> not_here(std::string_view what) const;
  /// Fails if a version is expected: none are counted.
  [[nodiscard]] Result<void> expects_none(ExpectedVersion expected) const;

  const Context& context_;
  const std::unique_ptr<RedisLink> link_;
  const std::unique_ptr<IndexScheme> scheme_;
  ScratchPool scratches_;

 private:
  Result<Stored> stored_in(const RedisReply& reply) const;
  /// The texts with these ids.
  Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids);
};

}  // namespace leitong::online
