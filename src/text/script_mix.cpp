#include "text/script_mix.hpp"

#include <cstdint>
#include <cstring>

namespace leitong {
namespace {

class ScriptSegmenter final : public Segmenter {
 public:
  explicit ScriptSegmenter(std::unique_ptr<const Segmenter> chinese) : chinese_(std::move(chinese)) {}

  void segment(std::string_view utf8, const WordFn& each_word) const override {
    if (!may_have_other_scripts(utf8)) {
      chinese_->segment(utf8, each_word);
      return;
    }
    split_scripts(utf8, each_word, [&](std::string_view rest) { chinese_->segment(rest, each_word); });
  }

 private:
  std::unique_ptr<const Segmenter> chinese_;
};

constexpr std::size_t kBlock = 32;

/// Whether one of kBlock bytes begins a character that may belong to another script. By lead bytes, and where
/// these are shared with punctuation or Han by the byte behind them, which is readable behind the last one,
/// too; plain bytes and no branch, so that the compiler makes vectors of it.
std::uint8_t other_script_in(const std::uint8_t* p) {
  const auto within = [](std::uint8_t byte, std::uint8_t first, std::uint8_t last) -> std::uint8_t {
    return static_cast<std::uint8_t>(byte - first) <= static_cast<std::uint8_t>(last - first);
  };
  std::uint8_t found = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint8_t lead = p[i], next = p[i + 1];
    found |= within(lead, 0xC3, 0xE1) | within(lead, 0xEA, 0xEE);
    found |= within(lead, 0xE2, 0xE2) & (within(next, 0x81, 0x86) | within(next, 0xB0, 0xB8));
    found |= within(lead, 0xE3, 0xE3) & within(next, 0x81, 0x87);
    found |= within(lead, 0xEF, 0xEF) & (within(next, 0xAC, 0xBB) | within(next, 0xBD, 0xBE));
    found |= within(lead, 0xF0, 0xF0) & within(next, 0x90, 0x9E);
  }
  return found;
}

}  // namespace

bool may_have_other_scripts(std::string_view utf8) noexcept {
  const auto* const p = reinterpret_cast<const std::uint8_t*>(utf8.data());
  if (utf8.size() <= kBlock) {
    std::uint8_t whole[kBlock + 1] = {};
    std::memcpy(whole, p, utf8.size());
    return other_script_in(whole) != 0;
  }
  std::uint8_t found = other_script_in(p + utf8.size() - kBlock - 1);
  for (std::size_t i = 0; i + kBlock < utf8.size(); i += kBlock) found |= other_script_in(p + i);
  return found != 0;
}

std::unique_ptr<const Segmenter> make_script_segmenter(std::unique_ptr<const Segmenter> chinese) {
  return std::make_unique<const ScriptSegmenter>(std::move(chinese));
}

}  // namespace leitong
