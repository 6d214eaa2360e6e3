// Copies records with texts that lack some of their bytes.
#pragma once

#include <functional>
#include <string_view>

#include "corpus/corpus.hpp"
#include "corpus/place_table.hpp"
#include "corpus/record_format.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// See Corpus::check_cuttable(); for one output, the caller checks that there can be one. `first`: the first
/// document that is no reference; so below.
Result<void> check_cut(const InputAccess& access, const PlaceTable& places, DocId first);
/// See Corpus::copy_cut(). REQUIRES that all records are of one format.
Result<void> copy_cut_records(const InputAccess& access, const PlaceTable& places, DocId first,
                              const RecordFormat& format, const Corpus::CutRecord& cut,
                              const WriteBytes& write, const Corpus::CutPlaced& placed);
/// See Corpus::copy_cut_by_source().
Result<void> copy_cut_sources(const InputAccess& access, const PlaceTable& places, DocId first,
                              const Corpus::CutRecord& cut,
                              const std::function<Result<void>(std::string_view, bool)>& begin,
                              const WriteBytes& write, const Corpus::CutPlaced& placed,
                              const std::function<Result<void>()>& end);

}  // namespace leitong
