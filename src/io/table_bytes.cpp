#include "io/table_bytes.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/try.hpp"

namespace leitong {
namespace {

class FileBytes final : public TableBytes {
 public:
  FileBytes(ReadFile file, const FileStamp& stamp, std::string path)
      : file_(std::move(file)), stamp_(stamp), path_(std::move(path)) {}
  [[nodiscard]] std::uint64_t size() const override { return stamp_.size; }
  Result<void> read(std::uint64_t offset, char* out, std::size_t size) override {
    LEITONG_ASSIGN(const std::size_t got, file_.read_at(offset, out, size));
    return got == size ? check() : changed();
  }
  [[nodiscard]] Result<void> check() const { return file_.stamp() == stamp_ ? Result<void>{} : changed(); }

 private:
  [[nodiscard]] tl::unexpected<Error> changed() const {
    return fail(ErrorCode::corrupt,
                fmt::format("{}: the file was changed while it was being read; run again", path_));
  }

  ReadFile file_;
  FileStamp stamp_;
  std::string path_;
};

class MemoryBytes final : public TableBytes {
 public:
  explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  Result<void> read(std::uint64_t offset, char* out, std::size_t size) override {
    bytes_.copy(out, size, offset);
    return {};
  }

 private:
  std::string_view bytes_;
};

}  // namespace

Result<std::unique_ptr<TableBytes>> bytes_of_file(ReadFile file, const FileStamp& stamp, std::string path) {
  auto bytes = std::make_unique<FileBytes>(std::move(file), stamp, std::move(path));
  LEITONG_TRY(bytes->check());
  return bytes;
}

std::unique_ptr<TableBytes> bytes_in_memory(std::string_view table) {
  return std::make_unique<MemoryBytes>(table);
}

}  // namespace leitong
