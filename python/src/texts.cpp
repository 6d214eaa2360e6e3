#include "texts.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "failure.hpp"

namespace nb = nanobind;

namespace leitong::python {
namespace {

std::string place(std::string_view what, std::uint64_t row) {
  return std::string(what) + " " + std::to_string(row);
}

bool is_valid(const ArrowArray& array, std::int64_t at) {
  const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  return array.null_count == 0 || bits == nullptr || ((bits[at / 8] >> (at % 8)) & 1) != 0;
}

template <class Offset>
std::string_view by_offsets(const ArrowArray& array, std::int64_t at) {
  const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
  const auto* bytes = static_cast<const char*>(array.buffers[2]);
  return {bytes + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
}

/// Arrow's "Variable-size Binary View Layout": 16 bytes for each string, which contain short strings.
std::string_view by_view(const ArrowArray& array, std::int64_t at) {
  constexpr std::int32_t kMostInline = 12;
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * at;
  std::int32_t words[4];
  std::memcpy(words, view, sizeof words);
  if (words[0] <= kMostInline) return {view + 4, static_cast<std::size_t>(words[0])};
  return {static_cast<const char*>(array.buffers[2 + words[2]]) + words[3],
          static_cast<std::size_t>(words[0])};
}

using StringAt = std::string_view (*)(const ArrowArray&, std::int64_t);

/// How the strings of a column are read; null for columns of another type.
StringAt reader_of(std::string_view format) {
  if (format == "u") return by_offsets<std::int32_t>;
  if (format == "U") return by_offsets<std::int64_t>;
  if (format == "vu") return by_view;
  return nullptr;
}

template <class Int>
std::int64_t int_at(const ArrowArray& array, std::int64_t at) {
  return static_cast<std::int64_t>(static_cast<const Int*>(array.buffers[1])[at]);
}

using IntAt = std::int64_t (*)(const ArrowArray&, std::int64_t);

/// How the integers of a column are read. Unsigned 64-bit integers are read as signed ones and must be
/// recognised as such. Null for columns of another type.
IntAt int_reader_of(std::string_view format) {
  switch (format.size() == 1 ? format[0] : '\0') {
    case 'c':
      return int_at<std::int8_t>;
    case 'C':
      return int_at<std::uint8_t>;
    case 's':
      return int_at<std::int16_t>;
    case 'S':
      return int_at<std::uint16_t>;
    case 'i':
      return int_at<std::int32_t>;
    case 'I':
      return int_at<std::uint32_t>;
    case 'l':
      return int_at<std::int64_t>;
    case 'L':
      return int_at<std::uint64_t>;
    default:
      return nullptr;
  }
}

/// For a dictionary, the format of its values.
std::string_view value_format(const ArrowSchema& schema) {
  return schema.dictionary == nullptr ? schema.format : value_format(*schema.dictionary);
}

bool may_hold_ids(const ArrowSchema& schema) {
  const std::string_view format = value_format(schema);
  return reader_of(format) != nullptr || int_reader_of(format) != nullptr;
}

/// The text of a row; nothing if it is null. `read` is the reader of the values.
std::optional<std::string_view> text_at(const ArrowArray& array, const ArrowSchema& schema, StringAt read,
                                        std::int64_t at) {
  if (!is_valid(array, at)) return std::nullopt;
  if (schema.dictionary == nullptr) return read(array, at);
  const ArrowArray& values = *array.dictionary;
  return text_at(values, *schema.dictionary, read, values.offset + int_reader_of(schema.format)(array, at));
}

nb::object id_at(const ArrowArray& array, const ArrowSchema& schema, std::int64_t at) {
  if (!is_valid(array, at)) return nb::none();
  if (schema.dictionary != nullptr) {
    const ArrowArray& values = *array.dictionary;
    return id_at(values, *schema.dictionary, values.offset + int_reader_of(schema.format)(array, at));
  }
  if (const StringAt read = reader_of(schema.format)) {
    const std::string_view id = read(array, at);
    return nb::str(id.data(), id.size());
  }
  const std::int64_t id = int_reader_of(schema.format)(array, at);
  return schema.format[0] == 'L' ? nb::int_(static_cast<std::uint64_t>(id)) : nb::int_(id);
}

std::int64_t child_named(const ArrowSchema& schema, std::string_view name) {
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    if (schema.children[i]->name != nullptr && schema.children[i]->name == name) return i;
  return -1;
}

/// True for a string whose UTF-8 is what the object holds.
bool is_ascii(nb::handle string) {
#ifdef Py_LIMITED_API
  return nb::cast<bool>(string.attr("isascii")());
#else
  return PyUnicode_IS_ASCII(string.ptr()) != 0;
#endif
}

[[noreturn]] void refuse_null(std::uint64_t row) {
  refuse(ErrorCode::invalid_argument, place("row", row) + " has no text (null); leave such rows out");
}

/// True for None and for the values that pandas uses in its place.
bool is_null(nb::handle item) {
  return item.is_none() || (PyFloat_Check(item.ptr()) && std::isnan(PyFloat_AsDouble(item.ptr())));
}

void add_string(Texts& texts, nb::handle item, std::uint64_t position) {
  if (is_null(item)) refuse_null(position);
  if (!PyUnicode_Check(item.ptr()))
    refuse(ErrorCode::invalid_argument, place("text", position) + " is not a str but " +
                                            nb::type_name(item.type()).c_str() +
                                            "; leave such texts out, or make them str");
  if (is_ascii(item)) {
    Py_ssize_t size = 0;
    const char* const utf8 = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
    if (utf8 == nullptr) throw nb::python_error();
    texts.views.emplace_back(utf8, static_cast<std::size_t>(size));
    texts.objects.push_back(nb::borrow(item));
    return;
  }
  // PyUnicode_AsUTF8AndSize is not used, since it leaves a second copy of the text in the caller's object for
  // its whole life.
  nb::object bytes = nb::steal(PyUnicode_AsUTF8String(item.ptr()));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    refuse(ErrorCode::corrupt,
           place("text", position) +
               " holds a lone surrogate, which has no UTF-8; read it with errors=\"replace\"");
  }
  char* utf8 = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &utf8, &size) != 0) throw nb::python_error();
  texts.views.emplace_back(utf8, static_cast<std::size_t>(size));
  texts.objects.push_back(std::move(bytes));
}

