#include "component.hpp"

namespace leitong {
namespace {

class Component final : public TableFiles {
 public:
  [[nodiscard]] Result<std::unique_ptr<TableReader>> open(TableKind kind, std::unique_ptr<TableBytes> bytes,
                                                          std::uint64_t memory) const override {
    return kind == TableKind::parquet ? open_parquet(std::move(bytes), memory)
                                      : open_arrow(std::move(bytes), memory);
  }
  [[nodiscard]] Result<std::unique_ptr<TableCopier>> new_copier(TableKind kind, ByteSink sink,
                                                                std::uint64_t memory) const override {
    return kind == TableKind::parquet ? new_parquet_copier(std::move(sink), memory)
                                      : new_arrow_copier(std::move(sink), memory);
  }
  [[nodiscard]] Result<std::unique_ptr<TableWriter>> new_writer(TableForm form,
                                                                std::vector<TableColumn> columns,
                                                                ByteSink sink) const override {
    return new_table_writer(form, std::move(columns), std::move(sink));
  }
};

}  // namespace
}  // namespace leitong

extern "C" __attribute__((visibility("default"))) const leitong::TableFiles* leitong_table_files(
    unsigned version) {
  static const leitong::Component component;
  return version == leitong::kTableFilesVersion ? &component : nullptr;
}
