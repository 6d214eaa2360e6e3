#include "corpus/source_bytes.hpp"

#include <string>
#include <utility>

#include "base/try.hpp"
#include "io/table_bytes.hpp"

namespace leitong {
namespace {

class SpooledBytes final : public TableBytes {
 public:
  SpooledBytes(const RecordStore& store, std::uint32_t source, std::uint64_t size)
      : store_(store), source_(source), size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  Result<void> read(std::uint64_t offset, char* out, std::size_t size) override {
    return store_.read(source_, offset, out, size, cursor_);
  }

 private:
  const RecordStore& store_;
  std::uint32_t source_;
  std::uint64_t size_;
  StoreCursor cursor_;
};

}  // namespace

Result<std::unique_ptr<TableBytes>> bytes_of_source(const SourceList& sources, const RecordStore& store,
                                                    std::uint32_t source, std::uint64_t spooled_bytes,
                                                    StopToken stop) {
  if (spooled_bytes > 0) return std::make_unique<SpooledBytes>(store, source, spooled_bytes);
  LEITONG_ASSIGN(ReadFile file, ReadFile::open(std::string(sources.path(source)), stop));
  return bytes_of_file(std::move(file), sources[source].stamp, std::string(sources.path(source)));
}

}  // namespace leitong
