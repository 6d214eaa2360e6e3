#include "job/field_values.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "corpus/record_fields.hpp"

namespace leitong {

tl::unexpected<Error> missing_value(const Corpus& corpus, std::string_view thing, const std::string& field) {
  const auto scratch = corpus.new_scratch();
  const auto found = corpus.field_names(0, field, *scratch);
  if (!found) return tl::unexpected<Error>(found.error());
  const bool is_there = found->empty() || std::ranges::find(*found, field) != found->end();
  return fail(ErrorCode::invalid_argument,
              fmt::format("no document has a value of the {} \"{}\"{}; name one that the records have", thing,
                          field, is_there ? "" : ": " + missing_field_message("field", field, *found, "")));
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kWhite = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kWhite), text.size()));
  return text.substr(0, text.find_last_not_of(kWhite) + 1);
}

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
  const auto value_of = [](const std::string& content) { return std::string(trimmed(content)); };
  return read_field_values(corpus, thing, field, without, value_of, run);
}

}  // namespace leitong
