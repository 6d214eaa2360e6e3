#include "cut_texts.hpp"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_nested.h>
#include <arrow/array/builder_base.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/data.h>
#include <arrow/array/util.h>
#include <arrow/builder.h>
#include <arrow/extension_type.h>
#include <arrow/util/checked_cast.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "as_text.hpp"

namespace leitong {
namespace {

using arrow::Type;
using arrow::internal::checked_cast;

/// A text that loses something, by its row in the column of texts.
struct ChangedText {
  std::int64_t row;
  std::string text;
};

/// The elements of a row of a list, as rows of its values.
std::pair<std::int64_t, std::int64_t> elements_of(const arrow::Array& lists, std::int64_t row) {
  const auto range = [row](const auto& typed) {
    return std::pair<std::int64_t, std::int64_t>(typed.value_offset(row),
                                                 typed.value_offset(row) + typed.value_length(row));
  };
  switch (lists.type_id()) {
    case Type::LIST:
      return range(checked_cast<const arrow::ListArray&>(lists));
    case Type::LARGE_LIST:
      return range(checked_cast<const arrow::LargeListArray&>(lists));
    default:
      return range(checked_cast<const arrow::FixedSizeListArray&>(lists));
  }
}

std::optional<std::string_view> text_at(const arrow::Array& texts, std::int64_t row) {
  if (texts.IsNull(row)) return std::nullopt;
  switch (texts.type_id()) {
    case Type::STRING:
    case Type::BINARY:
      return checked_cast<const arrow::BinaryArray&>(texts).GetView(row);
    case Type::LARGE_STRING:
    case Type::LARGE_BINARY:
      return checked_cast<const arrow::LargeBinaryArray&>(texts).GetView(row);
    default:
      return checked_cast<const arrow::BinaryViewArray&>(texts).GetView(row);
  }
}

/// An array of all that the data have, from their first row on: children are numbered like that.
std::shared_ptr<arrow::Array> whole(const arrow::ArrayData& data) {
  auto copy = data.Copy();
  copy->length += copy->offset;
  copy->offset = 0;
  return arrow::MakeArray(copy);
}

/// One level of a column. Its rows are numbered from the first one of its buffers, without its offset.
struct Level {
  std::shared_ptr<arrow::ArrayData> data;
  std::shared_ptr<arrow::Array> array;  // all rows of the data

