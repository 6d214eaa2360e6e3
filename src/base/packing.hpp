// Plain values as bytes and back. Little-endian, as all supported machines.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// The bytes of a value in memory.
template <class T>
[[nodiscard]] std::string_view value_bytes(const T& value) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// Takes the first bytes of `bytes` as a T. False if there are too few.
template <class T>
[[nodiscard]] bool take_value(std::string_view& bytes, T& value) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  if (bytes.size() < sizeof value) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

/// Appends values to `bytes`, each array after its length, without padding between values: the files of
/// stages.
class Packer {
 public:
  explicit Packer(std::string& bytes) : bytes_(bytes) {}

  template <class T>
  void value(const T& value) {
    bytes_.append(value_bytes(value));
  }
  template <class T>
  void array(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    value<std::uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void text(std::string_view text) { array(std::span<const char>(text.data(), text.size())); }

 private:
  std::string& bytes_;
};

/// Reads them in the same order. If there are too few bytes, every value is 0, every array is empty, and
/// done() fails.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T value() {
    T value{};
    if (short_ || !take_value(left_, value)) short_ = true;
    return value;
  }
  /// Into a std::vector or PodVector of T.
  template <class Container>
  void array(Container& values) {
    const std::string_view bytes = array_bytes(sizeof(*values.data()));
    const std::size_t size = bytes.size() / sizeof(*values.data());
    if constexpr (requires { values.resize_for_overwrite(size); })
      values.resize_for_overwrite(size);
    else
      values.resize(size);
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  std::string_view text() { return array_bytes(1); }

  /// Fails with corrupt unless all values were there and no bytes are left.
  [[nodiscard]] Result<void> done() const {
    if (short_ || !left_.empty())
      return fail(ErrorCode::corrupt, "a stage's file does not hold what it should");
    return {};
  }

 private:
  std::string_view array_bytes(std::size_t unit) {
    const auto count = value<std::uint64_t>();
    if (count > left_.size() / unit) short_ = true;
    if (short_) return {};
    const std::string_view bytes = left_.substr(0, count * unit);
    left_.remove_prefix(bytes.size());
    return bytes;
  }

  std::string_view left_;
  bool short_ = false;
};

}  // namespace leitong
