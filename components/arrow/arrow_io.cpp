#include "arrow_io.hpp"

#include <arrow/buffer.h>
#include <parquet/exception.h>

#include <algorithm>
#include <new>

namespace leitong {

arrow::Result<std::int64_t> ArrowBytes::ReadAt(std::int64_t position, std::int64_t count, void* out) {
  const auto size = static_cast<std::int64_t>(bytes_->size());
  if (position < 0 || count < 0 || position > size)
    return arrow::Status::Invalid("a place behind the end of the file");
  count = std::min(count, size - position);
  if (count == 0) return 0;
  if (auto read = bytes_->read(static_cast<std::uint64_t>(position), static_cast<char*>(out),
                               static_cast<std::size_t>(count));
      !read) {
    error_ = std::move(read).error();
    return arrow::Status::IOError(error_->message);
  }
  return count;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> ArrowBytes::ReadAt(std::int64_t position, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(bytes_->size());
  if (position < 0 || count < 0 || position > size)
    return arrow::Status::Invalid("a place behind the end of the file");
  count = std::min(count, size - position);  // so that a wrong length in a damaged file is not allocated
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(count, pool_));
  ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(position, count, buffer->mutable_data()));
  ARROW_RETURN_NOT_OK(buffer->Resize(got));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

arrow::Result<std::int64_t> ArrowBytes::Read(std::int64_t count, void* out) {
  ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(position_, count, out));
  position_ += got;
  return got;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> ArrowBytes::Read(std::int64_t count) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, count));
  position_ += buffer->size();
  return buffer;
}

arrow::Future<std::shared_ptr<arrow::Buffer>> ArrowBytes::ReadAsync(const arrow::io::IOContext& /*context*/,
                                                                    std::int64_t position, std::int64_t count,
                                                                    bool allow_short_read) {
  arrow::Result<std::shared_ptr<arrow::Buffer>> read = ReadAt(position, count);
  if (!allow_short_read && read.ok() && (*read)->size() < count)
    read = arrow::Status::IOError("a place behind the end of the file");
  return read;
}

arrow::Status ArrowSink::Write(const void* data, std::int64_t count) {
  if (auto written = sink_({static_cast<const char*>(data), static_cast<std::size_t>(count)}); !written) {
    error_ = std::move(written).error();
    return arrow::Status::IOError(error_->message);
  }
  position_ += count;
  return arrow::Status::OK();
}

Error to_error(const arrow::Status& status, ErrorCode fallback) {
  const ErrorCode code = status.IsOutOfMemory()      ? ErrorCode::limit
                         : status.IsNotImplemented() ? ErrorCode::unsupported
                                                     : fallback;
  std::string message = status.message();
  if (const std::size_t line = message.find('\n'); line != std::string::npos) message.resize(line);
  return {code, std::move(message)};
}

Error current_error() {
  try {
    throw;
  } catch (const parquet::ParquetStatusException& exception) {
    return to_error(exception.status());
  } catch (const std::bad_alloc&) {
    return {ErrorCode::limit, "no memory is left"};
  } catch (const std::exception& exception) {
    return {ErrorCode::corrupt, exception.what()};
  }
}

}  // namespace leitong
