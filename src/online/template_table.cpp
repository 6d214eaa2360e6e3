#include "online/template_table.hpp"

#include <bit>
#include <utility>

#include "online/bytes.hpp"

namespace leitong::online {
namespace {

// One word of the filter for so many templates.
constexpr std::size_t kInWord = 8;

}  // namespace

std::size_t TemplateTable::place(std::uint32_t shingle) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = first_place(shingle);
  while (slots_[at] != 0 && slots_[at] >> 8 != shingle) at = (at + 1) & mask;
  return at;
}

Works TemplateTable::works(std::uint32_t shingle) const noexcept {
  return slots_.size() == 0 ? Works{0} : static_cast<Works>(slots_[place(shingle)]);
}

void TemplateTable::set(std::uint32_t shingle, Works works) {
  constexpr std::size_t kFirst = 256;
  if (2 * (used_ + 1) > slots_.size()) resize(std::max(kFirst, 2 * slots_.size()));
  std::uint64_t& slot = slots_[place(shingle)];
  used_ += slot == 0;
  const bool was_template = static_cast<Works>(slot) >= TemplateRule::kFamilies;
  slot = std::uint64_t{shingle} << 8 | works;
  if (works < TemplateRule::kFamilies || was_template) return;
  if (++templates_ > filter_.size() * kInWord) grow_templates();
  note_template(shingle);
}

void TemplateTable::reserve(std::size_t shingles) {
  if (shingles == 0) return;
  if (const std::size_t slots = 2 * std::bit_ceil(std::min(shingles, kMost)); slots > slots_.size())
    resize(slots);
}

std::string TemplateTable::bytes_of_all() const {
  std::string bytes;
  bytes.reserve(used_ * kEntryBytes);
  for_each([&](std::uint32_t shingle, Works works) {
    bytes.append(value_bytes(shingle)).append(value_bytes(works));
  });
  return bytes;
}

bool TemplateTable::take(std::string_view bytes, std::uint64_t& became) {
  // Slots lie anywhere in a large table: prefetch several, so that the waits overlap.
  constexpr std::size_t kAhead = 16 * kEntryBytes;
  for (std::string_view ahead = bytes; !bytes.empty();) {
    std::uint32_t shingle = 0;
    Works now = 0;
    for (; ahead.size() + kAhead > bytes.size() && take_value(ahead, shingle) && take_value(ahead, now);)
      prefetch(shingle);
    if (!take_value(bytes, shingle) || !take_value(bytes, now) || now == 0 || now > TemplateRule::kFamilies ||
        (full() && works(shingle) == 0))
      return false;
    became += now == TemplateRule::kFamilies;
    set(shingle, now);
  }
  return true;
}

void TemplateTable::grow_templates() {
  constexpr unsigned kFirstBits = 6;
  filter_bits_ = filter_.empty() ? kFirstBits : filter_bits_ + 2;
  filter_ = {};
  filter_.resize(std::size_t{1} << filter_bits_, 0);
  const PodVector<std::uint32_t> old = std::exchange(only_, {});
  only_.resize(2 * kInWord << filter_bits_, 0);
  for (const std::uint32_t shingle : old)
    if (shingle != 0) note_template(shingle);
  if (works(0) >= TemplateRule::kFamilies) note_template(0);
}

void TemplateTable::resize(std::size_t slots) {
  const HugeArray<std::uint64_t> old = std::exchange(slots_, HugeArray<std::uint64_t>(slots));
  for (const std::uint64_t slot : old.span())
    if (slot != 0) slots_[place(static_cast<std::uint32_t>(slot >> 8))] = slot;
}

}  // namespace leitong::online
