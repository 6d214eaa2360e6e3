// Compiles jieba's dictionaries into a model file (docs/format.md, "Segmentation model").
#pragma once

#include <string_view>

#include "io/section_file.hpp"
#include "leitong/result.hpp"
#include "text/segment/jieba_dictionary.hpp"

namespace leitong {

/// Compiles a dictionary and writes the model. `about` says where it came from, for `leitong dict info`.
/// Except for that, the same dictionary gives the same bytes. Takes a second or two and 200 MB for jieba's
/// own. Fails with limit if a dictionary has more than the model can hold: kMaxSymbols characters (jieba's
/// own: 15,011), kMaxWeights different weights (5,087) or tags (65,535).
Result<void> write_segment_model(const JiebaDictionary& dictionary, std::string_view about, ByteSink sink);

/// Compiles the content of jieba's files; `about` lists them with their sizes and digests.
Result<void> write_segment_model(const JiebaTexts& texts, ByteSink sink);

/// Reads and compiles the files.
Result<void> write_segment_model(const JiebaFiles& files, ByteSink sink);

}  // namespace leitong
