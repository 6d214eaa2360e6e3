#include "online/label_bytes.hpp"

namespace leitong::online {
namespace {

constexpr std::uint8_t kLabelHasTime = 1, kLabelExpires = 2;

}  // namespace

std::string label_bytes(std::string_view id, std::string_view source, std::optional<Seconds> time,
                        std::optional<Seconds> expires) {
  std::string label;
  append_text(id, label);
  append_text(source, label);
  label += static_cast<char>((time ? kLabelHasTime : 0) | (expires ? kLabelExpires : 0));
  if (time) label.append(value_bytes(*time));
  if (expires) label.append(value_bytes(*expires));
  return label;
}

bool take_label(std::string_view& bytes, Label& label) {
  std::string text;
  std::uint8_t bits = 0;
  if (!take_text(bytes, text)) return false;
  std::string_view in = text;
  return take_text(in, label.id) && take_text(in, label.source) && take_value(in, bits) &&
         ((bits & kLabelHasTime) == 0 || take_value(in, label.time.emplace())) &&
         ((bits & kLabelExpires) == 0 || take_value(in, label.expires.emplace())) && in.empty();
}

std::string rest_bytes(std::string_view id, std::string_view source, std::optional<Seconds> time,
                       std::optional<Seconds> expires, std::uint32_t text_bytes, std::string_view packed) {
  std::string rest;
  append_text(label_bytes(id, source, time, expires), rest);
  return rest.append(value_bytes(text_bytes)).append(packed);
}

}  // namespace leitong::online
