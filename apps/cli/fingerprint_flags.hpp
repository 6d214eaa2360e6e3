// What the hamming commands have in common: how fingerprints are read, and with what means.
#pragma once

#include <cstdint>
#include <string>

#include "command.hpp"
#include "index/hamming/fingerprint_file.hpp"

namespace leitong::cli {

struct FingerprintFlags {
  std::string input = "auto", bits = "64";

  [[nodiscard]] hamming::FileFormat format() const;
  [[nodiscard]] bool wide() const { return bits == "128"; }
};

/// --input and --bits.
void add_fingerprint_flags(CLI::App& app, FingerprintFlags& flags);

struct ResourceFlags {
  double threads = 0;
  std::uint64_t memory = 0;
  std::string work;
};

/// --threads, --memory and --work.
void add_resource_flags(CLI::App& app, ResourceFlags& flags);

}  // namespace leitong::cli
