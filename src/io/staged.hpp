// Outputs that are made under other names and appear together when all of them are complete.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/stop.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A file or folder that is not yet in its place. The destructor removes it if it is not committed.
class Staged {
 public:
  virtual ~Staged() = default;

 private:
  friend Result<void> commit_all(std::span<Staged* const> outputs, StopToken stop);

  [[nodiscard]] virtual const std::string& name() const = 0;
  /// Writes, syncs and closes the rest: everything that a full disk can prevent.
  virtual Result<void> finish() = 0;
  /// Can it still take its place?
  [[nodiscard]] virtual Result<void> check_place() const = 0;
  /// Takes its place, by one rename.
  virtual Result<void> appear() = 0;
  /// Makes the place survive a loss of power.
  [[nodiscard]] virtual Result<void> make_durable() const = 0;
};

/// Finishes all outputs (null: none), and only then puts them in place, one rename after another. If one
/// cannot be finished, a place was taken meanwhile, or there is a stop (cancelled), none appears. Only a
/// rename itself can still fail, if its place is taken or closed after the last check: then the error names
/// the outputs that are already in place. What was written directly (standard output, a device, a pipe) has
/// already gone out.
Result<void> commit_all(std::span<Staged* const> outputs, StopToken stop = {});

/// A hidden name beside `place` for an incomplete output. Each attempt has another name.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& place, int attempt);
Result<void> sync_folder_of(const std::filesystem::path& place);

}  // namespace leitong
