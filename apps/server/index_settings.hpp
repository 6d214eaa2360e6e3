// The settings of an index that a request may choose: rows of the library's table of settings.
#pragma once

#include <string>

#include "leitong/online.hpp"
#include "leitong/settings.hpp"
#include "problem.hpp"
#include "records.hpp"

namespace leitong::server {

/// Calls `each` for durability, scheme, params, marks, numbers and keep_texts.
void each_requested_setting(online::Settings& settings, const SettingFn& each);

/// Reads them as the members of an object. Problem 422 for other members, and for impossible values.
[[nodiscard]] Outcome<void> read_settings(Question& question, online::Settings& settings);

/// An object of them, which read_settings() reads. Equal settings have equal texts.
[[nodiscard]] std::string settings_json(const online::Settings& settings);

/// "sync", "everysec" or "none".
[[nodiscard]] std::string durability_name(const online::Settings& settings);

}  // namespace leitong::server
