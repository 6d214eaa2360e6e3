// First inputs for a fuzz target, so that it starts inside the format instead of guessing it.
#pragma once

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>

namespace leitong::fuzz {

/// Called from LLVMFuzzerInitialize: writes the seeds into the first folder among the arguments, if it is
/// empty.
inline int write_seeds(int argc, char** argv, std::initializer_list<std::string_view> seeds) {
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) continue;
    if (!std::filesystem::is_empty(argv[i])) return 0;
    int number = 0;
    for (std::string_view seed : seeds)
      std::ofstream(std::filesystem::path(argv[i]) / ("seed-" + std::to_string(number++)), std::ios::binary)
          << seed;
    return 0;
  }
  return 0;
}

}  // namespace leitong::fuzz

/// Defines the entry point that writes these seeds: LEITONG_FUZZ_SEEDS("{}\n", "{\"id\":1}\n")
#define LEITONG_FUZZ_SEEDS(...)                                     \
  extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);     \
  extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {    \
    return leitong::fuzz::write_seeds(*argc, *argv, {__VA_ARGS__}); \
  }
