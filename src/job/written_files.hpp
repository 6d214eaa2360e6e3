// The files of kept records that a run writes, for a restorable file that is to find their bytes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace leitong {

/// Told what is written, in order.
class WrittenFiles {
 public:
  WrittenFiles();
  ~WrittenFiles();

  /// Begins the next file of kept records. `path` is that of the source and must outlive this object. If
  /// there is only one file for all sources, it is not called.
  void begin_file(std::string_view path, std::uint64_t bytes_before);
  /// Adds bytes to the file that was begun last.
  void wrote(std::string_view bytes);
  void end_file();
  /// The XXH3-64 of the bytes of the present file.
  [[nodiscard]] std::uint64_t hash() const noexcept;
  /// Where the present file begins in the whole sequence.
  [[nodiscard]] std::uint64_t file_begin() const noexcept { return files_.empty() ? 0 : files_.back().begin; }

  struct File {
    std::string_view path;
    std::uint64_t begin;      ///< of its bytes in the whole sequence
    std::uint64_t bytes = 0;  ///< that wrote() has received
    std::uint64_t hash = 0;   ///< of them
  };
  [[nodiscard]] const std::vector<File>& files() const noexcept { return files_; }
  /// The number of the file of a source, which is `first` or a later one; the last one if none of them is. 0
  /// if begin_file() was not called.
  [[nodiscard]] std::size_t file_of(std::string_view path, std::size_t first) const noexcept;
  /// The hash of the file with this number, or of the only one if begin_file() was not called.
  [[nodiscard]] std::uint64_t hash_of(std::size_t file) const noexcept {
    return files_.empty() ? hash() : files_[file].hash;
  }

 private:
  struct Hash;
  std::unique_ptr<Hash> hash_;
  std::vector<File> files_;
};

}  // namespace leitong
