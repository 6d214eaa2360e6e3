// Masks numbers that do not count. Each of them becomes one "0" before a text is folded.
#pragma once

#include <string_view>

#include "text/rewritten_text.hpp"

namespace leitong {

/// Replaces every number of a text, valid UTF-8, by one "0". A number is a run of decimal digits of any
/// script, with single points and commas between two of them (3.14, 10.0.0.1, 1,000), and with a plus or
/// minus that stands directly before it and behind white space, an opening bracket, `=`, `:`, or nothing.
/// Characters that stand for a number and something else (½) are no digits. Linear.
void mask_numbers(std::string_view utf8, RewrittenText& masked);

}  // namespace leitong
