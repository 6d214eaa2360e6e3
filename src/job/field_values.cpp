#include "job/field_values.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "job/missing_value.hpp"

namespace leitong {

Result<FieldValues> read_field_values(const Corpus& corpus, std::string_view thing, const std::string& field,
                                      WithoutValue without,
                                      const std::function<std::string(std::string)>& value_of,
                                      const RunContext& run) {
  std::vector<std::uint64_t> names(corpus.size());
  LEITONG_TRY(parallel_for_each(
      run.stop, names.size(), [&] { return corpus.new_scratch(); },
      [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
        LEITONG_ASSIGN(std::string content, corpus.field(static_cast<DocId>(i), field, *scratch));
        const std::string value = value_of(std::move(content));
        names[i] = value.empty() ? 0 : std::max<std::uint64_t>(XXH3_64bits(value.data(), value.size()), 1);
        return {};
      }));
  FieldValues values;
  values.without = static_cast<std::uint64_t>(std::ranges::count(names, 0U));
  // If no document has a value, the run would do something else than what was asked, so this is an error.
  if (values.without == names.size() && values.without > 0) return missing_value(corpus, thing, field);
  std::vector<std::uint64_t> distinct = names;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  values.numbers.resize(names.size());
  auto next = static_cast<std::uint32_t>(distinct.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    values.numbers[i] =
        names[i] == 0 && without == WithoutValue::own_values
            ? next++
            : static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), names[i]) -
                                         distinct.begin());
  return values;
}

Result<FieldValues> read_field_values(const Corpus& corpus, std::string_view thing, const std::string& field,
                                      WithoutValue without, const RunContext& run) {
  const auto value_of = [](const std::string& content) {
    const std::size_t begin = content.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) return std::string();
    return content.substr(begin, content.find_last_not_of(" \t\r\n") - begin + 1);
  };
  return read_field_values(corpus, thing, field, without, value_of, run);
}

}  // namespace leitong
