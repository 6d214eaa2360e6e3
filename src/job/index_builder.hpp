// A new online index in a folder, which appears when it is whole.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/online_index.hpp"

namespace leitong::online {

/// It is made beside its place, under another name, and removed again unless it is put there.
class IndexBuilder {
 public:
  /// Fails with invalid_argument if there is anything at `place`, and with unsupported for a place on a
  /// server.
  static Result<IndexBuilder> begin(const Context& context, const std::filesystem::path& place,
                                    const Settings& settings);
  IndexBuilder(IndexBuilder&& other) noexcept
      : place_(std::move(other.place_)),
        draft_(std::exchange(other.draft_, {})),
        index_(std::move(other.index_)) {}
  IndexBuilder& operator=(IndexBuilder&&) = delete;
  ~IndexBuilder();

  /// Takes the texts, by its add().
  [[nodiscard]] OnlineIndex& index() noexcept { return *index_; }
  /// All texts are there: it becomes whole and durable.
  Result<void> finish();
  /// REQUIRES finish().
  Result<void> put_in_place();

 private:
  IndexBuilder(std::filesystem::path place, std::filesystem::path draft)
      : place_(std::move(place)), draft_(std::move(draft)) {}

  std::filesystem::path place_;
  std::filesystem::path draft_;  // empty: it is in its place, or this one was moved from
  std::unique_ptr<OnlineIndex> index_;
};

}  // namespace leitong::online