std::shared_ptr<Texts> from_strings(nb::handle strings, std::uint64_t first) {
  auto texts = std::make_shared<Texts>();
  std::uint64_t position = first;
  for (const nb::handle item : nb::iter(strings)) add_string(*texts, item, position++);
  return texts;
}

std::shared_ptr<Texts> from_arrow(nb::object source, const std::string& text) {
  auto texts = std::make_shared<Texts>();
  TextStream stream(std::move(source), text, "", false);
  while (stream.read(*texts)) {
  }
  return texts;
}

std::shared_ptr<Texts> ordered(const Texts& texts, const InputArray<std::uint64_t>& positions) {
  auto made = std::make_shared<Texts>();
  made->views.reserve(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::uint64_t at = positions.data()[i];
    if (at >= texts.views.size())
      refuse(ErrorCode::invalid_argument,
             place("there is no text", at) + " among " + std::to_string(texts.views.size()));
    made->views.push_back(texts.views[at]);
  }
  return made;
}

}  // namespace

TextStream::TextStream(nb::object source, std::string text, std::string id, bool id_is_asked_for)
    : capsule_(source.attr("__arrow_c_stream__")()), text_name_(std::move(text)) {
  stream_ = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule_.ptr(), "arrow_array_stream"));
  if (stream_ == nullptr) throw nb::python_error();
  if (stream_->get_schema(stream_, &schema_) != 0) {
    const char* why = stream_->get_last_error(stream_);
    refuse(ErrorCode::io, std::string("the Arrow stream can't be read: ") + (why == nullptr ? "" : why));
  }
  std::string_view format = value_format(schema_);
  if (format == "+s") {
    text_ = child_named(schema_, text_name_);
    if (text_ < 0) {
      std::string found;
      for (std::int64_t i = 0; i < schema_.n_children; ++i)
        found += std::string(i == 0 ? "" : ", ") + schema_.children[i]->name;
      schema_.release(&schema_);
      refuse(ErrorCode::not_found, "column \"" + text_name_ + "\" is missing (found: " + found + ")");
    }
    if (!id.empty()) id_ = child_named(schema_, id);
    if (id_ >= 0 && !may_hold_ids(*schema_.children[id_])) {
      const std::string type(value_format(*schema_.children[id_]));
      if (id_is_asked_for) {
        schema_.release(&schema_);
        refuse(ErrorCode::invalid_argument, "column \"" + id + "\" of ids has the Arrow type \"" + type +
                                                "\"; cast it to a string or an integer");
      }
      id_ = -1;
    }
    format = value_format(*schema_.children[text_]);
  }
  if (reader_of(format) == nullptr) {
    const std::string type(format);
    schema_.release(&schema_);
    refuse(ErrorCode::invalid_argument,
           "column \"" + text_name_ + "\" has the Arrow type \"" + type + "\"; cast it to string");
  }
}

