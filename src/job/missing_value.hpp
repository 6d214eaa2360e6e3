// The error for a field that no document has.
#pragma once

#include <string>
#include <string_view>

#include "corpus/corpus.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The error invalid_argument: no document has a value of `field`, which messages call `thing`. Lists the
/// fields of the first record if that does not have the field. If the record cannot be read again, returns
/// that error. REQUIRES a corpus with documents.
[[nodiscard]] tl::unexpected<Error> missing_value(const Corpus& corpus, std::string_view thing,
                                                  const std::string& field);

}  // namespace leitong
