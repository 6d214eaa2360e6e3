// Turns the Python arguments for what counts in texts into a folding.
#pragma once

#include <leitong/folding.hpp>
#include <leitong/settings.hpp>
#include <span>
#include <string>

#include "failure.hpp"

namespace leitong::python {

/// Accepts "fold" or "keep" and "same" or "masked". Raises an exception for other words.
inline Folding chosen_folding(const std::string& marks, const std::string& numbers) {
  SignSettings settings;
  take(set(settings, "marks", std::span(&marks, 1)));
  take(set(settings, "numbers", std::span(&numbers, 1)));
  return settings.folding;
}

}  // namespace leitong::python