TextStream::~TextStream() {
  if (schema_.release != nullptr) schema_.release(&schema_);
}

bool TextStream::read(Texts& texts) {
  ArrowBatch batch;
  int status = 0;
  {
    const nb::gil_scoped_release others_may_run;  // a reader may wait for a disk or the network
    status = stream_->get_next(stream_, &batch.array);
  }
  if (status != 0) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    const char* why = stream_->get_last_error(stream_);
    refuse(ErrorCode::io, std::string("the Arrow stream can't be read: ") + (why == nullptr ? "" : why));
  }
  if (batch.array.release == nullptr) return false;
  const auto column = [&](std::int64_t child) -> std::pair<const ArrowArray&, std::int64_t> {
    if (child < 0) return {batch.array, batch.array.offset};
    const ArrowArray& array = *batch.array.children[child];
    return {array, array.offset + batch.array.offset};
  };
  const auto [strings, first] = column(text_);
  const ArrowSchema& kind = text_ < 0 ? schema_ : *schema_.children[text_];
  const StringAt read = reader_of(value_format(kind));
  texts.views.reserve(texts.views.size() + static_cast<std::size_t>(batch.array.length));
  for (std::int64_t row = 0; row < batch.array.length; ++row) {
    const std::optional<std::string_view> text = text_at(strings, kind, read, first + row);
    if (!text) refuse_null(rows_ + static_cast<std::uint64_t>(row));
    texts.views.push_back(*text);
  }
  if (id_ >= 0) {
    nb::list ids;
    const auto [array, begin] = column(id_);
    for (std::int64_t i = 0; i < batch.array.length; ++i)
      ids.append(id_at(array, *schema_.children[id_], begin + i));
    ids_ = ids;
  }
  rows_ += static_cast<std::uint64_t>(batch.array.length);
  texts.batches.push_back(std::move(batch));
  return true;
}

void bind_texts(nb::module_& module) {
  nb::class_<Texts>(module, "Texts", "Views of texts, and what keeps their bytes alive.")
      .def_static("from_strings", &from_strings, nb::arg("strings"), nb::arg("first") = 0,
                  "Of an iterable of str. Messages count them from `first`.")
      .def_static("from_arrow", &from_arrow, nb::arg("source"), nb::arg("text"),
                  "Of one column of an object with __arrow_c_stream__, without a copy.")
      .def("__len__", [](const Texts& texts) { return texts.views.size(); })
      .def("ordered", &ordered, nb::arg("positions"), nb::keep_alive<0, 1>(),
           "The same texts in another order, without a copy.")
      .def(
          "__getitem__",
          [](const Texts& texts, std::size_t i) {
            if (i >= texts.views.size()) throw nb::index_error();
            return nb::str(texts.views[i].data(), texts.views[i].size());
          },
          nb::arg("position"))
      .def(
          "address",
          [](const Texts& texts, std::size_t i) {
            if (i >= texts.views.size()) throw nb::index_error();
            return reinterpret_cast<std::uintptr_t>(texts.views[i].data());
          },
          nb::arg("position"), "Where the library will read the text: for tests that nothing is copied.");
  nb::class_<TextStream>(module, "TextStream", "The batches of an Arrow stream.")
      .def(nb::init<nb::object, std::string, std::string, bool>(), nb::arg("source"), nb::arg("text"),
           nb::arg("id"), nb::arg("id_is_asked_for"))
      .def(
          "read",
          [](TextStream& stream) -> std::shared_ptr<Texts> {
            auto texts = std::make_shared<Texts>();
            return stream.read(*texts) ? texts : nullptr;
          },
          nb::sig("def read(self) -> Texts | None"), "The next batch; None at the end.")
      .def("ids", &TextStream::ids, nb::sig("def ids(self) -> list[int | str | None] | None"),
           "The ids of the last batch; None where the stream has none.");
}

}  // namespace leitong::python
