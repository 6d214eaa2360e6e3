// `leitong serve`: a server from its configuration to its end.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "config.hpp"
#include "leitong/result.hpp"

namespace leitong::server {

struct ServeOptions {
  std::filesystem::path config;  ///< file; empty: the defaults
  std::filesystem::path data;    ///< instead of the configuration's
  std::string listen;            ///< instead of the configuration's
};

/// The configuration in force. Fails as read_config(), and with invalid_argument for an address that other
/// machines can reach without tokens.
[[nodiscard]] Result<Config> effective_config(const ServeOptions& options);

/// Opens everything that the configuration names, except the indexes and the address: fails as a start would.
[[nodiscard]] Result<void> check_config(const ServeOptions& options);

/// Serves until SIGTERM or SIGINT. `listening` receives the page's address when it is served.
[[nodiscard]] Result<void> serve(const ServeOptions& options,
                                 const std::function<void(const std::string& url)>& listening);

}  // namespace leitong::server
