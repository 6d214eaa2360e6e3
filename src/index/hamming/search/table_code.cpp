#include "index/hamming/search/table_code.hpp"

#include <bit>

namespace leitong::hamming {
namespace {

std::uint64_t ones(unsigned count) noexcept { return count == 64 ? ~0ull : (1ull << count) - 1; }

// Shifts across words; `by` may be anything up to the width.
std::uint64_t shifted_left(std::uint64_t word, unsigned by, Fingerprint64) noexcept { return word << by; }
Fingerprint128 shifted_left(std::uint64_t word, unsigned by, Fingerprint128) noexcept {
  if (by >= 64) return {0, word << (by - 64)};
  return {word << by, by == 0 ? 0 : word >> (64 - by)};
}
std::uint64_t shifted_right(Fingerprint64 x, unsigned by) noexcept { return x >> by; }
std::uint64_t shifted_right(Fingerprint128 x, unsigned by) noexcept {
  if (by >= 64) return x.high >> (by - 64);
  return by == 0 ? x.low : x.low >> by | x.high << (64 - by);
}

}  // namespace

template <Fingerprint F>
BitRuns runs_of(F mask) noexcept {
  BitRuns result;
  unsigned to = 0;
  for (unsigned w = 0; w < kWords<F>; ++w) {
    for (std::uint64_t left = word(mask, w); left != 0;) {
      const auto from = static_cast<unsigned>(std::countr_zero(left));
      const auto length = static_cast<unsigned>(std::countr_one(left >> from));
      result.runs[result.count++] = {static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(from),
                                     static_cast<std::uint8_t>(length), static_cast<std::uint8_t>(to)};
      left &= ~(ones(length) << from);
      to += length;
    }
  }
  return result;
}

template <Fingerprint F>
F gather(F x, const BitRuns& runs) noexcept {
  F result{};
  for (unsigned i = 0; i < runs.count; ++i) {
    const BitRuns::Run& run = runs.runs[i];
    result = result | shifted_left(word(x, run.word) >> run.from & ones(run.length), run.to, F{});
  }
  return result;
}

template <Fingerprint F>
F scatter(F bits, const BitRuns& runs) noexcept {
  F result{};
  for (unsigned i = 0; i < runs.count; ++i) {
    const BitRuns::Run& run = runs.runs[i];
    const std::uint64_t part = shifted_right(bits, run.to) & ones(run.length);
    result = result | shifted_left(part, 64u * run.word + run.from, F{});
  }
  return result;
}

template <Fingerprint F>
Coded<F> TableCode<F>::encode(F fingerprint) const noexcept {
  const auto block = static_cast<std::uint32_t>(word(gather(fingerprint, mask_), 0));
  const F rest = gather(fingerprint, rest_);
  if (code_ == BucketCode::plain) return {block, rest};
  const std::uint32_t syndrome = hamming31_syndrome(block);
  const std::uint32_t codeword = syndrome == 0 ? block : block ^ 1u << (syndrome - 1);
  return {hamming31_information(codeword), rest | shifted_left(syndrome, rest_bits_, F{})};
}

template <Fingerprint F>
F TableCode<F>::decode(Coded<F> coded) const noexcept {
  std::uint64_t block = coded.key;
  F rest = coded.value;
  if (code_ == BucketCode::hamming31) {
    const std::uint64_t syndrome = shifted_right(rest, rest_bits_);
    rest = rest ^ shifted_left(syndrome, rest_bits_, F{});
    block = hamming31_codeword(coded.key);
    if (syndrome != 0) block ^= 1ull << (syndrome - 1);
  }
  return scatter(shifted_left(block, 0, F{}), mask_) | scatter(rest, rest_);
}

std::uint32_t hamming31_syndrome(std::uint32_t word) noexcept {
  constexpr std::array<std::uint32_t, 5> kChecks = {0x55555555u & 0x7fffffffu, 0x66666666u, 0x78787878u,
                                                    0x7f807f80u, 0x7fff8000u};
  std::uint32_t syndrome = 0;
  for (unsigned i = 0; i < kChecks.size(); ++i)
    syndrome |= static_cast<std::uint32_t>(std::popcount(word & kChecks[i]) & 1) << i;
  return syndrome;
}

// The columns that are powers of two, bits 0, 1, 3, 7 and 15, are check bits.
std::uint32_t hamming31_information(std::uint32_t word) noexcept {
  return (word >> 2 & 1) | (word >> 4 & 7) << 1 | (word >> 8 & 0x7f) << 4 | (word >> 16 & 0x7fff) << 11;
}

std::uint32_t hamming31_codeword(std::uint32_t information) noexcept {
  const std::uint32_t word = (information & 1) << 2 | (information >> 1 & 7) << 4 |
                             (information >> 4 & 0x7f) << 8 | (information >> 11 & 0x7fff) << 16;
  const std::uint32_t checks = hamming31_syndrome(word);
  return word | (checks & 1) | (checks >> 1 & 1) << 1 | (checks >> 2 & 1) << 3 | (checks >> 3 & 1) << 7 |
         (checks >> 4 & 1) << 15;
}

const std::array<Hamming31Ball, 32>& hamming31_balls() noexcept {
  static const std::array<Hamming31Ball, 32> balls = [] {
    std::array<Hamming31Ball, 32> made{};
    for (std::uint32_t syndrome = 0; syndrome < 32; ++syndrome) {
      Hamming31Ball& ball = made[syndrome];
      const auto add = [&](std::uint32_t word) {
        ball.words[ball.count] = word;
        ball.keys[ball.count++] = hamming31_information(word);
      };
      if (syndrome == 0) {
        add(0);
        continue;
      }
      add(1u << (syndrome - 1));
      for (std::uint32_t a = 1; a < 32; ++a)
        if (const std::uint32_t b = a ^ syndrome; a < b && a != syndrome && b != syndrome)
          add(1u << (a - 1) | 1u << (b - 1));
    }
    return made;
  }();
  return balls;
}

template BitRuns runs_of<Fingerprint64>(Fingerprint64) noexcept;
template BitRuns runs_of<Fingerprint128>(Fingerprint128) noexcept;
template Fingerprint64 gather<Fingerprint64>(Fingerprint64, const BitRuns&) noexcept;
template Fingerprint128 gather<Fingerprint128>(Fingerprint128, const BitRuns&) noexcept;
template Fingerprint64 scatter<Fingerprint64>(Fingerprint64, const BitRuns&) noexcept;
template Fingerprint128 scatter<Fingerprint128>(Fingerprint128, const BitRuns&) noexcept;
template class TableCode<Fingerprint64>;
template class TableCode<Fingerprint128>;

}  // namespace leitong::hamming
