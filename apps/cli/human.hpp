// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace leitong::cli {

/// "1.4 GB": decimal steps, as throughput is stated.
[[nodiscard]] std::string human_bytes(double bytes);
/// "1,234,567".
[[nodiscard]] std::string human_count(std::uint64_t n);
/// "1 record", "2,345 records"; `many` if the plural does not end in s.
[[nodiscard]] std::string human_counted(std::uint64_t n, std::string_view one, std::string_view many = {});
/// "12.3 %".
[[nodiscard]] std::string human_share(double part, double whole);
/// "0.42 s", "3:07", "2:15:09".
[[nodiscard]] std::string human_seconds(double seconds);

}  // namespace leitong::cli
