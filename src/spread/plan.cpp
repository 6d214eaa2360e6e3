#include "spread/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/try.hpp"
#include "corpus/record_format.hpp"
#include "corpus/source_list.hpp"
#include "io/output_file.hpp"
#include "io/read_file.hpp"
#include "io/run_context.hpp"
#include "leitong/settings.hpp"
#include "leitong/version.hpp"

namespace leitong::spread {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kPlan = "plan.json";

tl::unexpected<Error> refuse(std::string message, std::string_view setting = {}) {
  return fail(ErrorCode::invalid_argument, std::move(message), setting);
}

/// The settings that differ from their defaults, each as the texts from which it is read.
template <class Owner>
void add_settings(const Owner& owner, Json& json) {
  with_chosen(owner, [&](std::span<const ChosenSetting> all) {
    for (const ChosenSetting& chosen : all) {
      if (!is_changed(chosen)) continue;
      std::vector<std::string> texts = {text_of(chosen.setting, chosen.value)};
      if (auto* const list = std::get_if<std::vector<std::string>*>(&chosen.value)) texts = **list;
      json[std::string(chosen.setting.name)] = std::move(texts);
    }
  });
}

template <class Owner>
Result<void> take_settings(const Json& json, Owner& owner) {
  Result<void> taken;
  each_setting(owner, [&](const Setting& setting, const SettingValue& value) {
    const auto given = json.find(std::string(setting.name));
    if (!taken || given == json.end()) return;
    taken = set_value(setting, value, given->template get<std::vector<std::string>>());
  });
  return taken;
}

Result<std::string> scheme_of(const Context& context, const DedupSettings& settings) {
  LEITONG_ASSIGN(const Steps steps, Steps::open(settings));
  LEITONG_ASSIGN(const SchemeId id, steps.scheme(context));
  return scheme_text(id);
}

Json to_json(const Plan& plan, const std::string& scheme) {
  Json settings = Json::object();
  InputFiles input = plan.input;
  input.paths.clear();
  add_settings(input, settings);
  add_settings(plan.settings, settings);
  Json inputs = Json::array();
  for (const PlannedInput& one : plan.inputs)
    inputs.push_back({{"path", one.path}, {"bytes", one.bytes}, {"part", one.part}});
  return {{"leitong", library_info().version}, {"scheme", scheme},     {"parts", plan.parts},
          {"output", plan.output.string()},    {"settings", settings}, {"inputs", inputs},
          {"write_kept", plan.write_kept}};
}

/// The files of the inputs, in the order in which dedup_files() reads them.
Result<std::vector<PlannedInput>> list_inputs(InputFiles input) {
  if (input.paths.empty()) return refuse("no input; name files of records, or folders of them");
  for (std::string& path : input.paths) {
    if (path == "-")
      return fail(ErrorCode::unsupported,
                  "standard input can't be read by several processes; write it into a file");
    path = fs::absolute(path).lexically_normal().string();
  }
  LEITONG_ASSIGN(const SourceList sources, list_sources(InputOptions(std::move(input))));
  std::vector<PlannedInput> inputs;
  std::set<std::string> names;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const std::string path(sources.path(i));
    const RecordFormat* const format = sources[i].format;
    if (format != nullptr && format->info().one_document_a_file)
      return fail(ErrorCode::unsupported,
                  fmt::format("{}: is one document; a run that is spread reads files of records", path));
    if (sources.error(i) == nullptr && !sources[i].regular)
      return fail(ErrorCode::unsupported,
                  fmt::format("{}: what is no file can't be read by several processes", path));
    if (const std::string name = fs::path(path).filename(); !names.insert(name).second)
      return refuse(fmt::format(
          "two inputs have the name {}, which is that of the file of their records that stay", name));
    inputs.push_back({path, sources[i].stamp.size, 0});
  }
  if (inputs.empty()) return refuse("the input holds no file");
  return inputs;
}

/// Gives each input, the largest first, to the part that has least.
void divide(std::vector<PlannedInput>& inputs, std::uint32_t parts) {
  std::vector<PlannedInput*> order;
  for (PlannedInput& input : inputs) order.push_back(&input);
  std::ranges::stable_sort(order, std::greater(), [](const PlannedInput* input) { return input->bytes; });
  std::set<std::pair<std::uint64_t, std::uint32_t>> loads;
  for (std::uint32_t part = 0; part < parts; ++part) loads.insert({0, part});
  for (PlannedInput* const input : order) {
    auto least = loads.extract(loads.begin());
    input->part = least.value().second;
    least.value().first += std::max<std::uint64_t>(input->bytes, 1);
    loads.insert(std::move(least));
  }
}

