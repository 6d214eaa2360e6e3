// What an index goes by: what is looked at of a text, who is similar to it, and what it leaves for later
// ones. Another scheme is one file and a line in index_scheme.cpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/check_text.hpp"
#include "online/maker.hpp"
#include "online/state.hpp"
#include "online/text_keys.hpp"

namespace leitong::online {

/// Of one index. Many threads may check; what changes something takes turns.
class IndexScheme {
 public:
  virtual ~IndexScheme() = default;
  IndexScheme(const IndexScheme&) = delete;
  IndexScheme& operator=(const IndexScheme&) = delete;

  [[nodiscard]] const Maker& maker() const noexcept { return maker_; }

  /// Makes the keys of a text, or of its stamp where it has one. May refuse it.
  virtual void prepare(const Secret& secret, CheckedText& text, CheckScratch& scratch) const = 0;

  /// Texts that are best checked together.
  [[nodiscard]] virtual std::size_t group() const noexcept { return 1; }
  /// Is it worth while to check texts beside other threads, before it is known which others come first?
  [[nodiscard]] virtual bool checks_ahead() const noexcept { return true; }
  /// Checks texts that are prepared. What led to the answer goes to `explanation`, if there is one, for a
  /// text alone.
  virtual Result<void> check(const View& view, const Rows& rows, CheckScratch& scratch,
                             std::span<CheckedText* const> texts, Explanation* explanation) const = 0;

  /// What is known of a text without reading it. REQUIRES one that is prepared.
  [[nodiscard]] virtual TextRecord record(const CheckedText& text) const = 0;

  /// Puts into the record what a match tells of the text, if there is room for it: so that its row need not
  /// be read. REQUIRES the record of the text with this row.
  virtual void keep_row(const Row&, TextNumber, TextRecord&) const {}
  /// Is it the record of this text? REQUIRES one that is prepared.
  [[nodiscard]] virtual bool is_record_of(const TextRecord& made, const CheckedText& text, const Row&,
                                          TextNumber) const {
    return made == record(text);
  }

  /// What a text leaves for later ones, in `entry` and beside it: how its copies find it, and if it `stands`
  /// for a family those that are similar. What is beside it counts when the entry does.
  /// REQUIRES that the text was checked, and that entry.record is its record.
  virtual Result<void> post(const CheckedText& text, bool stands, const View& view, Delta& delta,
                            LogEntry& entry) = 0;

  // What the scheme keeps beside postings and records, in a folder of its own in the index's: nothing, unless
  // it says otherwise.
  enum class Loading : std::uint8_t {
    usual,    ///< it is opened, or made where it is missing
    anew,     ///< it is made
    to_read,  ///< as usual, but nothing in the folder changes
  };
  /// Of what the state holds.
  virtual Result<void> load(const Context&, const std::filesystem::path&, const State&, Loading) {
    return {};
  }
  /// From here on it doesn't need the log of what was posted.
  virtual Result<void> flush() { return {}; }
  /// Gives up the space of texts that were removed.
  virtual Result<void> compact(const State&) { return {}; }
  /// Is this text found by what was posted of it?
  [[nodiscard]] virtual Result<bool> holds(const TextRecord&, TextNumber) const { return true; }
  virtual void add_figures(Figures&) const {}

 protected:
  explicit IndexScheme(Maker maker) : maker_(std::move(maker)) {}

 private:
  const Maker maker_;
};

/// Fails with unsupported where passages are wanted of an index that keeps no texts.
Result<void> check_wanted(const IndexScheme& scheme, const Wanted& wanted);

/// What was given of a text.
[[nodiscard]] CheckedText checked_of(const Text& text, Look look);
/// The same in place of another text, whose working space it takes over.
void begin_check(const Text& text, Look look, CheckedText& checked);
/// Refuses what no index takes, and makes the keys of the rest; packs texts that are to be added and kept.
void prepare_text(const IndexScheme& scheme, const Secret& secret, bool to_be_added, CheckedText& text,
                  CheckScratch& scratch);

/// The scheme of a new index, or of one that was made by `stored`. Fails with invalid_argument for a scheme
/// that has no index, and where the settings ask for another one than the index's.
Result<std::unique_ptr<IndexScheme>> open_index_scheme(const Context& context, const Settings& settings,
                                                       const std::filesystem::path& place,
                                                       const std::optional<Maker>& stored);

}  // namespace leitong::online
