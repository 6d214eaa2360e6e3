// What the indexes on all kinds of servers have in common.
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
#include "online/check_text.hpp"
#include "online/home.hpp"
#include "online/index_scheme.hpp"
#include "online/label_bytes.hpp"

namespace leitong::online {

class ServerHome : public Home {
 public:
  // A server shows texts as they arrive: it has no sources that are set aside, and no versions.
  Result<bool> begin(std::string_view source) override;
  Result<Committed> commit(std::string_view source) override;
  Result<void> rollback(std::string_view source) override;
  std::vector<std::string> open_sources() override { return {}; }
  Result<std::optional<Stored>> get(std::string_view id) override;
  /// For an index of fingerprints: a check with many matches.
  Result<Explanation> explain(std::string_view text) override;

 protected:
  /// `server`: its name in messages; `place`: the place of the index, without passwords.
  ServerHome(const Context& context, std::unique_ptr<IndexScheme> scheme, std::string_view server,
             std::string place);

  [[nodiscard]] StopToken stop() const { return StopToken(context_.state().stop); }
  /// Waits after so many failed tries. Clients that disturb each other wait for different times.
  static void pause_after(unsigned tries);
  /// Prepares texts on the context's threads.
  Result<void> prepare(std::span<CheckedText* const> texts, const Secret& secret, bool to_be_added);
  /// Makes and prepares the texts that are to be checked.
  Result<std::vector<CheckedText>> prepared(std::span<const Text> texts, const Secret& secret, Look look,
                                            bool to_be_added);
  /// Finds the passages that texts share with their matches, if these still exist.
  Result<void> add_passages(std::span<const Text> texts, std::span<Answer> answers);
  /// The public form of a row. `family`: the id of its representative; empty if the text represents itself.
  static Result<Stored> stored_of(Row row, std::string_view family);
  /// For an index of fingerprints: the match that has this label. `distance`: nothing for a copy.
  [[nodiscard]] Match match_at(const Label& label, std::optional<unsigned> distance) const;
  [[nodiscard]] tl::unexpected<Error> not_here(std::string_view what) const;
  /// Fails if a version is expected, since servers count no versions.
  [[nodiscard]] Result<void> expects_none(ExpectedVersion expected) const;

  const Context& context_;
  const std::unique_ptr<IndexScheme> scheme_;
  ScratchPool scratches_;

 private:
  /// The texts with these ids.
  virtual Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) = 0;
  [[nodiscard]] tl::unexpected<Error> no_sources() const;

  const std::string_view server_;
  const std::string place_;
};

}  // namespace leitong::online
