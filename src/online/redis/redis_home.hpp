// What all indexes on a Redis server have in common.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/redis/description.hpp"
#include "online/redis/link.hpp"
#include "online/server_home.hpp"
#include "online/succession.hpp"

namespace leitong::online {

class RedisHome : public ServerHome {
 public:
  Result<std::uint64_t> remove(const Which& which, ExpectedVersion expected) override;
  Result<Changes> changes(std::string_view since, const ChangesWanted& wanted) override;
  Result<void> for_each_stored(const std::string* source, const EachStored& each) override;
  Result<Figures> figures() override;
  Result<void> snapshot(const std::filesystem::path& folder) override;
  Result<void> verify() final;

 protected:
  RedisHome(const Context& context, std::unique_ptr<RedisLink> link, RedisDescription& index);

  /// A text that is removed, and who takes its place.
  struct Leaving {
    std::string id, number;
    std::string told;  ///< its place, as the server reported it
    Row row;
    Place place;
    std::string successor;  ///< number of the successor; empty: none
    bool copy = false;      ///< the successor is a copy
    Row successor_row;
    /// For an index that compares texts: the keys of the text, and of the successor the stamp, the keys under
    /// its old number and the keys that it will post.
    std::string keys, stamp, old_keys, new_keys;
  };
  /// Fills these last fields, and `full` with keys that become full. False if others change the index
  /// meanwhile.
  virtual Result<bool> note_postings(std::vector<Leaving>& /*leaving*/, std::string& /*full*/) {
    return true;
  }
  /// A number that is larger than the numbers of all texts.
  Result<TextNumber> next_number();
  /// Is each text found by what it posted? Fails with corrupt.
  virtual Result<void> verify_postings() = 0;
  /// "redis://host:port/name: WHAT"
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;

  const std::unique_ptr<RedisLink> link_;
  const std::string history_, plan_, layout_;

 private:
  // removing.cpp
  Result<std::vector<Leaving>> leaving(std::string_view what, std::string_view which);
  /// Returns how many of these were removed.
  Result<std::uint64_t> remove_these(std::vector<Leaving>& leaving);

  // verifying.cpp
  /// The counts in `meta`, which every change changes.
  Result<std::vector<std::string>> counts();
  Result<void> verify_rows();

  Result<Stored> stored_in(const RedisReply& reply) const;
  Result<std::vector<std::optional<Stored>>> get_all(std::span<const std::string> ids) override;
};

}  // namespace leitong::online
