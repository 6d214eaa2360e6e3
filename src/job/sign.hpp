// What signing files and signing texts share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "leitong/result.hpp"
#include "scheme/resources.hpp"
#include "scheme/text_sketcher.hpp"

namespace leitong {

/// 64 digits 0 and 1 a word.
[[nodiscard]] std::string signature_binary(std::span<const std::uint64_t> words);

/// 16 hexadecimal digits a word.
[[nodiscard]] std::string signature_hex(std::span<const std::uint64_t> words);

/// The scheme of a method that makes signatures. Fails with unsupported where its sketches are none, and as
/// make_scheme_of() and SchemeResources::check_used() and
/// Scheme::check_folding().
Result<TextSketcher> open_signing(std::string_view method, std::span<const std::string> params,
                                  SchemeResources& resources, const Folding& folding = {});

}  // namespace leitong
