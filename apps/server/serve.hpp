// `leitong serve`: a server from its configuration to its end.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "config.hpp"
#include "leitong/result.hpp"

namespace leitong::server {

struct ServeOptions {
  std::filesystem::path config;  ///< file; empty: the defaults
  std::filesystem::path data;    ///< in place of the configuration's
  std::string listen;            ///< the same
};

/// The configuration in force. Fails as read_config(), and with invalid_argument for an address that others
/// reach without tokens.
[[nodiscard]] Result<Config> effective_config(const ServeOptions& options);

/// Opens everything that the configuration names but the indexes and the address: fails with what would fail
/// at the start.
[[nodiscard]] Result<void> check_config(const ServeOptions& options);

/// Serves until SIGTERM or SIGINT. `listening` gets the page's address once it is answered there.
[[nodiscard]] Result<void> serve(const ServeOptions& options,
                                 const std::function<void(const std::string& url)>& listening);

}  // namespace leitong::server
