// Follows an index that is open elsewhere.
#include <fmt/core.h>

#include "base/try.hpp"
#include "leitong/online.hpp"
#include "online/changes.hpp"
#include "online/server_address.hpp"

namespace leitong::online {

/// Follows an index on a server, or the store of one in a folder.
class IndexFollower::Impl {
 public:
  std::optional<Index> index;
  std::string place;
  std::unique_ptr<Store> store;
  TextCodec codec;
};

IndexFollower::IndexFollower(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
IndexFollower::IndexFollower(IndexFollower&&) noexcept = default;
IndexFollower& IndexFollower::operator=(IndexFollower&&) noexcept = default;
IndexFollower::~IndexFollower() = default;

Result<IndexFollower> IndexFollower::open(const Context& context, const std::filesystem::path& place,
                                          const Settings& settings) {
  LEITONG_TRY(check_home(place.native()));
  auto impl = std::make_unique<Impl>();
  impl->place = place.string();
  if (is_on_server(place.native())) {
    Settings there = settings;
    there.create = false;
    LEITONG_ASSIGN(impl->index, Index::open(context, place, there));
    return IndexFollower(std::move(impl));
  }
  LEITONG_ASSIGN(const bool is_there, holds_index(place));
  if (!is_there) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  impl->store = Store::to_follow(place);
  return IndexFollower(std::move(impl));
}

Result<Changes> IndexFollower::changes(std::string_view since, const ChangesWanted& wanted) {
  if (impl_->index) return impl_->index->changes(since, wanted);
  LEITONG_TRY(check_wanted(wanted));
  Store& store = *impl_->store;
  LEITONG_ASSIGN(const bool is_durable, store.show_durable());
  if (!is_durable)
    return fail(
        ErrorCode::conflict,
        fmt::format("{}: what was written last isn't durable yet, so nothing is told of it; ask again",
                    impl_->place));
  LEITONG_ASSIGN(const std::optional<IndexSpec> spec, store.spec());
  if (!spec) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", impl_->place));
  LEITONG_ASSIGN(const std::uint64_t history, store.history());
  LEITONG_ASSIGN(const Extent end, store.extent());
  return changes_of(store, history, end, {}, since, wanted, impl_->codec);
}

}  // namespace leitong::online
