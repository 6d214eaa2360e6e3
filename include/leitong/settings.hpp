// The table of the library's settings: name, values, default, range, dependencies, conflicts and help of
// each. These are made from it: the command's flags with their help, the reference in docs/cli.md, Python's
// arguments and checks, "settings" in JSON summaries, and the keys of the server's configuration.
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
#include "leitong/decontaminate.hpp"
#include "leitong/dictionaries.hpp"
#include "leitong/job.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "leitong/sign.hpp"

namespace leitong {

// See trim.hpp.
struct TrimSettings;
struct TrimOutputs;
struct TrimJob;

/// A row of the table. Its texts are static.
struct Setting {
  std::string_view name;  ///< "max_record_bytes": the member, the Python argument, the JSON key
  /// The name of its values ("FILE", "SIZE"), or the list of all values ("a|b"); empty: yes or no.
  std::string_view value;
  std::string_view group;          ///< heading in the help
  std::string_view help;           ///< its purpose, without a full stop
  std::string_view unset = {};     ///< the default in words, if the default value does not say it
  double low = 0;                  ///< least value of a number
  double high = 0;                 ///< greatest value of a number; any if not above `low`
  std::string_view flag = {};      ///< the command's flag; empty: the name with dashes
  std::string_view needs = {};     ///< name of a setting that it needs
  std::string_view excludes = {};  ///< names of settings that contradict it, with spaces between them
  std::string_view why = {};       ///< one sentence: why it needs or excludes them
  /// Returns all its values, if they are known only at run time.
  std::vector<std::string> (*words)() = {};
};

/// The value of an enumeration: the number of one of the words in Setting::value.
struct WordNumber {
  std::uint8_t* number;  ///< where the number is
};
/// A method parameter with a name of its own: "name=value" in a list of parameters.
struct ParamValue {
  std::vector<std::string>* params;  ///< the list
};
/// A number of days, kept as seconds.
struct DaysValue {
  std::optional<online::Seconds>* seconds;  ///< where the seconds are
};
/// Where the value of a setting is kept.
using SettingValue =
    std::variant<bool*, unsigned*, std::uint64_t*, double*, std::optional<double>*, std::string*,
                 std::filesystem::path*, std::vector<std::string>*, std::vector<std::filesystem::path>*,
                 KeepPolicy*, WordNumber, ParamValue, DaysValue>;
/// Receives a setting.
using SettingFn = std::function<void(const Setting& setting, const SettingValue& value)>;

/// Calls `each` for every setting of a structure, in the order of the help, with the place of its value.
void each_setting(InputFiles& input, const SettingFn& each);
void each_setting(Dictionaries& dictionaries, const SettingFn& each);
void each_setting(RemovalSettings& settings, const SettingFn& each);
void each_setting(DedupSettings& settings, const SettingFn& each);
void each_setting(SignSettings& settings, const SettingFn& each);
void each_setting(DedupOutputs& outputs, const SettingFn& each);
void each_setting(ContextSettings& context, const SettingFn& each);
void each_setting(online::Settings& index, const SettingFn& each);
void each_setting(online::FileDetails& details, const SettingFn& each);
void each_setting(online::Wanted& wanted, const SettingFn& each);
void each_setting(LeakSettings& settings, const SettingFn& each);
/// Passes on the settings of the job's parts, and then its own.
void each_setting(DecontaminateJob& job, const SettingFn& each);
void each_setting(TrimSettings& settings, const SettingFn& each);
void each_setting(TrimOutputs& outputs, const SettingFn& each);
/// Passes on the settings of the job's parts.
void each_setting(TrimJob& job, const SettingFn& each);
/// Passes on the settings of the job's parts, and then its own.
void each_setting(DedupJob& job, const SettingFn& each);

/// All settings, each name once.
[[nodiscard]] std::vector<Setting> all_settings();

/// The words that are allowed as the value; empty if any value is allowed.
[[nodiscard]] std::vector<std::string> words_of(const Setting& setting);
/// "--max-record" for "max_record_bytes", "-o, --output" for "kept"; for an unknown name the same form.
[[nodiscard]] std::string flag_of(std::string_view name);

/// The value as a user would write it; empty for a switch and for an unset value.
[[nodiscard]] std::string text_of(const Setting& setting, const SettingValue& value);
/// Reads a value from text: several texts for a list, one otherwise ("true" and "false" for a switch). Fails
/// with invalid_argument, naming the setting, for an impossible value.
[[nodiscard]] Result<void> set_value(const Setting& setting, const SettingValue& value,
                                     std::span<const std::string> given);
/// Reads a number of bytes: "512M", "4G", "1.5 GiB", "100000". Steps are binary (K = 1024); case and a final
/// "B" or "iB" do not matter. Fails with invalid_argument.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

/// A setting with its value and its default value.
struct ChosenSetting {
  Setting setting;        ///< the row
  SettingValue value;     ///< the value in use
  SettingValue standard;  ///< the default value
};
/// Fails with invalid_argument, naming the setting, if a number is out of range, or if a changed setting
/// lacks what it needs or contradicts another changed one.
[[nodiscard]] Result<void> check_chosen(std::span<const ChosenSetting> chosen);
/// Does the value differ from the default?
[[nodiscard]] bool is_changed(const ChosenSetting& chosen);
/// The error for a name that no setting has.
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
/// Calls check_chosen() with all settings of a structure.
template <class Owner>
[[nodiscard]] Result<void> check_settings(const Owner& owner) {
  return with_chosen(owner, [](std::span<const ChosenSetting> all) { return check_chosen(all); });
}
/// Sets one setting of a structure by its name. Fails as set_value(), and for an unknown name.
template <class Owner>
[[nodiscard]] Result<void> set(Owner& owner, std::string_view name, std::span<const std::string> given) {
  Result<void> done = tl::unexpected<Error>(unknown_setting(name));
  each_setting(owner, [&](const Setting& setting, const SettingValue& value) {
    if (setting.name == name) done = set_value(setting, value, given);
  });
  return done;
}

}  // namespace leitong
