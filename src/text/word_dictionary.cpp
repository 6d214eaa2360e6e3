#include "text/word_dictionary.hpp"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>
#include <new>

namespace leitong {
namespace {

// ICU's data is part of its library, so only a lack of memory can make a call fail.
void check_word(UErrorCode error) {
  if (U_FAILURE(error)) throw std::bad_alloc();
}

/// One iterator is kept for each thread: it is a cursor over constant data of ICU, holds nothing of a text
/// between two calls, and takes longer to make than cutting most texts takes.
icu::BreakIterator& word_breaks() {
  thread_local const std::unique_ptr<icu::BreakIterator> breaks = [] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
    check_word(error);
    return made;
  }();
  return *breaks;
}

}  // namespace

void dictionary_words(std::string_view run, std::size_t offset, std::vector<std::size_t>& ends) {
  UErrorCode error = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, run.data(), static_cast<std::int64_t>(run.size()), &error);
  check_word(error);
  icu::BreakIterator& breaks = word_breaks();
  breaks.setText(&text, error);
  utext_close(&text);  // the iterator has its own view of the same bytes
  check_word(error);
  breaks.first();
  for (std::int32_t end = breaks.next(); end != icu::BreakIterator::DONE; end = breaks.next())
    ends.push_back(offset + static_cast<std::size_t>(end));
}

}  // namespace leitong
