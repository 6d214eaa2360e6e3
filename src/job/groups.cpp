#include "job/groups.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/try.hpp"
#include "job/field_values.hpp"

namespace leitong {
namespace {

std::array<std::pair<std::string_view, const std::string*>, 3> named_group_fields(const DedupJob& job) {
  return {{{"within", &job.within}, {"across", &job.across}, {"keep_each", &job.keep_each}}};
}

}  // namespace

void ask_for_groups(const DedupJob& job, InputOptions& input) {
  for (const auto& [name, field] : named_group_fields(job))
    if (!field->empty()) input.extra_fields.push_back(*field);
}

Result<void> check_groups(const DedupJob& job) {
  if (job.reference_indexes.empty()) return {};
  for (const auto& [name, field] : named_group_fields(job))
    if (!field->empty())
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("the field {}: the texts of an index have no fields; leave the field or the index out",
                      *field),
          std::string(name));
  return {};
}

void set_groups(const DedupJob& job, const Corpus& corpus, const RunContext& run, std::uint64_t& without,
                FindOptions& find) {
  const auto read = [&](std::string_view thing, const std::string& field,
                        WithoutValue rule) -> Result<std::vector<std::uint32_t>> {
    if (field.empty()) return std::vector<std::uint32_t>();
    LEITONG_ASSIGN(FieldValues values, read_field_values(corpus, thing, field, rule, run));
    without += values.without;
    return std::move(values.numbers);
  };
  if (!job.within.empty() || !job.across.empty())
    find.groups = [&job, read]() -> Result<FieldGroups> {
      FieldGroups groups;
      LEITONG_ASSIGN(groups.within, read("field to compare within", job.within, WithoutValue::one_value));
      LEITONG_ASSIGN(groups.across, read("field to compare across", job.across, WithoutValue::own_values));
      return groups;
    };
  if (!job.keep_each.empty())
    find.keep_each = [&job, read] {
      return read("field of which each value stays", job.keep_each, WithoutValue::one_value);
    };
}

std::string group_fields(const DedupJob& job) {
  std::string names;
  for (const auto& [name, field] : named_group_fields(job))
    if (!field->empty()) names += (names.empty() ? "" : ", ") + *field;
  return names;
}

}  // namespace leitong
