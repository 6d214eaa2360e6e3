#include "fingerprint_flags.hpp"

#include <algorithm>

#include "flags.hpp"

namespace leitong::cli {

hamming::FileFormat FingerprintFlags::format() const {
  const auto& names = hamming::file_format_names();
  return static_cast<hamming::FileFormat>(std::find(names.begin(), names.end(), input) - names.begin());
}

void add_fingerprint_flags(CLI::App& app, FingerprintFlags& flags) {
  add_choice(
      app, "--input", flags.input, hamming::file_format_names(),
      "what the file is: raw little-endian words, a NumPy array, or text, one a line, also as \"id TAB "
      "fingerprint\" (auto: by its content)");
  add_choice(app, "--bits", flags.bits, {"64", "128"}, "width of a fingerprint (64)");
}

void add_resource_flags(CLI::App& app, ResourceFlags& flags) {
  add_number(app, "--threads", flags.threads, "N", 0, 4096,
             "threads (0: all cores); the result is the same for any number");
  add_size(app, "--memory", flags.memory,
           "stay below this, such as 8G: the input is read more often, and parts go to disk if need be");
  add_text(app, "--work", flags.work, "DIR", "folder for temporary files (the system's)");
}

}  // namespace leitong::cli
