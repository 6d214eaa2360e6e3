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

/// Whether the documents' records can stand in one file: no file that is one document, one kind, one header.
Result<void> check_copyable(const KeptInput& input);

/// See Corpus::copy_kept. Runs of kept neighbours are handed on in pieces of some mebibytes.
Result<void> copy_kept(const KeptInput& input, const std::function<bool(DocId)>& keep,
                       const std::function<Result<void>(std::string_view)>& write);

}  // namespace leitong
