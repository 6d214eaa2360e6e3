// `leitong eval INPUT --methods a,b,c`: methods side by side on texts with truth.
#pragma once

#include <string>
#include <vector>

#include "job/trial.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

struct MethodTrial {
  std::vector<std::string> methods;
  std::vector<std::string> params;  ///< each for those of the methods that have it
  TrialOptions options;             ///< of each: method and parameters aside
  ContextSettings context;          ///< of each
  bool json = false;
  std::string report;  ///< a file; empty: none
  bool force = false;  ///< replaces it
};

/// Runs each method in a process of its own, one after another, and prints a table or JSON.
Result<void> eval_methods(const MethodTrial& trial);

}  // namespace leitong::cli
