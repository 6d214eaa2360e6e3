#include "job/index_builder.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"
#include "io/output_folder.hpp"
#include "io/staged.hpp"
#include "online/server_address.hpp"

namespace leitong::online {

Result<IndexBuilder> IndexBuilder::begin(const Context& context, const std::filesystem::path& given,
                                         const Settings& settings) {
  const std::filesystem::path place = without_slash(given);
  LEITONG_TRY(check_home(place.native()));
  if (is_on_server(place.native()))
    return fail(ErrorCode::unsupported,
                fmt::format("{}: an index on a server is made by adding to it", place.string()));
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(place, error)))
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: is there already; name a folder that isn't, or add to it", place.string()));
  int attempt = 0;
  while (std::filesystem::exists(temporary_name(place, attempt), error)) ++attempt;
  IndexBuilder builder(place, temporary_name(place, attempt));
  Settings of_draft = settings;
  of_draft.create = true;
  of_draft.durability = Durability::none;
  LEITONG_ASSIGN(builder.index_, OnlineIndex::make_at_once(context, builder.draft_, of_draft));
  return builder;
}

IndexBuilder::~IndexBuilder() {
  index_.reset();
  std::error_code ignored;
  if (!draft_.empty()) std::filesystem::remove_all(draft_, ignored);
}

Result<void> IndexBuilder::finish() {
  LEITONG_TRY(index_->finish());
  index_.reset();
  return {};
}

Result<void> IndexBuilder::put_in_place() {
  std::error_code error;
  std::filesystem::rename(draft_, place_, error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", place_.string(), error.message()));
  draft_.clear();
  return sync_folder_of(place_);
}

}  // namespace leitong::online
