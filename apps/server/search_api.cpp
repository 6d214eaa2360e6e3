// Texts of an index by words in them.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "api.hpp"
#include "json_writer.hpp"
#include "leitong/json.hpp"
#include "leitong/normalise.hpp"
#include "leitong/utf8.hpp"

namespace leitong::server {
namespace {

// A request looks at so many bytes of texts, which takes some tenths of a second; the next one goes on from
// there.
constexpr std::size_t kLookedAtBytes = 32 << 20;
constexpr std::uint32_t kTextsAtOnce = 2000;
constexpr std::size_t kMostWords = 10, kMostFound = 100, kUsualFound = 20;
constexpr std::size_t kBefore = 120, kExcerpt = 450;  // bytes

/// Without regard to case, width and traditional characters.
Outcome<Strings> spelled_alike(const Context& context, std::span<const std::string_view> texts) {
  SERVER_ASSIGN(NormalisedTexts normal,
                outcome(leitong::normalise(context, texts, {.simplify = Simplify::characters})));
  return std::move(normal.texts);
}

bool holds_all(std::string_view text, std::string_view id, std::span<const std::string_view> words) {
  return std::ranges::all_of(words, [&](std::string_view word) {
    return text.find(word) != std::string_view::npos || id.find(word) != std::string_view::npos;
  });
}

/// The nearest beginning of a character at or before a byte.
std::size_t character_at(std::string_view text, std::size_t byte) {
  byte = std::min(byte, text.size());
  while (byte > 0 && byte < text.size() && continues_code_point(text[byte])) --byte;
  return byte;
}

/// The part of the text around the first of the words that stands in it as it was asked for, else its
/// beginning.
std::string_view excerpt_of(std::string_view text, std::span<const std::string_view> asked) {
  std::size_t at = text.size();
  for (const std::string_view word : asked) {
    const auto found = std::ranges::search(text, word, same_letter);
    if (!found.empty()) at = std::min(at, static_cast<std::size_t>(found.begin() - text.begin()));
  }
  if (at == text.size()) at = 0;
  const std::size_t begin = character_at(text, at - std::min(at, kBefore));
  return text.substr(begin, character_at(text, begin + kExcerpt) - begin);
}

/// What one request finds.
class Search {
 public:
  Search(const Context& context, const online::Index& index, std::string_view words)
      : context_(context), index_(index), asked_(words_in(words)) {}

  Outcome<std::string> run(std::string_view since, std::size_t most) {
    if (asked_.empty() || asked_.size() > kMostWords)
      return problem(422,
                     fmt::format("\"words\" are from 1 to {} words with spaces between them", kMostWords));
    SERVER_ASSIGN(alike_, spelled_alike(context_, asked_));
    for (std::size_t i = 0; i < asked_.size(); ++i) words_.push_back(alike_[i]);
    if (std::ranges::any_of(words_, &std::string_view::empty))
      return problem(422, "a word of \"words\" has no visible characters");
    std::string cursor(since);
    const auto page_from = [&](std::string_view from, std::uint32_t limit) {
      return changes_since(index_, from, {.limit = limit, .texts = true});
    };
    bool more = true;
    while (more && found_ < most && bytes_ < kLookedAtBytes) {
      SERVER_ASSIGN(online::Changes page, page_from(cursor, kTextsAtOnce));
      SERVER_ASSIGN(const std::size_t used, take(page, most));
      // A cursor stands only between two pages, so the page is asked for again up to the last text that was
      // taken.
      if (used < page.changes.size()) {
        SERVER_ASSIGN(page, page_from(cursor, static_cast<std::uint32_t>(used)));
      }
      cursor = page.cursor;
      more = page.more;
    }
    return fmt::format("{{\"texts\":[{}],\"looked_at\":{},\"cursor\":\"{}\",\"more\":{}}}", json_, looked_at_,
                       cursor, more);
  }

 private:
  /// Takes texts until enough are found; returns how many changes it has looked at.
  Outcome<std::size_t> take(const online::Changes& page, std::size_t most) {
    std::vector<std::string_view> texts;
    for (const auto& change : page.changes) {
      texts.emplace_back(change.stored.text);
      texts.emplace_back(change.stored.id);
    }
    SERVER_ASSIGN(const Strings alike, spelled_alike(context_, texts));
    std::size_t i = 0;
    for (; i < page.changes.size() && found_ < most; ++i) {
      const auto& [removed, stored] = page.changes[i];
      if (removed) continue;
      ++looked_at_;
      bytes_ += stored.text.size() + stored.id.size();
      if (!holds_all(alike[2 * i], alike[2 * i + 1], words_)) continue;
      json_ += std::exchange(separator_, ",");
      json_ += "{\"id\":";
      append_json_string(stored.id, json_);
      json_ += ',';
      append_stored(json_, stored, false);
      json_ += ",\"excerpt\":";
      append_json_string(excerpt_of(stored.text, asked_), json_);
      json_ += '}';
      ++found_;
    }
    return i;
  }

  const Context& context_;
  const online::Index& index_;
  std::vector<std::string_view> asked_, words_;
  Strings alike_;
  std::size_t found_ = 0, bytes_ = 0;
  std::uint64_t looked_at_ = 0;
  const char* separator_ = "";
  std::string json_;
};

}  // namespace

Outcome<std::string> Api::search(const Exchange& exchange) {
  SERVER_ASSIGN(const auto index, indexes_.find(exchange.index));
  SERVER_ASSIGN(Question question, Question::read(exchange.content_type, exchange.body));
  SERVER_ASSIGN(const auto words, question.text("words"));
  SERVER_ASSIGN(const auto since, question.text("since"));
  SERVER_ASSIGN(const auto limit, question.whole("limit", kMostFound));
  SERVER_TRY(question.nothing_else());
  if (!words) return problem(422, "\"words\" is missing");
  return Search(context_, index->index(), *words)
      .run(since.value_or(""), std::max<std::uint64_t>(limit.value_or(kUsualFound), 1));
}

}  // namespace leitong::server
