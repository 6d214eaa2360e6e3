// The interface of an index wherever it is kept: in memory, in a folder, or on a server. The promises are the
// same everywhere (leitong/online.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/check_text.hpp"

namespace leitong::online {

class Home {
 public:
  using EachStored = std::function<Result<void>(const Stored&)>;

  virtual ~Home() = default;
  Home() = default;
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

  virtual Result<std::vector<Answer>> check(std::span<const Text> texts, Look look, const Wanted& wanted) = 0;
  virtual Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                          ExpectedVersion expected) = 0;
  virtual Result<bool> remove(std::string_view id, ExpectedVersion expected) = 0;
  virtual Result<bool> begin(std::string_view source) = 0;
  virtual Result<Committed> commit(std::string_view source) = 0;
  virtual Result<void> rollback(std::string_view source) = 0;
  virtual std::vector<std::string> open_sources() = 0;
  virtual Result<std::uint64_t> remove_source(std::string_view source) = 0;
  virtual Result<std::uint64_t> expire(Seconds before) = 0;
  virtual Result<std::optional<Stored>> get(std::string_view id) = 0;
  /// Passes on all texts, or those of a source.
  virtual Result<void> for_each_stored(const std::string* source, const EachStored& each) = 0;
  virtual Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) = 0;
  virtual Result<Explanation> explain(std::string_view text) = 0;
  virtual Result<void> verify() = 0;
  virtual Result<Figures> figures() = 0;
  virtual Result<void> snapshot(const std::filesystem::path& folder) = 0;
  virtual Result<void> compact() = 0;
};

}  // namespace leitong::online
