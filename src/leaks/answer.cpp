#include "leaks/answer.hpp"

#include <algorithm>
#include <utility>

#include "leaks/masked_units.hpp"
#include "leitong/utf8.hpp"

namespace leitong {
namespace {

constexpr std::size_t kNear = 200, kNearShort = 40;  // characters
constexpr std::size_t kShortAnswer = 4;              // units

bool begins_character_at(std::string_view text, std::size_t at) {
  return at >= text.size() || !continues_code_point(text[at]);
}

/// `passage` with so many characters before and behind it.
std::string_view surroundings(std::string_view text, ByteRange passage, std::size_t characters) {
  std::size_t begin = passage.begin, end = passage.end;
  for (std::size_t left = characters; begin > 0 && left > 0;)
    if (begins_character_at(text, --begin)) --left;
  for (std::size_t left = characters; end < text.size() && left > 0;)
    if (begins_character_at(text, ++end)) --left;
  return text.substr(begin, end - begin);
}

bool is_label(const PodVector<Unit>& answer) {
  if (answer.size() != 1) return false;
  for (std::uint32_t letter = 0; letter < 8; ++letter)
    if (answer[0] == label_unit(letter)) return true;
  return false;
}

}  // namespace

void Answers::add(std::string_view utf8) {
  PodVector<Unit> units;
  to_units(utf8, units);
  if (!units.empty() && !is_label(units)) answers_.push_back(std::move(units));
}

bool Answers::stand_near(std::string_view text, ByteRange passage) const {
  PodVector<Unit> units;
  for (const PodVector<Unit>& answer : answers_) {
    const std::size_t near = answer.size() < kShortAnswer ? kNearShort : kNear;
    to_units(surroundings(text, passage, near), units);
    if (std::search(units.begin(), units.end(), answer.begin(), answer.end()) != units.end()) return true;
  }
  return false;
}

}  // namespace leitong