  explicit Level(std::shared_ptr<arrow::ArrayData> of) : data(std::move(of)), array(whole(*data)) {
    // Texts with a type of their own are stored as texts.
    while (array->type_id() == Type::EXTENSION)
      array = checked_cast<const arrow::ExtensionArray&>(*array).storage();
  }
};

/// Appends the rows of the texts of a row, in their order.
void list_texts(const std::vector<Level>& levels, std::span<const int> path, std::size_t level,
                std::int64_t row, std::vector<std::int64_t>& texts) {
  const arrow::Array& array = *levels[level].array;
  if (array.IsNull(row)) return;
  if (level == path.size()) return texts.push_back(row);
  const std::int64_t below = levels[level + 1].data->offset;
  if (path[level] != kEachElement) return list_texts(levels, path, level + 1, below + row, texts);
  const auto [begin, end] = elements_of(array, row);
  for (std::int64_t element = begin; element < end; ++element)
    list_texts(levels, path, level + 1, below + element, texts);
}

template <class Builder>
arrow::Status append_text(arrow::ArrayBuilder& builder, std::string_view text) {
  return checked_cast<Builder&>(builder).Append(text.data(),
                                                static_cast<typename Builder::offset_type>(text.size()));
}

arrow::Status append_text(arrow::ArrayBuilder& builder, std::string_view text) {
  switch (builder.type()->id()) {
    case Type::STRING:
    case Type::BINARY:
      return append_text<arrow::BinaryBuilder>(builder, text);
    case Type::LARGE_STRING:
    case Type::LARGE_BINARY:
      return append_text<arrow::LargeBinaryBuilder>(builder, text);
    default:
      return checked_cast<arrow::BinaryViewBuilder&>(builder).Append(text);
  }
}

/// The texts with these in place of some.
arrow::Result<std::shared_ptr<arrow::ArrayData>> replaced(const arrow::Array& texts,
                                                          const std::vector<ChangedText>& changed,
                                                          arrow::MemoryPool* pool) {
  std::unique_ptr<arrow::ArrayBuilder> builder;
  ARROW_RETURN_NOT_OK(arrow::MakeBuilder(pool, texts.type(), &builder));
  const arrow::ArraySpan rows(*texts.data());
  std::int64_t at = 0;
  for (const ChangedText& each : changed) {
    ARROW_RETURN_NOT_OK(builder->AppendArraySlice(rows, at, each.row - at));
    ARROW_RETURN_NOT_OK(append_text(*builder, each.text));
    at = each.row + 1;
  }
  ARROW_RETURN_NOT_OK(builder->AppendArraySlice(rows, at, texts.length() - at));
  ARROW_ASSIGN_OR_RAISE(const auto made, builder->Finish());
  return made->data();
}

}  // namespace

arrow::Status check_cuttable(const arrow::DataType& column, std::span<const int> path,
                             const std::string& name) {
  const arrow::DataType* type = &column;
  for (const int child : path) type = type->field(child == kEachElement ? 0 : child)->type().get();
  while (type->id() == Type::EXTENSION)
    type = checked_cast<const arrow::ExtensionType&>(*type).storage_type().get();
  if (arrow::is_base_binary_like(type->id()) || arrow::is_binary_view_like(type->id()) ||
      type->id() == Type::NA)
    return arrow::Status::OK();
  return arrow::Status::NotImplemented("column \"", name, "\" is ", column.ToString(),
                                       ", whose texts can't be changed; write it as a column of strings");
}

arrow::Result<std::shared_ptr<arrow::Array>> without_cuts(const std::shared_ptr<arrow::Array>& column,
                                                          std::span<const int> path, std::uint64_t first_row,
                                                          RowCuts& cuts, arrow::MemoryPool* pool) {
  if (!cuts.any_in(first_row, first_row + static_cast<std::uint64_t>(column->length()))) return column;
  std::vector<Level> levels;
  levels.emplace_back(column->data());
  for (const int child : path) {
    const auto& children = levels.back().array->data()->child_data;
    levels.emplace_back(children[static_cast<std::size_t>(child == kEachElement ? 0 : child)]);
  }
  const arrow::Array& texts = *levels.back().array;
  std::vector<ChangedText> changed;
  std::vector<std::int64_t> rows;
  std::string left;
  for (std::int64_t row = 0; row < column->length(); ++row) {
    const auto ranges = cuts.of(first_row + static_cast<std::uint64_t>(row));
    if (ranges.empty()) continue;
    rows.clear();
    list_texts(levels, path, 0, column->offset() + row, rows);
    std::size_t at = 0;
    for (const std::int64_t text_row : rows) {
      const std::string_view text = *text_at(texts, text_row);
      if (without_ranges(text, at, ranges, left)) changed.push_back({text_row, left});
      at += text.size() + 1;
    }
  }
  if (changed.empty()) return column;
  ARROW_ASSIGN_OR_RAISE(auto data, replaced(texts, changed, pool));
  for (std::size_t level = levels.size(); level-- > 0;) {
    const arrow::ArrayData& old = *levels[level].data;
    if (level + 1 < levels.size()) {
      // This level holds the changed one as a child.
      auto parent = old.Copy();
      const int child = path[level];
      parent->child_data[static_cast<std::size_t>(child == kEachElement ? 0 : child)] = data;
      data = parent;
      continue;
    }
    data = data->Copy();
    data->type = old.type;
    data->offset = old.offset;
    data->length = old.length;
    data->null_count = arrow::kUnknownNullCount;
  }
  return arrow::MakeArray(data);
}

bool without_ranges(std::string_view text, std::size_t base, std::span<const ByteRange> ranges,
                    std::string& left) {
  left.clear();
  std::size_t at = 0;
  for (const ByteRange& range : ranges) {
    const std::size_t begin = std::max(range.begin, base), end = std::min(range.end, base + text.size());
    if (begin >= end) continue;
    left += text.substr(at, begin - base - at);
    at = end - base;
  }
  if (at == 0) return false;
  left += text.substr(at);
  return true;
}

}  // namespace leitong
