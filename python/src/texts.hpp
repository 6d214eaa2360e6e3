// Texts of Python objects in the form that the library needs: views, and the objects that own the bytes.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_abi.h"

namespace leitong::python {

/// One Arrow array, released at the end.
class ArrowBatch {
 public:
  ArrowBatch() = default;
  ArrowBatch(ArrowBatch&& other) noexcept : array(other.array) { other.array.release = nullptr; }
  ArrowBatch(const ArrowBatch&) = delete;
  ArrowBatch& operator=(const ArrowBatch&) = delete;
  ArrowBatch& operator=(ArrowBatch&&) = delete;
  ~ArrowBatch() {
    if (array.release != nullptr) array.release(&array);
  }

  ArrowArray array = {};
};

/// Bound as leitong._leitong.Texts. UTF-8 that other objects own is not copied: Arrow buffers, and str
/// objects of ASCII. Other str objects hold no UTF-8, so they are encoded.
struct Texts {
  Texts() = default;
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;
  ~Texts() = default;

  std::vector<std::string_view> views;
  std::vector<nanobind::object> objects;  // objects that own the bytes
  std::vector<ArrowBatch> batches;        // the same for Arrow
};

/// Bound as leitong._leitong.TextStream: batches of one column of an Arrow stream, one after the other.
class TextStream {
 public:
  /// `source` has __arrow_c_stream__: of a struct, which is a table, or of strings. `id` is empty for none. A
  /// column of ids that holds neither strings nor integers is refused if it was requested, and ignored
  /// otherwise.
  TextStream(nanobind::object source, std::string text, std::string id, bool id_is_asked_for);
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;
  ~TextStream();

  /// Adds the next batch's texts to `texts`; false at the end of the stream.
  bool read(Texts& texts);
  /// The ids of the last batch, a list of int or str; None if the stream has no such column.
  [[nodiscard]] nanobind::object ids() const { return ids_; }

 private:
  nanobind::object capsule_;  // owns the stream
  ArrowArrayStream* stream_ = nullptr;
  ArrowSchema schema_ = {};
  std::string text_name_;
  std::int64_t text_ = -1, id_ = -1;  // children of the struct; -1: the array itself, or none
  nanobind::object ids_ = nanobind::none();
  std::uint64_t rows_ = 0;
};

void bind_texts(nanobind::module_& module);

}  // namespace leitong::python
