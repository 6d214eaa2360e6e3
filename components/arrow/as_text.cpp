#include "as_text.hpp"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/array_nested.h>
#include <arrow/array/array_primitive.h>
#include <arrow/array/builder_binary.h>
#include <arrow/compute/cast.h>
#include <arrow/compute/exec.h>
#include <arrow/extension_type.h>
#include <arrow/util/checked_cast.h>

#include <array>
#include <charconv>
#include <span>

namespace leitong {
namespace {

using arrow::Type;
using arrow::internal::checked_cast;

constexpr int kUuidBytes = 16;

bool is_bytes(Type::type id) { return arrow::is_base_binary_like(id) || arrow::is_binary_view_like(id); }

template <class Array>
void views_of(const arrow::Array& array, std::vector<std::string_view>& values) {
  const auto& typed = checked_cast<const Array&>(array);
  values.resize(static_cast<std::size_t>(array.length()));
  for (std::int64_t i = 0; i < array.length(); ++i) {
    std::string_view value;
    if (!typed.IsNull(i)) {
      value = typed.GetView(i);
      if (value.data() == nullptr) value = "";  // empty, but not null
    }
    values[static_cast<std::size_t>(i)] = value;
  }
}

/// Bytes that are no text, as hexadecimal digits; those of a UUID with its hyphens.
arrow::Result<std::shared_ptr<arrow::Array>> in_hex(const arrow::FixedSizeBinaryArray& array, bool uuid,
                                                    arrow::MemoryPool* pool) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  arrow::StringBuilder builder(pool);
  std::string text;
  for (std::int64_t i = 0; i < array.length(); ++i) {
    if (array.IsNull(i)) {
      ARROW_RETURN_NOT_OK(builder.AppendNull());
      continue;
    }
    text.clear();
    for (int at = 0; at < array.byte_width(); ++at) {
      if (uuid && (at == 4 || at == 6 || at == 8 || at == 10)) text += '-';
      const unsigned byte = array.GetValue(i)[at];
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    ARROW_RETURN_NOT_OK(builder.Append(text));
  }
  return builder.Finish();
}

bool is_list(const arrow::DataType& type) {
  return type.id() == Type::LIST || type.id() == Type::LARGE_LIST || type.id() == Type::FIXED_SIZE_LIST;
}

bool is_list_of_numbers(const arrow::DataType& type) {
  return is_list(type) && arrow::is_numeric(type.field(0)->type()->id());
}

/// Vectors: "[0.5,null,2]", each number with the digits that give the same double when they are read.
template <class List>
arrow::Result<std::shared_ptr<arrow::Array>> numbers_as_json(const List& lists, arrow::MemoryPool* pool) {
  arrow::compute::ExecContext context(pool);
  ARROW_ASSIGN_OR_RAISE(const auto cast,
                        arrow::compute::Cast(*lists.values(), arrow::float64(),
                                             arrow::compute::CastOptions::Unsafe(), &context));
  const auto& numbers = checked_cast<const arrow::DoubleArray&>(*cast);
  arrow::LargeStringBuilder builder(pool);
  std::string text;
  for (std::int64_t i = 0; i < lists.length(); ++i) {
    if (lists.IsNull(i)) {
      ARROW_RETURN_NOT_OK(builder.AppendNull());
      continue;
    }
    text = "[";
    for (std::int64_t at = lists.value_offset(i); at < lists.value_offset(i) + lists.value_length(i); ++at) {
      if (text.size() > 1) text += ',';
      if (numbers.IsNull(at)) {
        text += "null";
        continue;
      }
      std::array<char, 32> digits{};
      text.append(digits.data(),
                  std::to_chars(digits.data(), digits.data() + digits.size(), numbers.Value(at)).ptr);
    }
    text += ']';
    ARROW_RETURN_NOT_OK(builder.Append(text));
  }
  return builder.Finish();
}

arrow::Result<std::shared_ptr<arrow::Array>> numbers_as_json(const std::shared_ptr<arrow::Array>& array,
                                                             arrow::MemoryPool* pool) {
  switch (array->type_id()) {
    case Type::LIST:
      return numbers_as_json(checked_cast<const arrow::ListArray&>(*array), pool);
    case Type::LARGE_LIST:
      return numbers_as_json(checked_cast<const arrow::LargeListArray&>(*array), pool);
    default:
      return numbers_as_json(checked_cast<const arrow::FixedSizeListArray&>(*array), pool);
  }
}

/// The column in a type whose values are bytes; a column of nulls if that is impossible.
arrow::Result<std::shared_ptr<arrow::Array>> as_bytes(const std::shared_ptr<arrow::Array>& array,
                                                      arrow::MemoryPool* pool) {
  const arrow::DataType& type = *array->type();
  if (is_bytes(type.id())) return array;
  if (is_list_of_numbers(type)) return numbers_as_json(array, pool);
  if (kind_of(type) == TableField::Kind::other)
    return arrow::MakeArrayOfNull(arrow::utf8(), array->length(), pool);
  arrow::compute::ExecContext context(pool);
  switch (type.id()) {
    case Type::EXTENSION: {
      const auto& extension = checked_cast<const arrow::ExtensionArray&>(*array);
      const auto& name = checked_cast<const arrow::ExtensionType&>(type).extension_name();
      if (extension.storage()->type_id() == Type::FIXED_SIZE_BINARY)
        return in_hex(checked_cast<const arrow::FixedSizeBinaryArray&>(*extension.storage()),
                      name == "arrow.uuid", pool);
      return as_bytes(extension.storage(), pool);
    }
    case Type::FIXED_SIZE_BINARY:
      return in_hex(checked_cast<const arrow::FixedSizeBinaryArray&>(*array), false, pool);
    case Type::DICTIONARY: {
      const auto& values = checked_cast<const arrow::DictionaryType&>(type).value_type();
      ARROW_ASSIGN_OR_RAISE(
          auto plain, arrow::compute::Cast(*array, values, arrow::compute::CastOptions::Safe(), &context));
      return as_bytes(plain, pool);
    }
    default:
      return arrow::compute::Cast(*array, arrow::utf8(), arrow::compute::CastOptions::Safe(), &context);
  }
}

/// The same type with bytes in place of texts, so that UTF-8 is not checked.
std::shared_ptr<arrow::DataType> without_texts(const std::shared_ptr<arrow::DataType>& type) {
  const auto child = [&](int i) { return type->field(i)->WithType(without_texts(type->field(i)->type())); };
  switch (type->id()) {
    case Type::STRING:
      return arrow::binary();
    case Type::LARGE_STRING:
      return arrow::large_binary();
    case Type::STRING_VIEW:
      return arrow::binary_view();
    case Type::STRUCT: {
      arrow::FieldVector fields;
      for (int i = 0; i < type->num_fields(); ++i) fields.push_back(child(i));
      return arrow::struct_(std::move(fields));
    }
    case Type::LIST:
      return arrow::list(child(0));
    case Type::LARGE_LIST:
      return arrow::large_list(child(0));
    case Type::FIXED_SIZE_LIST:
      return arrow::fixed_size_list(child(0),
                                    checked_cast<const arrow::FixedSizeListType&>(*type).list_size());
    case Type::MAP: {
      const auto& map = checked_cast<const arrow::MapType&>(*type);
      return std::make_shared<arrow::MapType>(map.key_field()->WithType(without_texts(map.key_type())),
                                              map.item_field()->WithType(without_texts(map.item_type())),
                                              map.keys_sorted());
    }
    case Type::DICTIONARY: {
      const auto& dictionary = checked_cast<const arrow::DictionaryType&>(*type);
      return arrow::dictionary(dictionary.index_type(), without_texts(dictionary.value_type()),
                               dictionary.ordered());
    }
    case Type::EXTENSION:
      return without_texts(checked_cast<const arrow::ExtensionType&>(*type).storage_type());
    default:
      return type;
  }
}

std::shared_ptr<arrow::ArrayData> without_texts(const arrow::ArrayData& data,
                                                const std::shared_ptr<arrow::DataType>& type) {
  auto copy = data.Copy();
  copy->type = type;
  for (std::size_t i = 0; i < copy->child_data.size(); ++i)
    copy->child_data[i] = without_texts(*copy->child_data[i], type->field(static_cast<int>(i))->type());
  if (copy->dictionary != nullptr)
    copy->dictionary =
        without_texts(*copy->dictionary, checked_cast<const arrow::DictionaryType&>(*type).value_type());
  return copy;
}

void list_views(const arrow::Array& array, std::vector<std::string_view>& values) {
  switch (array.type_id()) {
    case Type::STRING:
    case Type::BINARY:
      return views_of<arrow::BinaryArray>(array, values);
    case Type::LARGE_STRING:
    case Type::LARGE_BINARY:
      return views_of<arrow::LargeBinaryArray>(array, values);
    default:
      return views_of<arrow::BinaryViewArray>(array, values);
  }
}

arrow::Result<std::shared_ptr<arrow::Array>> texts_at(std::shared_ptr<arrow::Array> array,
                                                      std::span<const int> path, arrow::MemoryPool* pool);

/// The texts of each list joined by line feeds; null if there is none.
template <class List>
arrow::Result<std::shared_ptr<arrow::Array>> joined_texts(const List& lists, std::span<const int> path,
                                                          arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(const auto elements, texts_at(lists.values(), path, pool));
  std::vector<std::string_view> texts;
  list_views(*elements, texts);
  arrow::LargeBinaryBuilder builder(pool);
  std::string joined;
  for (std::int64_t i = 0; i < lists.length(); ++i) {
    bool found = false;
    joined.clear();
    const std::int64_t begin = lists.value_offset(i), end = begin + lists.value_length(i);
    for (std::int64_t at = begin; !lists.IsNull(i) && at < end; ++at) {
      const std::string_view text = texts[static_cast<std::size_t>(at)];
      if (text.data() == nullptr) continue;
      if (found) joined += '\n';
      joined += text;
      found = true;
    }
    if (found)
      ARROW_RETURN_NOT_OK(builder.Append(joined));
    else
      ARROW_RETURN_NOT_OK(builder.AppendNull());
  }
  return builder.Finish();
}

/// The texts at a place within a column, one for each of its rows.
arrow::Result<std::shared_ptr<arrow::Array>> texts_at(std::shared_ptr<arrow::Array> array,
                                                      std::span<const int> path, arrow::MemoryPool* pool) {
  for (; !path.empty(); path = path.subspan(1)) {
    if (path.front() == kEachElement) {
      const auto rest = path.subspan(1);
      if (array->type_id() == Type::LIST)
        return joined_texts(checked_cast<const arrow::ListArray&>(*array), rest, pool);
      if (array->type_id() == Type::LARGE_LIST)
        return joined_texts(checked_cast<const arrow::LargeListArray&>(*array), rest, pool);
      return joined_texts(checked_cast<const arrow::FixedSizeListArray&>(*array), rest, pool);
    }
    const auto& parent = checked_cast<const arrow::StructArray&>(*array);
    ARROW_ASSIGN_OR_RAISE(array, parent.GetFlattenedField(path.front(), pool));
  }
  return as_bytes(array, pool);
}

void list_field(const arrow::DataType& type, const std::string& name, FieldPath& path,
                std::vector<TableField>& fields, std::vector<FieldPath>& paths) {
  if (type.id() == Type::STRUCT) {
    for (int i = 0; i < type.num_fields(); ++i) {
      path.push_back(i);
      list_field(*type.field(i)->type(), name + "." + type.field(i)->name(), path, fields, paths);
      path.pop_back();
    }
    return;
  }
  fields.push_back({name, type.ToString(), kind_of(type), 0});
  paths.push_back(path);
  if (!is_list(type) || is_list_of_numbers(type)) return;
  path.push_back(kEachElement);
  list_field(*type.field(0)->type(), name + "[]", path, fields, paths);
  path.pop_back();
}

}  // namespace

TableField::Kind kind_of(const arrow::DataType& type) {
  if (is_bytes(type.id()) || type.id() == Type::NA) return TableField::Kind::text;
  switch (type.id()) {
    case Type::DICTIONARY:
      return kind_of(*checked_cast<const arrow::DictionaryType&>(type).value_type());
    case Type::EXTENSION:
      return kind_of(*checked_cast<const arrow::ExtensionType&>(type).storage_type());
    case Type::FIXED_SIZE_BINARY:
    case Type::BOOL:
      return TableField::Kind::scalar;
    default:
      return arrow::is_numeric(type.id()) || arrow::is_decimal(type.id()) || arrow::is_temporal(type.id())
                 ? TableField::Kind::scalar
                 : TableField::Kind::other;
  }
}

void list_fields(const arrow::Schema& schema, std::vector<TableField>& fields,
                 std::vector<FieldPath>& paths) {
  for (int i = 0; i < schema.num_fields(); ++i) {
    FieldPath path{i};
    list_field(*schema.field(i)->type(), schema.field(i)->name(), path, fields, paths);
  }
}

arrow::Status TextColumn::read(const arrow::RecordBatch& batch, const FieldPath& path,
                               arrow::MemoryPool* pool, std::vector<std::string_view>& values) {
  ARROW_ASSIGN_OR_RAISE(array_, texts_at(batch.column(path.front()), std::span(path).subspan(1), pool));
  list_views(*array_, values);
  return arrow::Status::OK();
}

arrow::Status check_column(const arrow::Array& column) {
  return arrow::MakeArray(without_texts(*column.data(), without_texts(column.type())))->ValidateFull();
}

}  // namespace leitong
