// The interface of an index wherever it is kept: in memory, in a folder, or on a server. The promises are the
// same everywhere (leitong/online.hpp).
#pragma once

#include <atomic>
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
#include "online/index_spec.hpp"

namespace leitong::online {

/// Which texts are removed: the one with an id, those of a source, or those that expire before a moment.
struct Which {
  enum class By : std::uint8_t { id, source, expiry };
  By by;
  std::string_view name = {};  ///< the id or the source
  Seconds before = 0;
};

/// How many texts a home searched for, and for how many of them the search was bounded.
class CheckCounts {
 public:
  void count(const Bounds& bounds) noexcept {
    ++checks_;
    candidates_ += bounds.candidates != 0;
    ids_ += bounds.ids;
    keys_ += bounds.keys;
  }
  void add_to(Figures& figures) const noexcept {
    figures.checks = checks_;
    figures.bounded_candidates = candidates_;
    figures.bounded_ids = ids_;
    figures.bounded_keys = keys_;
  }

 private:
  std::atomic<std::uint64_t> checks_{0}, candidates_{0}, ids_{0}, keys_{0};
};

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
  /// Returns how many were removed. A version is expected only with an id.
  virtual Result<std::uint64_t> remove(const Which& which, ExpectedVersion expected) = 0;
  virtual Result<bool> begin(std::string_view source) = 0;
  virtual Result<Committed> commit(std::string_view source) = 0;
  virtual Result<void> rollback(std::string_view source) = 0;
  virtual std::vector<std::string> open_sources() = 0;
  virtual Result<std::optional<Stored>> get(std::string_view id) = 0;
  /// Passes on all texts, or those of a source.
  virtual Result<void> for_each_stored(const std::string* source, const EachStored& each) = 0;
  virtual Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) = 0;
  virtual Result<Explanation> explain(std::string_view text) = 0;
  virtual Result<void> verify() = 0;
  virtual Result<Figures> figures() = 0;
  virtual Result<void> snapshot(const std::filesystem::path& folder) = 0;
  virtual Result<void> compact() = 0;

 protected:
  /// The figures of an index with so many new, near and exact texts.
  [[nodiscard]] Figures figures_of(const IndexSpec& spec, std::uint64_t fresh, std::uint64_t near,
                                   std::uint64_t exact) const {
    Figures figures{.texts = fresh + near + exact, .fresh = fresh, .near = near, .exact = exact};
    figures.scheme = scheme_text(spec.scheme);
    figures.distance = spec.distance;
    figures.bits = spec.bits;
    checks_.add_to(figures);
    return figures;
  }

  CheckCounts checks_;
};

}  // namespace leitong::online
