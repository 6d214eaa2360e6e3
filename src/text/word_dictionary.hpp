// Cuts words of scripts without spaces with ICU's dictionaries. Internal to src/text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace leitong {

/// Appends the end of each word of `run`, plus `offset`, to `ends`; the last one is the end of the run.
/// Several MB/s. REQUIRES: valid UTF-8 of fewer than 2 GiB.
void dictionary_words(std::string_view run, std::size_t offset, std::vector<std::size_t>& ends);

}  // namespace leitong
