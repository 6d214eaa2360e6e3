// The result of deduplicate() as plain values that can be compared.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/dedup.hpp"

namespace leitong::testing {

struct Answer {
  std::vector<std::uint32_t> kept;
  std::vector<VerifiedTexts> pairs;
};

inline Answer answer_of(const Result<Decisions>& decisions) {
  EXPECT_TRUE(decisions) << decisions.error().message;
  if (!decisions) return {};
  return {{decisions->kept().begin(), decisions->kept().end()}, decisions->pairs().value()};
}

/// Runs it in a context of its own with so many threads.
inline Answer deduplicated(const std::vector<std::string>& texts, const DedupSettings& settings = {},
                           unsigned threads = 1) {
  const Context context({.threads = threads});
  return answer_of(deduplicate(context, std::vector<std::string_view>(texts.begin(), texts.end()), settings));
}

}  // namespace leitong::testing
