// Makes a new online index in a folder, which becomes visible only when it is complete.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/online_index.hpp"

namespace leitong::online {

/// The index is made beside its final place, under another name, and removed again unless it is put there.
class IndexBuilder {
 public:
  /// Fails with invalid_argument if `place` exists, and with unsupported for a place on a server.
  static Result<IndexBuilder> begin(const Context& context, const std::filesystem::path& place,
                                    const Settings& settings);
  IndexBuilder(IndexBuilder&& other) noexcept
      : place_(std::move(other.place_)),
        draft_(std::exchange(other.draft_, {})),
        index_(std::move(other.index_)) {}
  IndexBuilder& operator=(IndexBuilder&&) = delete;
  ~IndexBuilder();

  /// The index to which texts are added.
  [[nodiscard]] OnlineIndex& index() noexcept { return *index_; }
  /// Completes the index after all texts were added, and makes it durable.
  Result<void> finish();
  /// Moves the index to its place. REQUIRES finish().
  Result<void> put_in_place();

 private:
  IndexBuilder(std::filesystem::path place, std::filesystem::path draft)
      : place_(std::move(place)), draft_(std::move(draft)) {}

  std::filesystem::path place_;
  std::filesystem::path draft_;  // empty if the index is in its place, or if this object was moved from
  std::unique_ptr<OnlineIndex> index_;
};

}  // namespace leitong::online
