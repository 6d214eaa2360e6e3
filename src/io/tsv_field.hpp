// Fields of tab-separated rows that may hold anything: the escaping that all of leitong's TSV files share.
#pragma once

#include <string>
#include <string_view>

namespace leitong {

/// Appends `field` with tab, line feed, carriage return and backslash written as \t \n \r \\, and other
/// control characters of ASCII as \x and two hexadecimal digits: a row is text whatever its fields hold.
void append_tsv_field(std::string_view field, std::string& out);

/// The inverse. A backslash before anything that append_tsv_field() doesn't write stands for itself.
void append_unescaped_tsv_field(std::string_view escaped, std::string& out);

}  // namespace leitong
