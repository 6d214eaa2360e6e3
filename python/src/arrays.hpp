// Vectors of the library as numpy arrays, without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <leitong/dedup.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace leitong::python {

template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>, nanobind::c_contig>;
/// The argument type of functions: any object that is such an array or can be viewed as one.
template <class T>
using InputArray = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

/// Rows of float16, float32 or float64, which are not copied.
using VectorArray =
    nanobind::ndarray<nanobind::ro, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
inline TextVectors text_vectors(const VectorArray& vectors) {
  const unsigned bits = vectors.dtype().bits;
  return {.numbers = vectors.data(),
          .count = vectors.shape(0),
          .dimensions = vectors.shape(1),
          .number = bits == 16   ? VectorNumber::float16
                    : bits == 32 ? VectorNumber::float32
                                 : VectorNumber::float64};
}

/// The memory of a vector or a string as an array of Element; the array owns it.
template <class Element, class Values>
Array<Element> array_of(Values values) {
  static_assert(sizeof(typename Values::value_type) % sizeof(Element) == 0);
  auto owned = std::make_unique<Values>(std::move(values));
  auto* const data = reinterpret_cast<Element*>(owned->data());
  const std::size_t size = owned->size() * (sizeof(typename Values::value_type) / sizeof(Element));
  const nanobind::capsule owner(owned.get(), [](void* all) noexcept { delete static_cast<Values*>(all); });
  static_cast<void>(owned.release());
  return Array<Element>(data, {size}, owner);
}

template <class T>
Array<T> to_array(std::vector<T> values) {
  return array_of<T>(std::move(values));
}

/// Structs as bytes, which Python views by a structured dtype of the same layout.
template <class Struct>
Array<std::uint8_t> to_bytes(std::vector<Struct> values) {
  return array_of<std::uint8_t>(std::move(values));
}

}  // namespace leitong::python
