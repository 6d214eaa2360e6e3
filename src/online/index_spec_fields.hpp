// The fields by which an index on a server describes what made its keys.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "leitong/result.hpp"
#include "online/index_spec.hpp"

namespace leitong::online {

using Fields = std::map<std::string, std::string, std::less<>>;

/// "scheme", "given", "distance", "texts", and "dictionaries" if files are named.
[[nodiscard]] Fields fields_of(const IndexSpec& spec);
/// Fails with unsupported unless the field "format" is `known`.
Result<void> check_format(const Fields& fields, std::string_view known, std::string_view place);
/// Nothing if the distance is impossible; fails as parse_scheme() does. The number of bits follows from the
/// scheme.
Result<std::optional<IndexSpec>> spec_in(Fields& fields);

}  // namespace leitong::online
