#include "text/compared_text.hpp"

#include <vector>

#include "text/masked_numbers.hpp"
#include "text/page_artifacts.hpp"

namespace leitong {

ComparedText::ComparedText(std::string_view utf8, NumberUnits numbers)
    : text_(utf8), masks_(numbers == NumberUnits::masked) {
  const std::vector<ByteRange> artifacts = page_artifacts(utf8);
  artifacts_ = artifacts.size();
  if (!artifacts.empty()) {
    body_.begin(text_);
    for (const ByteRange& place : artifacts) body_.replace(place, "");
    body_.end();
    text_ = body_.text();
  }
  if (masks_) {
    mask_numbers(text_, masked_);
    text_ = masked_.text();
  }
}

ByteRange ComparedText::original(ByteRange part) const noexcept {
  if (masks_) part = masked_.original(part);
  return artifacts_ == 0 ? part : body_.original(part);
}

}  // namespace leitong
