#include "io/table_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/try.hpp"
#include "io/component.hpp"

namespace leitong {
namespace {

constexpr ComponentNames kArrow{
    .name = "leitong-arrow",
    .object = "libleitong_arrow.so",
    .entry = kTableFilesEntry,
    .what = "Parquet and Arrow files",
    .failed = "can't be read",
    .in_python = "leitong.parquet.dedup_files(inputs, output) in Python (pip install pyarrow fsspec)"};

Result<const TableFiles*> load() {
  LEITONG_ASSIGN(void* const entry, load_component(kArrow));
  const TableFiles* const files = reinterpret_cast<TableFilesEntry>(entry)(kTableFilesVersion);
  if (files == nullptr) return other_version(kArrow);
  return files;
}

}  // namespace

Result<std::size_t> find_field(const std::vector<TableField>& fields, std::string_view name) {
  const auto field = std::ranges::find(fields, name, &TableField::name);
  if (field != fields.end() &&
      std::ranges::find(field + 1, fields.end(), name, &TableField::name) != fields.end())
    return fail(ErrorCode::invalid_argument, fmt::format("the column \"{}\" occurs twice", name));
  return static_cast<std::size_t>(field - fields.begin());
}

Result<const TableFiles*> table_files() {
  static const Result<const TableFiles*> loaded = load();
  return loaded;
}

std::optional<TableForm> table_form_of_name(std::string_view path) noexcept {
  static constexpr std::array<std::pair<std::string_view, TableForm>, 4> kEndings{
      {{".parquet", TableForm::parquet},
       {".arrow", TableForm::arrow_file},
       {".feather", TableForm::arrow_file},
       {".arrows", TableForm::arrow_stream}}};
  for (const auto& [ending, form] : kEndings)
    if (path.ends_with(ending)) return form;
  return std::nullopt;
}

}  // namespace leitong
