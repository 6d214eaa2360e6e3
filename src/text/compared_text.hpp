// The part of a text that is folded and compared: everything except what its layout added, with masked
// numbers on request.
#pragma once

#include <cstddef>
#include <string_view>

#include "leitong/byte_range.hpp"
#include "leitong/folding.hpp"
#include "text/rewritten_text.hpp"

namespace leitong {

/// A text without its page_artifacts(), and with mask_numbers() if `numbers` says so.
class ComparedText {
 public:
  /// REQUIRES: valid UTF-8, which must outlive this.
  ComparedText(std::string_view utf8, NumberUnits numbers);
  ComparedText(const ComparedText&) = delete;
  ComparedText& operator=(const ComparedText&) = delete;

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  /// The bytes of the whole text that a part of text() came from.
  [[nodiscard]] ByteRange original(ByteRange part) const noexcept;
  /// The number of page artifacts in the text.
  [[nodiscard]] std::size_t artifacts() const noexcept { return artifacts_; }

 private:
  std::string_view text_;
  std::size_t artifacts_;
  bool masks_;
  RewrittenText body_, masked_;
};

}  // namespace leitong
