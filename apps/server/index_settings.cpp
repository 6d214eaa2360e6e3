#include "index_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "leitong/json.hpp"

namespace leitong::server {
namespace {

// A request chooses neither files nor what the index takes of the server.
constexpr std::array<std::string_view, 6> kRequested = {"durability", "scheme",  "params",
                                                        "marks",      "numbers", "keep_texts"};

}  // namespace

void each_requested_setting(online::Settings& settings, const SettingFn& each) {
  each_setting(settings, [&](const Setting& setting, const SettingValue& value) {
    if (std::ranges::find(kRequested, setting.name) != kRequested.end()) each(setting, value);
  });
}

Outcome<void> read_settings(Question& question, online::Settings& settings) {
  Outcome<void> done;
  const auto read = [&](const Setting& setting, const SettingValue& value) -> Outcome<void> {
    if (bool* const* const yes = std::get_if<bool*>(&value)) {
      SERVER_ASSIGN(const auto given, question.yes(setting.name));
      if (given) **yes = *given;
      return {};
    }
    if (auto* const* const params = std::get_if<std::vector<std::string>*>(&value)) {
      SERVER_ASSIGN(**params, question.params(setting.name));
      return {};
    }
    SERVER_ASSIGN(const auto given, question.text(setting.name));
    if (!given) return {};
    const std::string text(*given);
    if (const auto set = set_value(setting, value, std::span(&text, 1)); !set)
      return problem(422, fmt::format("\"{}\": {}", setting.name, set.error().message));
    return {};
  };
  each_requested_setting(settings, [&](const Setting& setting, const SettingValue& value) {
    if (done) done = read(setting, value);
  });
  SERVER_TRY(std::move(done));
  return question.nothing_else();
}

std::string settings_json(const online::Settings& settings) {
  online::Settings shown = settings;
  std::string json;
  each_requested_setting(shown, [&](const Setting& setting, const SettingValue& value) {
    json += fmt::format("{}\"{}\": ", json.empty() ? "{" : ", ", setting.name);
    if (const auto* const params = std::get_if<std::vector<std::string>*>(&value)) {
      json += '[';
      for (const std::string& param : **params) {
        if (&param != (*params)->data()) json += ", ";
        append_json_string(param, json);
      }
      json += ']';
    } else if (std::holds_alternative<bool*>(value)) {
      json += text_of(setting, value);
    } else {
      append_json_string(text_of(setting, value), json);
    }
  });
  return json + "}";
}

std::string durability_name(const online::Settings& settings) {
  online::Settings shown = settings;
  std::string name;
  each_requested_setting(shown, [&](const Setting& setting, const SettingValue& value) {
    if (setting.name == "durability") name = text_of(setting, value);
  });
  return name;
}

}  // namespace leitong::server
