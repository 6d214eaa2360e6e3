// The compiled dictionary of a segmenter, mapped from its file and shared by processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "io/section_file.hpp"
#include "leitong/result.hpp"
#include "text/segment/model_sections.hpp"
#include "text/segment/tables.hpp"

namespace leitong {

/// Words have ids below size(). What is known about words is in arrays by id. Immutable and thread-safe.
class SegmentModel {
 public:
  /// Maps the file. Everything that decides where texts are cut is compared with its checksums. Of the other
  /// values only the sizes are checked; see verify(). Under a millisecond. Fails as SectionFile does, and
  /// with corrupt for arrays whose sizes do not match.
  static Result<std::shared_ptr<const SegmentModel>> open(const std::filesystem::path& path);

  /// Maps an open file, whose name is only for messages. The caller keeps the descriptor.
  static Result<std::shared_ptr<const SegmentModel>> open(int fd, const std::filesystem::path& path);

  /// Compares the rest with its checksums as well, for callers that use hashes, ranks or tags. A millisecond
  /// or two.
  Result<void> verify() const { return file_.verify(); }

  [[nodiscard]] const SegmentTables& tables() const noexcept { return tables_; }
  [[nodiscard]] const ModelCounts& counts() const noexcept { return *counts_; }
  [[nodiscard]] const ModelNumbers& numbers() const noexcept { return *numbers_; }
  [[nodiscard]] std::string_view about() const noexcept { return about_; }
  [[nodiscard]] const SectionFile& file() const noexcept { return file_; }

  [[nodiscard]] Symbol symbol(std::uint32_t point) const noexcept {
    return point < 0x10000 ? tables_.symbols[point] : symbol_above(tables_, point);
  }

  /// The word of these symbols, or kNoWord.
  [[nodiscard]] std::uint32_t find(std::span<const Symbol> symbols) const noexcept;
  /// The word of this text, which must be a token of a cut, or kNoWord.
  [[nodiscard]] std::uint32_t find(std::string_view text) const noexcept;
  /// The ASCII word of at least two characters with this text and word_hash().
  [[nodiscard]] std::uint32_t find_ascii(std::string_view text, std::uint64_t hash) const noexcept;

  [[nodiscard]] std::uint32_t size() const noexcept { return counts_->words; }
  [[nodiscard]] std::string_view text(std::uint32_t id) const noexcept {
    return {texts_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]};
  }
  [[nodiscard]] const WordTerm& term(std::uint32_t id) const noexcept { return terms_[id]; }
  [[nodiscard]] const WordRank& rank(std::uint32_t id) const noexcept { return ranks_[id]; }
  [[nodiscard]] std::uint8_t flags(std::uint32_t id) const noexcept { return flags_[id]; }
  /// jieba's part of speech; empty if the dictionary has none.
  [[nodiscard]] std::string_view tag(std::uint32_t id) const noexcept;

  /// Word ids by the slots of find_pair().
  [[nodiscard]] const std::uint32_t* pair_words() const noexcept { return pair_words_.data(); }

 private:
  explicit SegmentModel(SectionFile file) : file_(std::move(file)) {}
  static Result<std::shared_ptr<const SegmentModel>> open(SectionFile file);
  Result<void> read_tables();
  Result<void> read_words();
  Result<void> check_tables() const;
  Result<void> check_words() const;
  [[nodiscard]] tl::unexpected<Error> inconsistent(std::string_view what) const;
  template <class T>
  Result<std::span<const T>> checked(std::string_view name, std::size_t size) const;

  SectionFile file_;
  SegmentTables tables_{};
  const ModelCounts* counts_ = nullptr;
  const ModelNumbers* numbers_ = nullptr;
  std::string_view about_;
  std::span<const SymbolAbove> above_;
  std::span<const std::uint32_t> pairs_, pair_rows_, longer_, longer_rows_, pilots_;
  std::span<const std::uint32_t> pair_words_, longer_words_, single_words_;
  std::span<const Symbol> symbols_, text_symbols_;
  std::span<const std::uint32_t> offsets_, ascii_words_;
  std::span<const char> texts_, tag_texts_;
  std::span<const WordTerm> terms_;
  std::span<const WordRank> ranks_;
  std::span<const std::uint8_t> flags_;
  std::span<const std::uint16_t> tags_;
  std::vector<std::string_view> tag_names_;
};

/// Identifies the words of a dictionary: a digest of the files from which it was compiled, by their content
/// and their roles. Names of files and the version of the compiled form do not matter.
[[nodiscard]] std::uint64_t dictionary_id(const SegmentModel& dictionary);

}  // namespace leitong
