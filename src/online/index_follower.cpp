// Follows an index that is open elsewhere.
#include <fmt/core.h>

#include "base/try.hpp"
#include "leitong/online.hpp"
#include "online/changes.hpp"
#include "online/server_address.hpp"

namespace leitong::online {

/// Follows an index on a server, or the store of one in a folder.
class IndexFollower::Inside {
 public:
  std::optional<Index> index;
  std::string place;
  std::unique_ptr<Store> store;
  TextCodec codec;

  Result<void> look() {
    LEITONG_ASSIGN(const bool shown, store->show_durable());
    if (shown) return {};
    return fail(
        ErrorCode::conflict,
        fmt::format("{}: what was written last isn't durable yet, so nothing is told of it; ask again",
                    place));
  }
};

IndexFollower::IndexFollower(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
IndexFollower::IndexFollower(IndexFollower&&) noexcept = default;
IndexFollower& IndexFollower::operator=(IndexFollower&&) noexcept = default;
IndexFollower::~IndexFollower() = default;

Result<IndexFollower> IndexFollower::open(const Context& context, const std::filesystem::path& place,
                                          const Settings& settings) {
  LEITONG_TRY(check_home(place.native()));
  auto inside = std::make_unique<Inside>();
  inside->place = place.string();
  if (is_on_server(place.native())) {
    Settings there = settings;
    there.create = false;
    LEITONG_ASSIGN(inside->index, Index::open(context, place, there));
    return IndexFollower(std::move(inside));
  }
  LEITONG_ASSIGN(const bool is_there, holds_index(place));
  if (!is_there) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  inside->store = Store::to_follow(place);
  return IndexFollower(std::move(inside));
}

Result<Changes> IndexFollower::changes(std::string_view since, const ChangesWanted& wanted) {
  if (inside_->index) return inside_->index->changes(since, wanted);
  const Store& store = *inside_->store;
  LEITONG_TRY(check_wanted(wanted));
  LEITONG_TRY(inside_->look());
  LEITONG_ASSIGN(const std::optional<Maker> maker, store.maker());
  if (!maker) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", inside_->place));
  LEITONG_ASSIGN(const std::uint64_t history, store.history());
  LEITONG_ASSIGN(const Extent end, store.extent());
  return changes_of(store, history, end, {}, since, wanted, inside_->codec);
}

}  // namespace leitong::online
