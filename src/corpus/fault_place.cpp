// Where a record is wrong: lines, columns and the faults of JSON.
#include <algorithm>
#include <vector>

#include "leitong/records.hpp"

namespace leitong {
namespace {

constexpr std::size_t npos = std::string_view::npos;

/// Goes through one JSON value without calling itself, so that no nesting is too deep.
class JsonFaultFinder {
 public:
  explicit JsonFaultFinder(std::string_view text) : text_(text) {}

  std::size_t find() {
    skip_white();
    while (at_ < text_.size()) {
      if (!(wants_key() ? key() : value())) return fault_;
      if (!after_value()) return fault_;
      if (open_.empty() && has_value_) return at_ == text_.size() ? control_ : at_;
    }
    return open_.empty() ? at_ : open_.back();
  }

 private:
  [[nodiscard]] bool wants_key() const { return !open_.empty() && text_[open_.back()] == '{'; }
  [[nodiscard]] char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_white() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool fail(std::size_t at) {
    fault_ = at;
    return false;
  }

  bool string() {
    const std::size_t begin = at_++;
    for (; at_ < text_.size(); ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      // Structure comes first: a field that is not used may hold such a character.
      if (c < ' ' && control_ == npos) control_ = at_;
      if (c == '\\') ++at_;
    }
    return fail(begin);
  }

  // A key, its colon and the beginning of its value.
  bool key() {
    if (now() != '"') return fail(at_);
    if (!string()) return false;
    skip_white();
    if (now() != ':') return fail(at_ < text_.size() ? at_ : open_.back());
    ++at_;
    skip_white();
    if (at_ == text_.size()) return fail(open_.back());
    return value();
  }

  // A value, or the beginning of an object or array.
  bool value() {
    const char c = now();
    if (c == '{' || c == '[') {
      open_.push_back(at_++);
      just_opened_ = true;
      has_value_ = false;
      return true;
    }
    has_value_ = true;
    just_opened_ = false;
    if (c == '"') return string();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_scalar(text_[at_])) ++at_;
    return at_ > begin || fail(begin);
  }

  // What follows a value: closing brackets, and a comma if something is still open.
  bool after_value() {
    skip_white();
    if (just_opened_ && now() != '}' && now() != ']') return true;
    while (!open_.empty() && (now() == '}' || now() == ']')) {
      if ((now() == '}') != (text_[open_.back()] == '{')) return fail(at_);
      open_.pop_back();
      ++at_;
      just_opened_ = false;
      has_value_ = true;
      skip_white();
    }
    if (open_.empty() || at_ == text_.size()) return true;
    if (now() != ',') return fail(at_);
    ++at_;
    skip_white();
    return true;
  }

  static bool is_scalar(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
  }

  std::string_view text_;
  std::size_t at_ = 0, fault_ = npos, control_ = npos;
  std::vector<std::size_t> open_;  // the brackets that are not closed yet
  bool just_opened_ = false, has_value_ = false;
};

}  // namespace

TextPlace place_of(std::string_view text, std::size_t byte) noexcept {
  const std::string_view before = text.substr(0, byte);
  TextPlace place;
  place.line += static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  place.column += static_cast<std::uint64_t>(
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  return place;
}

std::size_t find_json_fault(std::string_view text) { return JsonFaultFinder(text).find(); }

}  // namespace leitong
