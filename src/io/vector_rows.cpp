#include "io/vector_rows.hpp"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/try.hpp"
#include "io/npy.hpp"
#include "io/read_file.hpp"

namespace leitong {
namespace {

static_assert(std::endian::native == std::endian::little);

/// IEEE half precision, exactly.
double from_half(std::uint16_t half) noexcept {
  const int exponent = half >> 10 & 31;
  const double fraction = half & 1023;
  double value = 0;
  if (exponent == 31)
    value = fraction == 0 ? HUGE_VAL : std::nan("");
  else
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return half >> 15 != 0 ? -value : value;
}

template <class T>
T number_at(const std::byte* row, std::size_t i) noexcept {
  T value;
  std::memcpy(&value, row + i * sizeof(T), sizeof(T));
  return value;
}

class RowsInMemory final : public VectorRows {
 public:
  explicit RowsInMemory(const TextVectors& vectors)
      : numbers_(static_cast<const std::byte*>(vectors.numbers)) {
    shape_ = {vectors.count, vectors.dimensions, vectors.number};
  }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::byte* to) const override {
    std::memcpy(to, numbers_ + first * shape_.row_bytes(), count * shape_.row_bytes());
    return {};
  }

 private:
  const std::byte* numbers_;
};

class RowsOfFile final : public VectorRows {
 public:
  RowsOfFile(ReadFile file, std::string path, const VectorShape& shape, std::uint64_t begin)
      : file_(std::move(file)), path_(std::move(path)), begin_(begin) {
    shape_ = shape;
  }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::byte* to) const override {
    const std::uint64_t at = begin_ + first * shape_.row_bytes(), bytes = count * shape_.row_bytes();
    LEITONG_ASSIGN(const std::size_t got, file_.read_at(at, reinterpret_cast<char*>(to), bytes));
    if (got == bytes) return {};
    return fail(ErrorCode::corrupt,
                fmt::format("{}: ends at offset {}, and went on when it was opened; it must not change while "
                            "it is read",
                            path_, at + got));
  }

 private:
  ReadFile file_;
  std::string path_;
  std::uint64_t begin_;
};

std::optional<VectorNumber> number_of(std::string_view type) {
  if (type == "'<f2'") return VectorNumber::float16;
  if (type == "'<f4'") return VectorNumber::float32;
  if (type == "'<f8'") return VectorNumber::float64;
  return std::nullopt;
}

}  // namespace

void decode_row(const VectorShape& shape, const std::byte* row, double* to) noexcept {
  switch (shape.number) {
    case VectorNumber::float16:
      for (std::size_t i = 0; i < shape.dimensions; ++i) to[i] = from_half(number_at<std::uint16_t>(row, i));
      return;
    case VectorNumber::float32:
      for (std::size_t i = 0; i < shape.dimensions; ++i) to[i] = double{number_at<float>(row, i)};
      return;
    case VectorNumber::float64:
      std::memcpy(to, row, shape.dimensions * sizeof(double));
      return;
  }
}

Result<std::unique_ptr<VectorRows>> vectors_in_memory(const TextVectors& vectors) {
  if (vectors.numbers == nullptr && vectors.count > 0)
    return fail(ErrorCode::invalid_argument, "a cosine was asked for, and there are no vectors; give both");
  if (vectors.dimensions == 0)
    return fail(ErrorCode::invalid_argument, "vectors of no dimensions have no direction; give longer ones");
  return std::make_unique<RowsInMemory>(vectors);
}

Result<std::unique_ptr<VectorRows>> open_vector_file(const std::filesystem::path& file) {
  const std::string path = file.string();
  LEITONG_ASSIGN(ReadFile opened, ReadFile::open(path));
  if (!opened.can_be_read_again())
    return fail(
        ErrorCode::unsupported,
        path + ": vectors are read several times, which a pipe doesn't allow; write them into a file");
  std::string head(kNpyHead, '\0');
  LEITONG_ASSIGN(const std::size_t got, opened.read_at(0, head.data(), head.size()));
  head.resize(got);
  if (!head.starts_with(kNpyMagic))
    return npy_corrupt(path, 0, "this is no NumPy array; write the vectors with numpy.save()");
  LEITONG_ASSIGN(const NpyHeader header, parse_npy(path, head));
  const auto number = number_of(header.type);
  if (!number)
    return npy_corrupt(path, header.text,
                       fmt::format("the array holds {}, and vectors are float16, float32 or float64 ('<f2', "
                                   "'<f4', '<f8'); convert it with astype()",
                                   header.type));
  if (header.shape.size() != 2 || header.shape[1] == 0)
    return npy_corrupt(
        path, header.text,
        fmt::format("the array has shape {}, and vectors have (rows, dimensions)", header.shape_text));
  if (header.fortran_order)
    return npy_corrupt(path, header.text,
                       "the array lies in Fortran order; save it with numpy.ascontiguousarray()");
  const VectorShape shape{header.shape[0], header.shape[1], *number};
  constexpr std::size_t kMostDimensions = 1 << 20;
  if (shape.dimensions > kMostDimensions)
    return npy_corrupt(path, header.text, fmt::format("vectors have at most {} dimensions", kMostDimensions));
  LEITONG_TRY(check_npy_size(path, header, shape.row_bytes(), "rows", opened.stamp().size));
  return std::make_unique<RowsOfFile>(std::move(opened), path, shape, header.begin);
}

/// Collects rows until a write is worthwhile.
class VectorSpool::Rows final : public VectorRows {
 public:
  Rows(TempFile file, std::size_t dimensions) : file_(std::move(file)) {
    shape_ = {0, dimensions, VectorNumber::float64};
  }
  Result<void> add(std::span<const double> row) {
    waiting_.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
    ++shape_.count;
    return waiting_.size() < kBlock ? Result<void>() : flush();
  }
  Result<void> flush() {
    LEITONG_TRY(file_.append(waiting_.data(), waiting_.size()));
    waiting_.clear();
    return {};
  }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::byte* to) const override {
    return file_.read(first * shape_.row_bytes(), to, count * shape_.row_bytes());
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;
  TempFile file_;
  std::string waiting_;
};

VectorSpool::VectorSpool(std::unique_ptr<Rows> rows) : rows_(std::move(rows)) {}
VectorSpool::VectorSpool(VectorSpool&&) noexcept = default;
VectorSpool& VectorSpool::operator=(VectorSpool&&) noexcept = default;
VectorSpool::~VectorSpool() = default;

Result<VectorSpool> VectorSpool::create(const WorkFolder& folder, std::size_t dimensions) {
  LEITONG_ASSIGN(TempFile file, folder.new_file());
  return VectorSpool(std::make_unique<Rows>(std::move(file), dimensions));
}

Result<void> VectorSpool::add(std::span<const double> row) { return rows_->add(row); }

Result<std::unique_ptr<VectorRows>> VectorSpool::finish() {
  LEITONG_TRY(rows_->flush());
  return std::unique_ptr<VectorRows>(std::move(rows_));
}

}  // namespace leitong