Result<void> check_job(const SpreadJob& job) {
  constexpr std::uint32_t kMostParts = 1 << 16;
  if (job.parts < 1 || job.parts > kMostParts)
    return refuse(fmt::format("a run has 1 to {} parts, not {}", kMostParts, job.parts));
  if (job.work.empty() || job.output.empty())
    return refuse("name a folder for what the parts exchange, and one for the outputs");
  if (!job.input.reference_paths.empty())
    return fail(ErrorCode::unsupported, "references can't be spread; leitong dedup knows them", "references");
  const KeepPolicy& keep = job.settings.keep;
  if ((keep.by != Keep::longest && keep.by != Keep::first) || !keep.then.empty())
    return fail(
        ErrorCode::unsupported,
        fmt::format("the keep policy {}: a run that is spread knows longest and first", to_string(keep)),
        "keep");
  return check_spread(job.settings);
}

}  // namespace

fs::path Plan::file(std::string_view stage, std::size_t number) const {
  return work / stage / std::to_string(number);
}

std::vector<std::uint32_t> Plan::inputs_of(std::uint32_t part) const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < inputs.size(); ++number)
    if (inputs[number].part == part) numbers.push_back(number);
  return numbers;
}

Result<InputOptions> Plan::reading(std::span<const std::uint32_t> numbers) const {
  InputOptions options(input);
  for (const std::uint32_t number : numbers) {
    const PlannedInput& one = inputs[number];
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(one.path, failed);
    if (failed && one.bytes > 0)
      return fail(ErrorCode::not_found, fmt::format("{}: {}", one.path, failed.message()));
    if (!failed && size != one.bytes)
      return refuse(fmt::format(
          "{} has changed since the run was planned; plan a new one in a folder of its own", one.path));
    options.paths.push_back(one.path);
  }
  options.found = true;
  return options;
}

Result<void> make_plan(const Context& context, const SpreadJob& job) {
  LEITONG_TRY(check_job(job));
  LEITONG_ASSIGN(const std::string scheme, scheme_of(context, job.settings));
  Plan plan{.work = job.work,
            .output = fs::absolute(job.output).lexically_normal(),
            .parts = job.parts,
            .write_kept = job.write_kept,
            .input = job.input,
            .settings = job.settings};
  LEITONG_ASSIGN(plan.inputs, list_inputs(job.input));
  divide(plan.inputs, plan.parts);
  const Json json = to_json(plan, scheme);
  const fs::path path = job.work / kPlan;
  std::error_code failed;
  if (fs::exists(path, failed)) {
    LEITONG_ASSIGN(const std::string text, read_whole_file(path));
    if (Json::parse(text, nullptr, false) == json) return {};
    return refuse(fmt::format("{} holds another run; give this one a folder of its own", job.work.string()));
  }
  fs::create_directories(job.work, failed);
  LEITONG_ASSIGN(const auto file, OutputFile::create(path, true, StopToken(context.state().stop)));
  LEITONG_TRY(file->write(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"));
  return file->commit();
}

Result<Plan> read_plan(const Context& context, const fs::path& work) {
  const fs::path path = work / kPlan;
  const auto text = read_whole_file(path);
  if (!text && text.error().code == ErrorCode::not_found)
    return fail(ErrorCode::not_found,
                fmt::format("{} is missing; plan the run first: leitong part plan", path.string()));
  if (!text) return tl::unexpected(text.error());
  const Json json = Json::parse(*text, nullptr, false);
  const auto damaged = [&] { return fail(ErrorCode::corrupt, fmt::format("{} is damaged", path.string())); };
  if (!json.is_object()) return damaged();
  try {
    const auto version = json.at("leitong").get<std::string>();
    if (version != library_info().version)
      return refuse(
          fmt::format("{} was made by leitong {}, and this is {}. All parts of a run need one version",
                      path.string(), version, library_info().version));
    Plan plan;
    plan.work = work;
    plan.output = json.at("output").get<std::string>();
    plan.parts = json.at("parts").get<std::uint32_t>();
    plan.write_kept = json.at("write_kept").get<bool>();
    LEITONG_TRY(take_settings(json.at("settings"), plan.input));
    LEITONG_TRY(take_settings(json.at("settings"), plan.settings));
    for (const Json& one : json.at("inputs"))
      plan.inputs.push_back({one.at("path").get<std::string>(), one.at("bytes").get<std::uint64_t>(),
                             one.at("part").get<std::uint32_t>()});
    LEITONG_ASSIGN(const std::string scheme, scheme_of(context, plan.settings));
    if (json.at("scheme") != scheme)
      return refuse(fmt::format("{} was made with {}, and this is {}. All parts of a run need one scheme",
                                path.string(), json.at("scheme").get<std::string>(), scheme));
    const auto is_beyond = [&](const PlannedInput& input) { return input.part >= plan.parts; };
    if (plan.parts == 0 || std::ranges::any_of(plan.inputs, is_beyond)) return damaged();
    return plan;
  } catch (const Json::exception&) {
    return damaged();
  }
}

}  // namespace leitong::spread
