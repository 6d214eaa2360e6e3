#include "similarity/name_change.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "base/hash.hpp"
#include "base/pod_vector.hpp"
#include "leitong/utf8.hpp"

namespace leitong {
namespace {

constexpr std::uint32_t kLongestName = 8;  // units

// The units in which numbers are written, ascending: pairs of digits, Chinese numerals, and number words.
const std::vector<Unit>& number_units() {
  static const std::vector<Unit> kAll = [] {
    std::string text = "〇零一二三四五六七八九十百千第条";
    for (char tens = '0'; tens <= '9'; ++tens) {
      text.append(1, ' ').append(1, tens);
      for (char ones = '0'; ones <= '9'; ++ones) text.append(1, ' ').append(1, tens).append(1, ones);
    }
    PodVector<Unit> units;
    to_units(text, units);
    std::vector<Unit> all(units.begin(), units.end());
    std::sort(all.begin(), all.end());
    return all;
  }();
  return kAll;
}

bool is_number(Unit unit) { return std::ranges::binary_search(number_units(), unit); }

std::size_t times_in(std::span<const Unit> text, std::span<const Unit> part) {
  std::size_t times = 0;
  for (auto at = text.begin(); (at = std::search(at, text.end(), part.begin(), part.end())) != text.end();
       ++at)
    ++times;
  return times;
}

/// True if the name belongs to the first text. The second one may mention it, in a link or a list, at most
/// half as often.
bool is_of_first(std::span<const Unit> name, std::span<const Unit> first, std::span<const Unit> second) {
  const std::size_t elsewhere = times_in(second, name);
  return elsewhere == 0 || times_in(first, name) >= 2 * elsewhere;
}

std::uint64_t key_of(std::span<const Unit> x, std::span<const Unit> y) {
  std::uint64_t key = x.size();
  for (const std::span<const Unit> side : {x, y})
    for (const Unit unit : side) key = mix64(key * 31 + unit);
  return key;
}

// If a sentence or line ends with the character at `at`, returns the number of its bytes, otherwise 0.
std::size_t end_of_sentence(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\n') return 1;
  if (c == '.' || c == '!' || c == '?' || c == ';')
    return at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n' ? 1 : 0;
  for (const std::string_view sign : {"。", "！", "？", "；"})
    if (text.substr(at).starts_with(sign)) return sign.size();
  return 0;
}

}  // namespace

std::uint32_t title_units(std::string_view text, const Folding& folding) {
  PodVector<Unit> units;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin, sign = 0;
    while (end < text.size() && (sign = end_of_sentence(text, end)) == 0) ++end;
    to_units(text.substr(begin, end - begin), folding, units);
    if (!units.empty()) return static_cast<std::uint32_t>(std::min<std::size_t>(units.size(), kTitleUnits));
    begin = end + std::max<std::size_t>(sign, 1);
  }
  return 0;
}

void NameChanges::add(std::span<const Unit> first, std::span<const Unit> second, std::uint32_t a,
                      std::uint32_t a_end, std::uint32_t b, std::uint32_t b_end) {
  const std::uint32_t n = a_end - a, m = b_end - b;
  if (n == 0 || m == 0 || n > kLongestName || m > kLongestName) return;
  if (std::ranges::all_of(first.subspan(a, n), is_number) &&
      std::ranges::all_of(second.subspan(b, m), is_number)) {
    ++numbers_;
    return;
  }
  const auto add_change = [&](std::uint32_t before, std::uint32_t behind) {
    if (a < before || b < before || a_end + behind > first.size() || b_end + behind > second.size()) return;
    const Change change{0, a - before, a_end + behind, b - before, b_end + behind};
    changes_.push_back(change);
    changes_.back().key = key_of(first.subspan(change.a, change.a_end - change.a),
                                 second.subspan(change.b, change.b_end - change.b));
  };
  if (n > 1 && m > 1) return add_change(0, 0);
  add_change(1, 0);
  add_change(0, 1);
}

std::uint32_t NameChanges::most(std::span<const Unit> first, std::span<const Unit> second) {
  std::uint32_t most = 0;
  std::sort(changes_.begin(), changes_.end(), [](const Change& x, const Change& y) {
    return std::tie(x.key, x.a, x.b) < std::tie(y.key, y.a, y.b);
  });
  for (auto change = changes_.begin(); change != changes_.end();) {
    auto next = change;
    while (next != changes_.end() && next->key == change->key) ++next;
    const auto times = static_cast<std::uint32_t>(next - change);
    if (times >= kNameChanges && times > most && std::max(change->a, change->b) < kTitleZone &&
        is_of_first(first.subspan(change->a, change->a_end - change->a), first, second) &&
        is_of_first(second.subspan(change->b, change->b_end - change->b), second, first))
      most = times;
    change = next;
  }
  return most;
}

}  // namespace leitong
