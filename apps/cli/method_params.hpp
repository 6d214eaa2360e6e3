// --method and --param with several methods at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/methods.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

/// The method of this name; nothing if there is none.
[[nodiscard]] std::optional<MethodDescription> method_named(std::string_view name);

[[nodiscard]] std::vector<std::string> method_names();

/// Does the method have the parameter of "name" or "name=value"?
[[nodiscard]] bool has_param(const MethodDescription& method, std::string_view given);

/// Fails for unknown methods and for parameters that none of them has.
Result<void> check_params(std::span<const std::string> methods, std::span<const std::string> params);

/// The parameters that the method has. REQUIRES a known method.
[[nodiscard]] std::vector<std::string> params_of(std::string_view method,
                                                 std::span<const std::string> params);

/// Appends the files that are values of parameters, such as model=terms.model.
void append_param_files(std::span<const std::string> params, std::vector<std::string>& files);

/// "3 documents lack ..", for documents that the method cannot compare. REQUIRES a known method.
[[nodiscard]] std::string lacking(std::string_view method, std::uint64_t documents);

}  // namespace leitong::cli
