// The different texts of a spread run by their numbers, in mapped files.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/try.hpp"
#include "spread/part_file.hpp"
#include "spread/plan.hpp"
#include "spread/rows.hpp"
#include "spread/texts.hpp"

namespace leitong::spread {

/// What `weigh` has written of all texts. For one thread.
class Contents {
 public:
  Contents(const Plan& plan, const Context& context)
      : plan_(plan), files_(plan.parts), texts_(plan, context) {}

  /// The row of a text. Fails with corrupt if there is none.
  Result<const ContentRow*> find(TextNumber text);
  /// The texts of these numbers.
  Result<TextBlock> read(std::span<const TextNumber> texts);
  /// The texts, by records.
  [[nodiscard]] Texts& texts() noexcept { return texts_; }

 private:
  struct Rows {
    PartFile file;
    std::span<const ContentRow> rows;
  };
  const Plan& plan_;
  std::vector<std::optional<Rows>> files_;
  Texts texts_;
};

/// What the keys of all texts are worth, in parts that ascend.
struct Worth {
  std::vector<PartFile> files;
  std::vector<std::span<const TextWorth>> parts;

  static Result<Worth> open(const Plan& plan);
};

/// The number of records of a run, copies included.
Result<std::uint64_t> records_of(const Plan& plan);

/// A range of a column of all parts of a stage, one part after the other.
template <class T>
Result<std::vector<T>> gathered(const Plan& plan, std::string_view stage, const std::string& name,
                                std::uint32_t range) {
  std::vector<T> all;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    LEITONG_ASSIGN(const PartFile file, PartFile::open(plan.file(stage, part)));
    LEITONG_ASSIGN(const auto some, file.range<T>(name, range));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}
/// The same of a packed column.
template <class T>
Result<PodVector<T>> gathered_packed(const Plan& plan, std::string_view stage, const std::string& name,
                                     std::uint32_t range) {
  PodVector<T> all;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    LEITONG_ASSIGN(const PartFile file, PartFile::open(plan.file(stage, part)));
    LEITONG_TRY(file.append_unpacked<T>(name, range, all));
  }
  return all;
}
/// A whole column of all parts.
template <class T>
Result<std::vector<T>> gathered_all(const Plan& plan, std::string_view stage, const std::string& name) {
  std::vector<T> all;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    LEITONG_ASSIGN(const PartFile file, PartFile::open(plan.file(stage, part)));
    LEITONG_ASSIGN(const auto some, file.all<T>(name));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace leitong::spread
