// The values that documents have in a field.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The text without white space at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// What documents without a value count as.
enum class WithoutValue : std::uint8_t {
  one_value,  ///< all of them have one more value
  own_values  ///< each of them has a value of its own
};

/// The error invalid_argument: no document has a value of `field`, which messages call `thing`. Lists the
/// fields of the first record if that does not have the field. If the record cannot be read again, returns
/// that error. REQUIRES a corpus with documents.
[[nodiscard]] tl::unexpected<Error> missing_value(const Corpus& corpus, std::string_view thing,
                                                  const std::string& field);

struct FieldValues {
  std::vector<std::uint32_t> numbers;  ///< of each document, equal for equal values
  std::uint64_t without = 0;           ///< documents without a value
};

/// Reads the value of `field` of every document, all records again. `value_of` makes a value of the content
/// of the field; an empty one is none. Fails with invalid_argument, calling the field `thing`, if no document
/// has a value, or if the corpus was opened without the field.
Result<FieldValues> read_field_values(const Corpus& corpus, std::string_view thing, const std::string& field,
                                      WithoutValue without,
                                      const std::function<std::string(std::string)>& value_of,
                                      const RunContext& run);
/// The same for the content as it is, without white space at its ends.
Result<FieldValues> read_field_values(const Corpus& corpus, std::string_view thing, const std::string& field,
                                      WithoutValue without, const RunContext& run);

}  // namespace leitong
