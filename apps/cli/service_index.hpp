// An index of `leitong serve`, asked over HTTP.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

/// One connection, which is made anew where it has ended. For one thread at a time. Every call fails with io
/// if the service is not reached or does not answer within a minute; with not_found for an unknown index, and
/// with invalid_argument for another answer that is no success: the message is the service's.
class ServiceIndex {
 public:
  /// Is it the address of an index on a service, not its folder?
  [[nodiscard]] static bool is_address(std::string_view place) noexcept {
    return place.starts_with("http://") || place.starts_with("https://");
  }
  /// `address`: "http://host:port/v1/indexes/NAME". `token` may be empty. Connects at the first call. Fails
  /// with invalid_argument for other addresses.
  static Result<ServiceIndex> open(std::string_view address, std::string token);
  ServiceIndex(ServiceIndex&&) noexcept;
  ServiceIndex& operator=(ServiceIndex&&) noexcept;
  ~ServiceIndex();

  /// As online::Index::changes(): not_found also if the cursor can't be used.
  Result<online::Changes> changes(std::string_view since, const online::ChangesWanted& wanted);
  /// As online::Index::check_and_add(), for texts of at most some 8 MB together. For each text the reason of
  /// a refusal, empty if there is none.
  Result<std::vector<std::string>> check_and_add(std::span<const online::Text> texts);
  /// As online::Index::remove().
  Result<void> remove(std::string_view id);

 private:
  class Connection;
  ServiceIndex(std::unique_ptr<Connection> connection, std::string path);

  std::unique_ptr<Connection> connection_;
  std::string path_;  // of the index
};

}  // namespace leitong::cli
