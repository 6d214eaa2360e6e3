#include "text/rewritten_text.hpp"

#include <algorithm>
#include <iterator>

namespace leitong {

void RewrittenText::begin(std::string_view original) {
  original_ = original;
  copied_ = 0;
  text_.clear();
  replacements_.clear();
}

void RewrittenText::replace(const ByteRange& range, std::string_view by) {
  text_.append(original_.substr(copied_, range.begin - copied_));
  replacements_.push_back({{text_.size(), text_.size() + by.size()}, range});
  text_.append(by);
  copied_ = range.end;
}

void RewrittenText::end() { text_.append(original_.substr(copied_)); }

std::size_t RewrittenText::original_of(std::size_t at, bool is_end) const noexcept {
  // A part begins behind what was replaced by nothing there, and ends before it.
  const auto begins_behind = [&](const Replacement& r) {
    return is_end ? r.rewritten.begin >= at : r.rewritten.begin > at;
  };
  const auto next =
      std::ranges::partition_point(replacements_, [&](const Replacement& r) { return !begins_behind(r); });
  if (next == replacements_.begin()) return at;
  const Replacement& last = *std::prev(next);
  if (at < last.rewritten.end || (is_end && at == last.rewritten.end))
    return is_end ? last.original.end : last.original.begin;
  return last.original.end + (at - last.rewritten.end);
}

ByteRange RewrittenText::original(const ByteRange& rewritten) const noexcept {
  const std::size_t begin = original_of(rewritten.begin, false);
  if (rewritten.end == rewritten.begin) return {begin, begin};
  return {begin, original_of(rewritten.end, true)};
}

}  // namespace leitong
