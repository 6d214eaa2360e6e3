// An index of fingerprints on a Redis server: its texts, families and tables are there, and functions there
// decide (functions.cpp). Any number of processes may add to it.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/home.hpp"
#include "online/index_scheme.hpp"
#include "online/redis/link.hpp"

namespace leitong::online {

class RedisIndex final : public Home {
 public:
  /// Fails with not_found if there is none and none is to be made, with invalid_argument for a place or a
  /// scheme that can't be, and as RedisLink::ask() does.
  static Result<std::unique_ptr<Home>> open(const Context& context, std::string_view place,
                                            const Settings& settings);

  Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted) override;
  Result<bool> remove(std::string_view id) override;
  Result<bool> begin(std::string_view source) override;
  Result<Committed> commit(std::string_view source) override;
  Result<void> rollback(std::string_view source) override;
  std::vector<std::string> open_sources() override { return {}; }
  Result<std::uint64_t> remove_source(std::string_view source) override;
  Result<std::uint64_t> expire(Seconds before) override;
  Result<std::optional<Stored>> get(std::string_view id) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<Explanation> explain(std::string_view text) override;
  Result<void> verify() override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  Result<void> compact() override { return {}; }

 private:
  RedisIndex(const Context& context, RedisAddress address, const Settings& settings);
  Result<void> describe(const Settings& settings);
  /// Prepares texts on the context's threads.
  Result<std::vector<CheckedText>> prepared(std::span<const Text> texts, Look look, bool to_be_added) const;
  /// One call a part of the texts that aren't refused; their answers.
  Result<std::vector<Answer>> ask_about(std::vector<CheckedText>& texts, Look look, const Wanted& wanted,
                                        bool add);
  [[nodiscard]] RedisCommand command(std::string_view name, bool reads_only) const;
  Result<Answer> answer_in(std::string_view bytes, const CheckedText& text) const;
  Result<Stored> stored_in(const RedisReply& reply) const;
  Result<std::uint64_t> remove_all(std::string_view what, std::string_view which);
  [[nodiscard]] tl::unexpected<Error> not_here(std::string_view what) const;
  [[nodiscard]] std::string key(std::string_view what) const;

  const Context& context_;
  RedisLink link_;
  std::unique_ptr<IndexScheme> scheme_;
  std::string plan_, layout_;
  std::atomic<std::uint64_t> checks_{0};
};

}  // namespace leitong::online
