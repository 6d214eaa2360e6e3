#include "online/template_table.hpp"

#include <utility>

#include "base/hash.hpp"

namespace leitong::online {

std::size_t TemplateTable::place(std::uint32_t shingle) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mix64(shingle) & mask;
  while (slots_[at] != 0 && slots_[at] >> 8 != shingle) at = (at + 1) & mask;
  return at;
}

Works TemplateTable::works(std::uint32_t shingle) const noexcept {
  return slots_.empty() ? Works{0} : static_cast<Works>(slots_[place(shingle)]);
}

void TemplateTable::prefetch(std::uint32_t shingle) const noexcept {
  if (!slots_.empty()) __builtin_prefetch(&slots_[mix64(shingle) & (slots_.size() - 1)]);
}

void TemplateTable::set(std::uint32_t shingle, Works works) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  std::uint64_t& slot = slots_[place(shingle)];
  used_ += slot == 0;
  slot = std::uint64_t{shingle} << 8 | works;
}

void TemplateTable::grow() {
  constexpr std::size_t kFirst = 256;
  const PodVector<std::uint64_t> old = std::exchange(slots_, {});
  slots_.resize(old.empty() ? kFirst : 2 * old.size(), 0);
  for (const std::uint64_t slot : old)
    if (slot != 0) slots_[place(static_cast<std::uint32_t>(slot >> 8))] = slot;
}

}  // namespace leitong::online
