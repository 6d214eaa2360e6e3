// The text that does not count.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/folding.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Calls `each` for the texts in these files, which are read by the settings of the input. Fails as
/// read_documents() does, and with corrupt for a record that can't be read.
Result<void> read_base_texts(const Context& context, const InputFiles& input,
                             const std::vector<std::string>& base,
                             const std::function<void(std::string_view text)>& each);
/// The shingles of these texts, ascending, each once; none if there are no files. Fails with invalid_argument
/// if the texts hold no letter or digit.
[[nodiscard]] Result<std::vector<std::uint32_t>> read_base(const Context& context, const InputFiles& input,
                                                           const std::vector<std::string>& base,
                                                           const Folding& folding);

}  // namespace leitong
