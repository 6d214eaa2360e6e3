// The scheme of an index decides what is used of a text, which texts are similar, and what a text posts. A
// new scheme is one file and a line in index_scheme.cpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/check_text.hpp"
#include "online/index_spec.hpp"
#include "online/state.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// The scheme of one index. Many threads may check; changes run one at a time.
class IndexScheme {
 public:
  virtual ~IndexScheme() = default;
  IndexScheme(const IndexScheme&) = delete;
  IndexScheme& operator=(const IndexScheme&) = delete;

  [[nodiscard]] const IndexSpec& spec() const noexcept { return spec_; }

  /// Makes the keys of a text, or of its stamp if it has one. May refuse the text.
  virtual void prepare(const Secret& secret, CheckedText& text, CheckScratch& scratch) const = 0;

  /// The number of texts that are best checked together.
  [[nodiscard]] virtual std::size_t group() const noexcept { return 1; }
  /// Is it useful to check texts on several threads before it is known which others come first?
  [[nodiscard]] virtual bool checks_ahead() const noexcept { return true; }
  /// Checks prepared texts. `explanation` may be null; it is for a single text.
  virtual Result<void> check(const View& view, const Rows& rows, CheckScratch& scratch,
                             std::span<CheckedText* const> texts, Explanation* explanation) const = 0;

  /// The record of a text: what is known of it without reading it. REQUIRES a prepared text.
  [[nodiscard]] virtual TextRecord record(const CheckedText& text) const = 0;

  /// Puts into the record what the answer for a match needs of the text, if there is room for it, so that its
  /// row need not be read. REQUIRES the record of the text with this row.
  virtual void keep_row(const Row&, TextNumber, TextRecord&) const {}
  /// Is it the record of this text? REQUIRES a prepared text.
  [[nodiscard]] virtual bool is_record_of(const TextRecord& made, const CheckedText& text, const Row&,
                                          TextNumber) const {
    return made == record(text);
  }

  /// Posts what later texts need to find this one, in `entry` and in the scheme's own data. Copies find it,
  /// and similar texts do if it `stands` for a family. The scheme's own data become valid with the entry.
  /// REQUIRES a checked text whose record is entry.record.
  virtual Result<void> post(const CheckedText& text, bool stands, const View& view, Delta& delta,
                            LogEntry& entry) = 0;

  // The scheme's own data beside postings and records, in a folder within that of the index. By default there
  // are none.
  enum class Loading : std::uint8_t {
    usual,    ///< open them, or build them if they are missing
    anew,     ///< build them
    to_read,  ///< like `usual`, but without changes in the folder
  };
  /// Loads the data for the contents of the state, whose texts the rows have.
  virtual Result<void> load(const Context&, const std::filesystem::path&, const State&, const Rows&,
                            Loading) {
    return {};
  }
  /// After this the scheme does not need the log of postings.
  virtual Result<void> flush() { return {}; }
  /// Frees the space of removed texts.
  virtual Result<void> compact(const State&) { return {}; }
  /// Is this text found by what it posted?
  [[nodiscard]] virtual Result<bool> holds(const TextRecord&, TextNumber) const { return true; }
  virtual void add_figures(Figures&) const {}

 protected:
  explicit IndexScheme(IndexSpec spec) : spec_(std::move(spec)) {}

 private:
  const IndexSpec spec_;
};

/// Fails with unsupported if passages are wanted of an index that keeps no texts.
Result<void> check_wanted(const IndexScheme& scheme, const Wanted& wanted);

[[nodiscard]] CheckedText checked_of(const Text& text, Look look);
/// The same, reusing the working space of another text.
void begin_check(const Text& text, Look look, CheckedText& checked);
/// Refuses texts that no index accepts, and makes the keys of others; packs texts that are to be added and
/// kept.
void prepare_text(const IndexScheme& scheme, const Secret& secret, bool to_be_added, CheckedText& text,
                  CheckScratch& scratch);

/// The scheme of a new index, or of one that was made by `stored`. Fails with invalid_argument for a scheme
/// without an index, and if the settings ask for another scheme than the index's.
Result<std::unique_ptr<IndexScheme>> open_index_scheme(const Context& context, const Settings& settings,
                                                       const std::filesystem::path& place,
                                                       const std::optional<IndexSpec>& stored);

}  // namespace leitong::online
