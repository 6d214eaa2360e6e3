// The common part of signing files and signing texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "leitong/result.hpp"
#include "scheme/resources.hpp"
#include "scheme/text_sketcher.hpp"

namespace leitong {

/// 64 digits 0 and 1 for each word.
[[nodiscard]] std::string signature_binary(std::span<const std::uint64_t> words);

/// 16 hexadecimal digits for each word.
[[nodiscard]] std::string signature_hex(std::span<const std::uint64_t> words);

/// The scheme of a method that makes signatures. Fails with unsupported if its sketches are no signatures,
/// and as make_scheme_of(), SchemeResources::check_used() and Scheme::check_folding().
Result<TextSketcher> open_signing(std::string_view method, std::span<const std::string> params,
                                  SchemeResources& resources, const Folding& folding = {});

}  // namespace leitong
