// Outputs that are made under another name and appear together, when all of them are whole.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/stop.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// A file or a folder on its way to its place. What isn't committed is removed by the destructor.
class Staged {
 public:
  virtual ~Staged() = default;

 private:
  friend Result<void> commit_all(std::span<Staged* const> outputs, StopToken stop);

  [[nodiscard]] virtual const std::string& name() const = 0;
  /// Writes, synchronises and closes what is left: all that a full disk can prevent.
  virtual Result<void> finish() = 0;
  /// May it still take its place?
  [[nodiscard]] virtual Result<void> check_place() const = 0;
  /// Takes its place, by one rename.
  virtual Result<void> appear() = 0;
  /// After this the place survives a loss of power.
  [[nodiscard]] virtual Result<void> make_durable() const = 0;
};

/// Finishes all of them (null: none), and only then puts them in place, one rename after the other. A failure
/// to finish one, a place that was taken meanwhile, or a stop (ErrorCode::cancelled) leaves none of
/// them. What can still fail is a rename itself, if a place is taken or closed between the last look and the
/// rename: then the error names those that are in place already. What was written directly (standard output,
/// a device, a pipe) has gone out before.
Result<void> commit_all(std::span<Staged* const> outputs, StopToken stop = {});

/// A hidden name beside `place`, for as long as the output isn't whole. Each attempt has another.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& place, int attempt);
/// fsync of the folder that `place` lies in.
Result<void> sync_folder_of(const std::filesystem::path& place);

}  // namespace leitong
