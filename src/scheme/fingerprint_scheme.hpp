// The common part of the schemes whose sketch is one fingerprint of 64 or 128 bits.
#pragma once

#include <bit>
#include <optional>

#include "scheme/scheme.hpp"

namespace leitong {

/// A sketch has one or two words; a document without features has none, since it resembles no other.
class FingerprintScheme : public Scheme {
 public:
  /// Documents are similar if they differ in at most `distance` of the `bits`.
  FingerprintScheme(const SchemeContent& content, unsigned bits, unsigned distance)
      : Scheme(content), bits_(bits), distance_(distance) {}

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b,
                                                const Rule&) const override {
    unsigned distance = 0;
    for (std::size_t i = 0; i < a.words.size(); ++i)
      distance += static_cast<unsigned>(std::popcount(a.words[i] ^ b.words[i]));
    return Likeness{distance <= distance_, 1 - static_cast<double>(distance) / bits_, distance};
  }
  [[nodiscard]] unsigned fingerprint_bits() const noexcept override { return bits_; }

 private:
  unsigned bits_, distance_;
};

}  // namespace leitong
