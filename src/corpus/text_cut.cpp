#include "corpus/text_cut.hpp"

#include <algorithm>
#include <cstring>

#include "corpus/csv_dialect.hpp"

namespace leitong {
namespace {

/// Goes through a token, from its first byte to its last.
class TokenWalk {
 public:
  explicit TokenWalk(const TextToken& token) : token_(token) {}

  /// The offset in the token of byte `text_at` of its text, which is not before the last one.
  std::size_t raw_at(std::size_t text_at) {
    while (text_ < text_at && raw_ < token_.raw.size()) step(text_at);
    return raw_;
  }
  /// The length of its text.
  std::size_t text_size() {
    (void)raw_at(SIZE_MAX);
    return text_;
  }

 private:
  void step(std::size_t text_at) {
    const char special = token_.form == TextForm::json ? '\\' : token_.form == TextForm::quoted ? '"' : '\0';
    const std::size_t plain = std::min(text_at - text_, token_.raw.size() - raw_);
    const char* const here = token_.raw.data() + raw_;
    const void* const found = special == '\0' ? nullptr : std::memchr(here, special, plain);
    const std::size_t before =
        found == nullptr ? plain : static_cast<std::size_t>(static_cast<const char*>(found) - here);
    raw_ += before;
    text_ += before;
    if (found == nullptr) return;
    if (special == '"' || token_.raw.substr(raw_ + 1, 1) != "u") {
      raw_ += 2;
      ++text_;
      return;
    }
    const unsigned unit = hex_at(raw_ + 2);
    const bool pair = unit >= 0xD800 && unit < 0xDC00;  // the other half follows
    raw_ += pair ? 12 : 6;
    text_ += pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }

  [[nodiscard]] unsigned hex_at(std::size_t at) const {
    unsigned value = 0;
    for (const char c : token_.raw.substr(at, 4))
      value = value * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    return value;
  }

  const TextToken& token_;
  std::size_t raw_ = 0, text_ = 0;
};

/// Bytes of the record that are replaced.
struct Edit {
  std::size_t begin, end;
  std::string by;
};

/// The cell that remains begins with a quote: its reader would take it for a quoted one.
void quote_cell(std::string_view record, const TextToken& token, std::size_t first,
                std::vector<Edit>& edits) {
  const auto begin = static_cast<std::size_t>(token.raw.data() - record.data());
  const std::size_t end = begin + token.raw.size();
  std::string left;
  std::size_t at = begin;
  for (std::size_t i = first; i < edits.size(); ++i) {
    left += record.substr(at, edits[i].begin - at);
    at = edits[i].end;
  }
  left += record.substr(at, end - at);
  if (!left.starts_with('"')) return;
  std::string quoted;
  append_quoted(left, quoted);
  edits.resize(first);
  edits.push_back({begin, end, std::move(quoted)});
}

}  // namespace

void append_without(std::string_view record, std::span<const TextToken> tokens,
                    std::span<const ByteRange> cuts, std::string& out, std::vector<TextEdit>& done) {
  std::vector<Edit> edits;
  std::size_t base = 0;  // of the token in the text
  for (const TextToken& token : tokens) {
    const std::size_t size = TokenWalk(token).text_size(), first = edits.size();
    const auto offset = static_cast<std::size_t>(token.raw.data() - record.data());
    TokenWalk walk(token);
    for (const ByteRange& cut : cuts) {
      const std::size_t begin = std::max(cut.begin, base), end = std::min(cut.end, base + size);
      if (begin >= end) continue;
      const std::size_t from = walk.raw_at(begin - base);
      edits.push_back({offset + from, offset + walk.raw_at(end - base), {}});
    }
    if (token.form == TextForm::cell && edits.size() > first) quote_cell(record, token, first, edits);
    base += size + 1;
  }
  std::ranges::sort(edits, {}, &Edit::begin);
  done.clear();
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += record.substr(at, edit.begin - at);
    out += edit.by;
    done.push_back({edit.begin, edit.end, edit.by.size()});
    at = edit.end;
  }
  out += record.substr(at);
}

}  // namespace leitong
