// Copies records with added fields, and some of them several times.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "corpus/corpus.hpp"
#include "corpus/place_table.hpp"
#include "corpus/record_format.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// See Corpus::check_extendable(). `first`: the first document that is no reference; so below.
Result<void> check_extended(const InputAccess& access, const PlaceTable& places, DocId first,
                            const std::vector<AddedField>& fields);
/// See Corpus::copy_extended(). REQUIRES that all records are of one format.
Result<void> copy_extended_records(const InputAccess& access, const PlaceTable& places, DocId first,
                                   const RecordFormat& format, const std::vector<AddedField>& fields,
                                   const Corpus::Extend& extend, const WriteBytes& write);
/// See Corpus::copy_extended_by_source().
Result<void> copy_extended_sources(const InputAccess& access, const PlaceTable& places, DocId first,
                                   const std::vector<AddedField>& fields, const Corpus::Extend& extend,
                                   const std::function<Result<void>(std::string_view, bool)>& begin,
                                   const WriteBytes& write, const std::function<Result<void>()>& end);

}  // namespace leitong
