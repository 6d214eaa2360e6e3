#include "added_columns.hpp"

#include <arrow/array/builder_base.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/builder.h>

#include <type_traits>
#include <utility>

namespace leitong {
namespace {

std::shared_ptr<arrow::DataType> type_of(AddedField::Type type) {
  switch (type) {
    case AddedField::Type::integer:
      return arrow::int64();
    case AddedField::Type::number:
      return arrow::float64();
    case AddedField::Type::truth:
      return arrow::boolean();
    case AddedField::Type::text:
      break;
  }
  return arrow::utf8();
}

arrow::Status put(const AddedColumns::Value& value, arrow::ArrayBuilder& builder) {
  if (const bool* truth = std::get_if<bool>(&value))
    return static_cast<arrow::BooleanBuilder&>(builder).Append(*truth);
  if (const auto* integer = std::get_if<std::uint64_t>(&value))
    return static_cast<arrow::Int64Builder&>(builder).Append(static_cast<std::int64_t>(*integer));
  if (const double* number = std::get_if<double>(&value))
    return static_cast<arrow::DoubleBuilder&>(builder).Append(*number);
  if (const auto* text = std::get_if<std::string>(&value))
    return static_cast<arrow::StringBuilder&>(builder).Append(*text);
  return builder.AppendNull();
}

}  // namespace

std::shared_ptr<arrow::Schema> AddedColumns::extended(const arrow::Schema& schema) const {
  arrow::FieldVector all = schema.fields();
  for (const AddedField& field : fields_) all.push_back(arrow::field(field.name, type_of(field.type)));
  return arrow::schema(std::move(all), schema.endianness(), schema.metadata());
}

void AddedColumns::append(std::span<const AddedValue> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Value owned;
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>)
            owned = std::string(value);
          else
            owned = value;
        },
        values[i]);
    values_[i].push_back(std::move(owned));
  }
}

arrow::Status AddedColumns::take(std::int64_t rows, arrow::ArrayVector& columns) {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    std::unique_ptr<arrow::ArrayBuilder> builder;
    ARROW_RETURN_NOT_OK(arrow::MakeBuilder(pool_, type_of(fields_[i].type), &builder));
    ARROW_RETURN_NOT_OK(builder->Reserve(rows));
    for (std::int64_t row = 0; row < rows; ++row) {
      ARROW_RETURN_NOT_OK(put(values_[i].front(), *builder));
      values_[i].pop_front();
    }
    ARROW_ASSIGN_OR_RAISE(auto array, builder->Finish());
    columns.push_back(std::move(array));
  }
  return arrow::Status::OK();
}

}  // namespace leitong
