// The functions of ICU and OpenCC that the table makers use.
#pragma once

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <opencc.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "text/fold.hpp"

namespace leitong::tools {

[[noreturn]] inline void stop(const std::string& message) {
  std::fprintf(stderr, "table maker: %s\n", message.c_str());
  std::exit(1);
}

inline icu::UnicodeString normalized(const icu::Normalizer2& form, const icu::UnicodeString& text) {
  UErrorCode error = U_ZERO_ERROR;
  icu::UnicodeString result = form.normalize(text, error);
  if (U_FAILURE(error)) stop("ICU can't normalize");
  return result;
}

/// One of ICU's forms; `get` is its factory.
inline const icu::Normalizer2& form_of(const icu::Normalizer2* (*get)(UErrorCode&)) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* instance = get(error);
  if (U_FAILURE(error)) stop("ICU lacks the data of a normalization form");
  return *instance;
}

inline const icu::Normalizer2& nfkc() { return form_of(&icu::Normalizer2::getNFKCInstance); }

/// Han characters and their results, one by one, under one of OpenCC's conversions. Each is on a line of its
/// own, since phrases do not cross a line feed.
inline std::vector<std::pair<char32_t, char32_t>> opencc_characters(const std::string& name) {
  std::vector<char32_t> from;
  std::string lines;
  for (char32_t c = 0; c < kFoldLimit; ++c) {
    if (!u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_UNIFIED_IDEOGRAPH)) continue;
    from.push_back(c);
    icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(lines);
    lines += '\n';
  }
  std::istringstream converted(opencc::SimpleConverter(name + ".json").Convert(lines));
  std::vector<std::pair<char32_t, char32_t>> pairs;
  std::string line;
  std::size_t i = 0;
  for (; std::getline(converted, line); ++i) {
    const icu::UnicodeString to = icu::UnicodeString::fromUTF8(line);
    if (i < from.size() && to.countChar32() == 1)
      pairs.emplace_back(from[i], static_cast<char32_t>(to.char32At(0)));
  }
  if (i != from.size()) stop("OpenCC's " + name + " answered with another number of lines");
  return pairs;
}

/// Rows {first, entry, step}: code point first + i has entry + i * step, up to the next row.
inline void write_runs(const std::vector<std::uint32_t>& entries, std::ostream& out) {
  for (std::size_t first = 0; first < entries.size();) {
    const std::uint32_t step = first + 1 < entries.size() && entries[first + 1] == entries[first] + 1 ? 1 : 0;
    std::size_t end = first + 1;
    while (end < entries.size() && entries[end] == entries[end - 1] + step) ++end;
    out << "{0x" << first << ",0x" << entries[first] << "," << step << "},\n";
    first = end;
  }
}

}  // namespace leitong::tools
