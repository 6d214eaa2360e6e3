// The kept records, byte for byte.
#pragma once

#include <functional>
#include <string_view>

#include "corpus/place_table.hpp"
#include "corpus/record_store.hpp"
#include "corpus/source_list.hpp"

namespace leitong {

/// What a copy is made of: documents [first, places.size()).
struct KeptInput {
  const SourceList& sources;
  const RecordStore& store;
  const PlaceTable& places;
  DocId first;
};

/// See Corpus::copy_kept. Runs of kept neighbours are handed on in pieces of some mebibytes.
Result<void> copy_kept(const KeptInput& input, const std::function<bool(DocId)>& keep,
                       const std::function<Result<void>(std::string_view)>& write);

}  // namespace leitong
