#include "method_params.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "human.hpp"

namespace leitong::cli {

std::optional<MethodDescription> method_named(std::string_view name) {
  for (MethodDescription& method : list_methods())
    if (method.name == name) return std::move(method);
  return std::nullopt;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodDescription& method : list_methods()) names.emplace_back(method.name);
  return names;
}

bool has_param(const MethodDescription& method, std::string_view given) {
  const std::string_view name = given.substr(0, given.find('='));
  return std::any_of(method.params.begin(), method.params.end(),
                     [&](const MethodParam& param) { return param.name == name; });
}

Result<void> check_params(std::span<const std::string> methods, std::span<const std::string> params) {
  for (const std::string& name : methods)
    if (!method_named(name))
      return fail(ErrorCode::invalid_argument,
                  fmt::format("unknown method \"{}\"; see leitong methods", name));
  for (const std::string& given : params)
    if (std::none_of(methods.begin(), methods.end(),
                     [&](const std::string& name) { return has_param(*method_named(name), given); }))
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--param {}: none of the methods has it; see leitong methods", given));
  return {};
}

std::vector<std::string> params_of(std::string_view method, std::span<const std::string> params) {
  std::vector<std::string> own;
  const MethodDescription description = method_named(method).value();
  for (const std::string& given : params)
    if (has_param(description, given)) own.push_back(given);
  return own;
}

void append_param_files(std::span<const std::string> params, std::vector<std::string>& files) {
  std::error_code ignored;
  for (const std::string& given : params) {
    std::string value = given.substr(given.find('=') + 1);
    if (std::filesystem::is_regular_file(value, ignored)) files.push_back(std::move(value));
  }
}

std::string lacking(std::string_view method, std::uint64_t documents) {
  return fmt::format("{} {}", human_counted(documents, "document lacks", "documents lack"),
                     method_named(method)->needs);
}

}  // namespace leitong::cli
