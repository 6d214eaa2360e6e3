// Vectors of numbers, row by row: in an array of the caller, a NumPy file or a nameless file of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "io/work_folder.hpp"
#include "leitong/dedup.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// The number of rows, and how they are stored.
struct VectorShape {
  std::uint64_t count = 0;
  std::size_t dimensions = 0;
  VectorNumber number = VectorNumber::float32;

  [[nodiscard]] std::size_t row_bytes() const noexcept {
    return dimensions * (number == VectorNumber::float16 ? 2 : number == VectorNumber::float32 ? 4 : 8);
  }
};

/// Rows that are read by number, never all at once.
class VectorRows {
 public:
  virtual ~VectorRows() = default;
  [[nodiscard]] const VectorShape& shape() const noexcept { return shape_; }

  /// Copies rows [first, first + count) in their stored form. Thread-safe. Fails with io.
  virtual Result<void> read(std::uint64_t first, std::uint64_t count, std::byte* to) const = 0;

 protected:
  VectorShape shape_;
};

/// A stored row as numbers; float16 and float32 are converted exactly. REQUIRES a `row` of shape.row_bytes()
/// bytes, and room for its numbers in `to`.
void decode_row(const VectorShape& shape, const std::byte* row, double* to) noexcept;

/// An array of the caller, which must outlive the result. Fails with invalid_argument if it has no dimension.
Result<std::unique_ptr<VectorRows>> vectors_in_memory(const TextVectors& vectors);

/// A NumPy file, version 1 to 3: a two-dimensional array of float16, float32 or float64 in C order. Rows are
/// read from the file when needed. Fails with not_found, io, and with corrupt for any other array, naming its
/// kind.
Result<std::unique_ptr<VectorRows>> open_vector_file(const std::filesystem::path& path);

/// Rows that are added one by one and go to a nameless file of the work folder, as float64.
class VectorSpool {
 public:
  static Result<VectorSpool> create(const WorkFolder& folder, std::size_t dimensions);
  VectorSpool(VectorSpool&&) noexcept;
  VectorSpool& operator=(VectorSpool&&) noexcept;
  ~VectorSpool();

  /// REQUIRES row.size() == dimensions. Fails with io if the folder is full.
  Result<void> add(std::span<const double> row);
  /// The added rows. Call it once, at the end.
  Result<std::unique_ptr<VectorRows>> finish();

 private:
  class Rows;
  explicit VectorSpool(std::unique_ptr<Rows> rows);
  std::unique_ptr<Rows> rows_;
};

}  // namespace leitong
