#include "job/missing_value.hpp"

#include <fmt/core.h>

#include <algorithm>

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

}  // namespace leitong
