#include "text/compose.hpp"

#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/stringoptions.h>
#include <unicode/uniset.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "text/units_kernel.hpp"

namespace leitong {
namespace {

// Large enough that the cost of cutting does not matter, and small enough that one stray mark does not send
// much text through ICU.
constexpr std::size_t kPieceBytes = 1024;
constexpr std::size_t kSearchBytes = 256;

std::uint32_t entry_at(const char* at) {
  return entry_of(fold_table(), decode(reinterpret_cast<const std::uint8_t*>(at)));
}
bool may_compose(const char* at) { return (entry_at(at) & kFoldComposes) != 0; }

/// True if the character neither composes with its predecessor nor continues its word.
bool begins_anew(const char* at) {
  const std::uint32_t entry = entry_at(at);
  const FoldClass kind = fold_class(entry);
  return (entry & kFoldComposes) == 0 && (kind == FoldClass::separator || kind == FoldClass::single);
}

// ICU's data is part of its library, so only a lack of memory can make a call fail.
void check(UErrorCode error) {
  if (U_FAILURE(error)) throw std::bad_alloc();
}

/// NFKC, except for characters that only separate: a spacing accent would become a space and a mark, and the
/// mark would count as a letter.
const icu::Normalizer2& normalizer() {
  static const icu::Normalizer2* const nfkc = [] {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* instance = icu::Normalizer2::getNFKCInstance(error);
    check(error);
    return instance;
  }();
  static const icu::UnicodeSet composing = [] {
    icu::UnicodeSet set(0, 0x10FFFF);
    for (std::uint32_t c = 0x80; c < kFoldLimit; ++c)
      if (fold_table().entries[c] == fold_entry(FoldClass::separator, 0) &&
          !nfkc->isInert(static_cast<UChar32>(c)))
        set.remove(static_cast<UChar32>(c));
    set.freeze();
    return set;
  }();
  static const icu::FilteredNormalizer2 filtered(*nfkc, composing);
  return filtered;
}

void apply(const icu::Normalizer2& form, std::string_view from, std::string& to, icu::Edits* edits) {
  UErrorCode error = U_ZERO_ERROR;
  to.clear();
  icu::StringByteSink<std::string> sink(&to);
  form.normalizeUTF8(0, icu::StringPiece(from.data(), static_cast<std::int32_t>(from.size())), sink, edits,
                     error);
  check(error);
}

}  // namespace

std::size_t piece_end(std::string_view utf8, std::size_t begin) {
  if (utf8.size() - begin <= kPieceBytes) return utf8.size();
  const std::size_t latest = begin + kPieceBytes;
  const auto last_place = [&](auto suits) {
    std::size_t end = latest;
    while (latest - end < kSearchBytes &&
           !(begins_character(static_cast<std::uint8_t>(utf8[end])) && suits(&utf8[end])))
      --end;
    return latest - end < kSearchBytes ? end : begin;
  };
  if (const std::size_t end = last_place(begins_anew); end > begin) return end;
  if (const std::size_t end = last_place([](const char* at) { return !may_compose(at); }); end > begin)
    return end;
  std::size_t end = latest;
  while (!begins_character(static_cast<std::uint8_t>(utf8[end]))) --end;
  return end;
}

void to_nfc(std::string_view utf8, std::string& nfc) {
  static const icu::Normalizer2* const form = [] {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* instance = icu::Normalizer2::getNFCInstance(error);
    check(error);
    return instance;
  }();
  apply(*form, utf8, nfc, nullptr);
}

void compose(std::string_view piece, std::string& composed) { apply(normalizer(), piece, composed, nullptr); }

void compose(std::string_view piece, std::string& composed, std::vector<ComposedRun>& runs) {
  icu::Edits edits;
  apply(normalizer(), piece, composed, &edits);
  runs.clear();
  UErrorCode error = U_ZERO_ERROR;
  for (auto it = edits.getFineIterator(); it.next(error);) {
    const auto from = static_cast<std::size_t>(it.sourceIndex());
    const auto to = static_cast<std::size_t>(it.destinationIndex());
    runs.push_back({{to, to + static_cast<std::size_t>(it.newLength())},
                    {from, from + static_cast<std::size_t>(it.oldLength())},
                    it.hasChange() != 0});
  }
  check(error);
}

}  // namespace leitong
