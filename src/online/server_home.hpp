// What indexes on servers have in common, whatever the server is and whatever they compare texts by.
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
#include "online/scratch_pool.hpp"

namespace leitong::online {

class ServerHome : public Home {
 public:
  // A server shows texts as they come: there are no sources that are set aside, and no versions.
  Result<bool> begin(std::string_view source) override;
  Result<Committed> commit(std::string_view source) override;
  Result<void> rollback(std::string_view source) override;
  std::vector<std::string> open_sources() override { return {}; }
  Result<std::optional<Stored>> get(std::string_view id) override;
  Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) override;

 protected:
  /// `server`: its name in messages; `place`: of the index, without passwords.
  ServerHome(const Context& context, std::unique_ptr<IndexScheme> scheme, std::string_view server,
             std::string place);

  [[nodiscard]] StopToken stop() const { return StopToken(context_.state().stop); }
  /// Prepares texts on the context's threads.
  Result<void> prepare(std::span<CheckedText* const> texts, const Secret& secret, bool to_be_added);
  /// Makes them of what was given, and prepares them.
  Result<std::vector<CheckedText>> prepared(std::span<const Text> texts, const Secret& secret, Look look,
                                            bool to_be_added);
  /// Finds what texts share with their matches, as far as these are still there.
  Result<void> add_passages(std::span<const Text> texts, std::span<Answer> answers);
  /// A row as others see it; `family`: the id of the text that stands for it, empty if it does so itself.
  static Result<Stored> stored_of(Row row, std::string_view family);
  /// Of an index of fingerprints: what was asked about, and its answer with up to so many matches.
  static constexpr std::uint32_t kMostExplained = 64;
  static Explanation explained(const CheckedText& text, Answer answer);
  [[nodiscard]] tl::unexpected<Error> not_here(std::string_view what) const;
  /// Fails if a version is expected: none are counted.
  [[nodiscard]] Result<void> expects_none(ExpectedVersion expected) const;

  const Context& context_;
  const std::unique_ptr<IndexScheme> scheme_;
  ScratchPool scratches_;

 private:
  /// The texts with these ids.
  virtual Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) = 0;
  [[nodiscard]] tl::unexpected<Error> no_sources() const;
  [[nodiscard]] tl::unexpected<Error> no_versions() const;

  const std::string_view server_;
  const std::string place_;
};

}  // namespace leitong::online
