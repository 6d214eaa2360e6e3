// What counts of the texts, as Python says it.
#pragma once

#include <leitong/folding.hpp>
#include <leitong/settings.hpp>
#include <span>
#include <string>

#include "failure.hpp"

namespace leitong::python {

/// Of "fold" or "keep" and "same" or "masked". Raises for other words.
inline Folding chosen_folding(const std::string& marks, const std::string& numbers) {
  SignSettings settings;
  take(set(settings, "marks", std::span(&marks, 1)));
  take(set(settings, "numbers", std::span(&numbers, 1)));
  return settings.folding;
}

}  // namespace leitong::python
