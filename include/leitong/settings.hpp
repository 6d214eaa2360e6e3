// The settings of the library, each of them once: name, values, default, range, what it needs and excludes,
// and what it is for. The command's flags with their help and the reference in docs/cli.md, the checks and
// the arguments of Python, the "settings" of a summary in JSON and the keys of the server's configuration
// come from here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/dictionaries.hpp"
#include "leitong/job.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "leitong/sign.hpp"

namespace leitong {

/// A row of the table. Its texts are static.
struct Setting {
  std::string_view name;  ///< "max_record_bytes": the member's, the argument's of Python, the key in JSON
  /// What its values are called, "FILE" or "SIZE", or all of them, "a|b"; empty: yes or no.
  std::string_view value;
  std::string_view group;          ///< heading under which a help lists it
  std::string_view help;           ///< what it is for, without a full stop
  std::string_view unset = {};     ///< what holds by default, where the default value doesn't say it
  double low = 0;                  ///< least value of a number
  double high = 0;                 ///< greatest value of a number; not above `low`: any
  std::string_view flag = {};      ///< the command's flag; empty: its name with dashes
  std::string_view needs = {};     ///< name of a setting without which it means nothing
  std::string_view excludes = {};  ///< names of those that contradict it, with spaces between them
  std::string_view why = {};       ///< why it needs or excludes them, in a sentence
  /// All its values, where they are known only when the program runs.
  std::vector<std::string> (*words)() = {};
};

/// An enumeration as the number of one of Setting::value's words.
struct WordNumber {
  std::uint8_t* number;  ///< where it is
};
/// A parameter of the method under a name of its own: "name=value" in a list of parameters.
struct ParamValue {
  std::vector<std::string>* params;  ///< the list
};
/// A number of days, kept as seconds.
struct DaysValue {
  std::optional<online::Seconds>* seconds;  ///< where they are
};
/// Where the value of a setting is kept.
using SettingValue =
    std::variant<bool*, unsigned*, std::uint64_t*, double*, std::optional<double>*, std::string*,
                 std::filesystem::path*, std::vector<std::string>*, std::vector<std::filesystem::path>*,
                 KeepPolicy*, WordNumber, ParamValue, DaysValue>;
/// Is told of a setting.
using SettingFn = std::function<void(const Setting& setting, const SettingValue& value)>;

/// Calls `each` for the settings of a structure, in the order of the help, with the place of each value in
/// it.
void each_setting(InputFiles& input, const SettingFn& each);
void each_setting(Dictionaries& dictionaries, const SettingFn& each);
void each_setting(DedupSettings& settings, const SettingFn& each);
void each_setting(SignSettings& settings, const SettingFn& each);
void each_setting(DedupOutputs& outputs, const SettingFn& each);
void each_setting(ContextSettings& context, const SettingFn& each);
void each_setting(online::Settings& index, const SettingFn& each);
void each_setting(online::FileDetails& details, const SettingFn& each);
void each_setting(online::Wanted& wanted, const SettingFn& each);
/// Those of what it is made of, and its own.
void each_setting(DedupJob& job, const SettingFn& each);

/// All of them, each name once.
[[nodiscard]] std::vector<Setting> all_settings();

/// The words that the value has to be one of; none where it is free.
[[nodiscard]] std::vector<std::string> words_of(const Setting& setting);
/// "--max-record" of "max_record_bytes", "-o, --output" of "kept"; of an unknown name the same by its form.
[[nodiscard]] std::string flag_of(std::string_view name);

/// The value as it would be given; empty for yes and no and for what is not set.
[[nodiscard]] std::string text_of(const Setting& setting, const SettingValue& value);
/// Reads the value from what was given for it: some texts for a list, one for all else ("true" and "false" of
/// a switch). Fails with invalid_argument, naming the setting, for what it cannot be.
[[nodiscard]] Result<void> set_value(const Setting& setting, const SettingValue& value,
                                     std::span<const std::string> given);
/// "512M", "4G", "1.5 GiB", "100000": bytes, with binary steps (K = 1024). Case and a final "B" or "iB" don't
/// matter. Fails with invalid_argument.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

/// A setting with its value, and with the one that it has by default.
struct ChosenSetting {
  Setting setting;        ///< the row
  SettingValue value;     ///< chosen
  SettingValue standard;  ///< in a structure of which nothing was set
};
/// Fails with invalid_argument, naming the setting, where a number is out of its range, and where one that
/// was set lacks what it needs or contradicts another one that was set.
[[nodiscard]] Result<void> check_chosen(std::span<const ChosenSetting> chosen);
/// Was it set to something else?
[[nodiscard]] bool is_changed(const ChosenSetting& chosen);
/// Of a name that no setting has.
[[nodiscard]] Error unknown_setting(std::string_view name);

/// Calls `work` with the settings of a structure.
template <class Owner, class Work>
auto with_chosen(const Owner& owner, Work work) {
  Owner chosen = owner, standard{};
  std::vector<ChosenSetting> all;
  each_setting(chosen, [&](const Setting& setting, const SettingValue& value) {
    all.push_back({setting, value, value});
  });
  std::size_t i = 0;
  each_setting(standard, [&](const Setting&, const SettingValue& value) { all[i++].standard = value; });
  return work(std::span<const ChosenSetting>(all));
}
/// check_chosen() of all settings of a structure.
template <class Owner>
[[nodiscard]] Result<void> check_settings(const Owner& owner) {
  return with_chosen(owner, [](std::span<const ChosenSetting> all) { return check_chosen(all); });
}
/// Sets one of a structure by its name. Fails as set_value(), and for an unknown name.
template <class Owner>
[[nodiscard]] Result<void> set(Owner& owner, std::string_view name, std::span<const std::string> given) {
  Result<void> done = tl::unexpected<Error>(unknown_setting(name));
  each_setting(owner, [&](const Setting& setting, const SettingValue& value) {
    if (setting.name == name) done = set_value(setting, value, given);
  });
  return done;
}

}  // namespace leitong
