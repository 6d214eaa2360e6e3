// NumPy files in the form that numpy.save() writes.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace leitong::test {

/// `shape`: "(2, 3)"; `type`: "<f4".
inline std::string npy_bytes(std::string_view type, std::string_view shape, std::string_view numbers,
                             bool fortran = false) {
  std::string header = "{'descr': '" + std::string(type) +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + std::string(shape) + ", }";
  header.append(64 - (10 + header.size() + 1) % 64, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + std::string(numbers);
}

template <class T>
std::string bytes_of(std::span<const T> numbers) {
  std::string bytes(numbers.size_bytes(), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// Rows of float32.
inline std::string npy_rows(std::span<const float> numbers, std::size_t dimensions) {
  return npy_bytes(
      "<f4", "(" + std::to_string(numbers.size() / dimensions) + ", " + std::to_string(dimensions) + ")",
      bytes_of(numbers));
}

}  // namespace leitong::test
