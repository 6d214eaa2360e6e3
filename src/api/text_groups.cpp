#include "api/text_groups.hpp"

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/try.hpp"

namespace leitong {
namespace {

Result<std::vector<std::uint32_t>> numbers_of(std::span<const std::uint32_t> numbers, std::string_view name,
                                              std::uint64_t texts) {
  if (!numbers.empty() && numbers.size() != texts)
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} values for {} texts (references among them); give one for each",
                            numbers.size(), texts),
                std::string(name));
  return std::vector<std::uint32_t>(numbers.begin(), numbers.end());
}

}  // namespace

void set_groups(const TextGroups& groups, FindOptions& options, const std::function<std::uint64_t()>& texts) {
  if (!groups.within.empty() || !groups.across.empty())
    options.groups = [groups, texts]() -> Result<FieldGroups> {
      FieldGroups made;
      LEITONG_ASSIGN(made.within, numbers_of(groups.within, "within", texts()));
      LEITONG_ASSIGN(made.across, numbers_of(groups.across, "across", texts()));
      return made;
    };
  if (!groups.keep_each.empty())
    options.keep_each = [groups, texts] { return numbers_of(groups.keep_each, "keep_each", texts()); };
}

}  // namespace leitong
