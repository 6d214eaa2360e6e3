// The files that the parts of a spread run exchange: columns of plain values, each divided into ranges.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/section_file.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"

namespace leitong::spread {

/// Values for each range.
template <class T>
using Ranged = std::vector<std::vector<T>>;

template <class T>
[[nodiscard]] std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// Appends a frame with these bytes, which are values of `unit` bytes each.
Result<void> append_packed(std::string_view bytes, std::size_t unit, std::vector<char>& packed);

/// Ranges of values of which most bytes are 0, compressed piece by piece.
template <class T>
class PackedRanges {
 public:
  explicit PackedRanges(std::size_t ranges) : packed_(ranges) {}
  /// Appends a piece to a range.
  Result<void> append(std::size_t range, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return append_packed(bytes_of(values), sizeof(T), packed_[range]);
  }
  [[nodiscard]] const Ranged<char>& packed() const noexcept { return packed_; }

 private:
  Ranged<char> packed_;
};

/// Writes such a file, which appears complete or not at all and replaces an older one.
class PartWriter {
 public:
  /// Makes the file's folder if it is missing.
  static Result<PartWriter> create(const std::filesystem::path& path, const Context& context);

  /// A column, its ranges one after the other.
  template <class T>
  Result<void> put(const std::string& name, const Ranged<T>& ranges) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::uint64_t> begins = {0};
    for (const std::vector<T>& range : ranges) begins.push_back(begins.back() + range.size());
    LEITONG_TRY(sections_.section(name + "@", std::span<const std::uint64_t>(begins)));
    LEITONG_TRY(sections_.begin(name));
    for (const std::vector<T>& range : ranges)
      LEITONG_TRY(sections_.append(bytes_of(std::span<const T>(range))));
    return {};
  }
  /// A column that is not divided.
  template <class T>
  Result<void> put(const std::string& name, const std::vector<T>& values) {
    LEITONG_TRY(sections_.begin(name));
    return sections_.append(bytes_of(std::span<const T>(values)));
  }
  /// A column whose ranges are compressed.
  template <class T>
  Result<void> put(const std::string& name, const PackedRanges<T>& ranges) {
    return put(name, ranges.packed());
  }
  /// Bytes of a column that is written piece by piece: see SectionWriter.
  [[nodiscard]] SectionWriter& sections() noexcept { return sections_; }
  /// Puts the file in place. At most once.
  Result<void> finish();

 private:
  PartWriter(std::unique_ptr<OutputFile> file, SectionWriter sections)
      : file_(std::move(file)), sections_(std::move(sections)) {}

  std::unique_ptr<OutputFile> file_;
  SectionWriter sections_;
};

/// Such a file, mapped.
class PartFile {
 public:
  /// Fails with not_found, saying that a stage is missing, if there is none.
  static Result<PartFile> open(const std::filesystem::path& path);

  /// A range of a column. Its checksums are verified.
  template <class T>
  [[nodiscard]] Result<std::span<const T>> range(const std::string& name, std::uint32_t number) const {
    LEITONG_ASSIGN(const auto begins, file_.section<std::uint64_t>(name + "@"));
    LEITONG_ASSIGN(const auto values, file_.section<T>(name));
    if (number + std::size_t{1} >= begins.size() || begins[number] > begins[number + 1] ||
        begins[number + 1] > values.size())
      return damaged(name);
    const auto found = values.subspan(begins[number], begins[number + 1] - begins[number]);
    LEITONG_TRY(file_.check(std::as_bytes(found)));
    return found;
  }
  /// A whole column, divided or not. Its checksums are verified.
  template <class T>
  [[nodiscard]] Result<std::span<const T>> all(const std::string& name) const {
    LEITONG_ASSIGN(const auto values, file_.section<T>(name));
    LEITONG_TRY(file_.check(std::as_bytes(values)));
    return values;
  }
  /// A whole column of which little will be read: nothing is verified.
  template <class T>
  [[nodiscard]] Result<std::span<const T>> mapped(const std::string& name) const {
    return file_.section<T>(name);
  }
  /// Verifies the checksums of a part of a mapped column.
  template <class T>
  [[nodiscard]] Result<void> check(std::span<const T> part) const {
    return file_.check(std::as_bytes(part));
  }
  /// Appends a range of a column of PackedRanges.
  template <class T>
  Result<void> append_unpacked(const std::string& name, std::uint32_t number, PodVector<T>& values) const {
    LEITONG_ASSIGN(const auto range_of_column, range<char>(name, number));
    for (std::string_view packed(range_of_column.data(), range_of_column.size()); !packed.empty();) {
      LEITONG_ASSIGN(const Frame frame, take_frame(packed, sizeof(T)));
      const std::size_t before = values.size();
      values.resize_for_overwrite(before + frame.size / sizeof(T));
      LEITONG_TRY(unpack(frame, sizeof(T), reinterpret_cast<char*>(values.data() + before)));
    }
    return {};
  }

 private:
  explicit PartFile(SectionFile file) : file_(std::move(file)) {}
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view name) const;
  // A piece of a packed range, and the bytes of its values.
  struct Frame {
    std::string_view packed;
    std::size_t size;
  };
  [[nodiscard]] Result<Frame> take_frame(std::string_view& packed, std::size_t unit) const;
  [[nodiscard]] Result<void> unpack(const Frame& frame, std::size_t unit, char* to) const;

  SectionFile file_;
};

}  // namespace leitong::spread
