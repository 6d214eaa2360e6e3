// Adds members to objects of JSON.
#pragma once

#include <memory>
#include <vector>

#include "corpus/field_appender.hpp"

namespace leitong {

/// Adds the fields behind the last member of each record. Looks at the names of all members of the record.
[[nodiscard]] std::unique_ptr<FieldAppender> make_json_appender(const std::vector<AddedField>& fields);

}  // namespace leitong
