// `leitong eval INPUT --methods a,b,c`: compares methods on texts with truth.
#pragma once

#include <string>
#include <vector>

#include "job/trial.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong::cli {

struct MethodTrial {
  std::vector<std::string> methods;
  std::vector<std::string> params;  ///< each for the methods that have it
  TrialOptions options;             ///< for each method, without its name and parameters
  ContextSettings context;          ///< for each method
  bool json = false;
  std::string report;  ///< a file; empty: none
  bool force = false;  ///< replaces the report
};

/// Runs each method in a process of its own, one after another, and prints a table or JSON.
Result<void> eval_methods(const MethodTrial& trial);

}  // namespace leitong::cli
