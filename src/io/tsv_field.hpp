// The escaping of all TSV files of leitong, so that fields may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Appends `field` with tab, line feed, carriage return and backslash written as \t \n \r \\, and other ASCII
/// control characters as \x and two hexadecimal digits, so that a row is text for any fields.
void append_tsv_field(std::string_view field, std::string& out);

/// The inverse. A backslash before anything that append_tsv_field() does not write stands for itself.
void append_unescaped_tsv_field(std::string_view escaped, std::string& out);

}  // namespace leitong
