// What an open index holds in memory beside the texts, and what a batch adds to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "online/candidates.hpp"
#include "online/posting_lists.hpp"
#include "online/posting_table.hpp"
#include "online/segment.hpp"
#include "online/store.hpp"
#include "online/template_table.hpp"
#include "online/text_keys.hpp"
#include "similarity/template_rule.hpp"

namespace leitong::online {

/// What a change added to the postings, for checks that began before it.
struct PastChange {
  std::uint64_t version;  ///< of the state after it
  PostingTable postings;
  bool removal = false;  ///< a removal, which may have changed any answer
  TemplateTable became_templates;
  std::uint64_t templates_version;  ///< of the state after it
};

/// Segments and their names, the oldest first.
struct SegmentList {
  std::vector<SegmentName> names;
  std::vector<std::shared_ptr<const Segment>> segments;
};

/// The durable postings, records and knowledge of keys.
struct State {
  SegmentList sealed;
  PostingTable table;  ///< the later postings
  TextNumber first_record = 0;
  std::vector<TextRecord> records;  ///< records of the later texts [first_record, next())
  std::unordered_set<Key> full;
  TextSet removed;
  Counts counts;
  /// The first text of a source that is being committed. Checks do not see texts from there on, nor keys that
  /// became full since.
  TextNumber visible_end = UINT32_MAX;
  std::unordered_set<Key> hidden_full;
  TemplateTable templates;
  TemplateTable hidden_templates;       ///< templates that were learned from a source that is being committed
  std::uint64_t templates_version = 0;  ///< raised whenever a shingle becomes a template
  std::uint64_t version = 0;            ///< raised with each change
  std::deque<PastChange> past;          ///< the latest ones, the oldest first
  std::uint64_t history = 0;            ///< the history to which cursors of followers belong
  std::uint64_t first_removal = 0;      ///< the earliest known removal
  std::uint64_t removals = 0;
  Extent durable;  ///< the extent that followers may see

  [[nodiscard]] TextNumber next() const noexcept {
    return first_record + static_cast<TextNumber>(records.size());
  }
  [[nodiscard]] Extent extent() const noexcept { return {next(), removals}; }
  /// Is a source being committed?
  [[nodiscard]] bool is_committing() const noexcept { return visible_end != UINT32_MAX; }
  /// Adds the record and the postings of a text. REQUIRES entry.text == next().
  void take(const LogEntry& entry);
  /// Would answers that looked up these keys in the state of `version` be the same now?
  [[nodiscard]] bool unchanged(std::span<const Key> keys, std::uint64_t version) const noexcept;
  /// Did one of these shingles become a template since that version? Also true if this is not known.
  [[nodiscard]] bool learned_any(std::span<const std::uint32_t> shingles, std::uint64_t since) const noexcept;
};

/// A text of a batch.
struct NewText {
  Row row;
  std::string_view text;
  std::span<const Unit> units;
  TextRecord record;
};

/// What a batch adds until it is durable. Texts are numbered from `first`.
struct Delta {
  TextNumber first = 0;
  std::vector<NewText> texts;
  std::unordered_map<std::string_view, std::size_t> ids;  ///< -> index in `texts`
  PostingTable postings;
  std::vector<LogEntry> log;
  std::unordered_set<Key> full;
  TemplateTable templates;         ///< templates that were learned
  std::size_t new_templates = 0;   ///< shingles among these that were unknown
  TemplateTable became_templates;  ///< shingles among these that became a template
  Counts counts;
  std::uint64_t removals = 0;
  std::optional<std::uint64_t> first_removal = {};  ///< the first known removal after it
};

/// The part of an index on a server that was read.
class Excerpt {
 public:
  Excerpt() = default;
  virtual ~Excerpt() = default;
  Excerpt(const Excerpt&) = delete;
  Excerpt& operator=(const Excerpt&) = delete;

  /// Does what find_lists() does. `newest`: postings of a batch that is being added; may be null.
  virtual Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                                  const PostingTable* newest, PostingLists& lists) const = 0;
  [[nodiscard]] virtual Result<TextRecord> record(TextNumber text) const = 0;
  /// The number of texts that the index had received.
  [[nodiscard]] virtual TextNumber texts() const = 0;
};

/// State and delta together, for reading. Without a delta: what checks see.
struct View {
  const State& state;
  const Delta* delta = nullptr;
  const Excerpt* excerpt = nullptr;  ///< has the postings and records if the state has none

  [[nodiscard]] bool is_full(Key key) const {
    return state.full.contains(key) ||
           (delta != nullptr && (state.hidden_full.contains(key) || delta->full.contains(key)));
  }
  [[nodiscard]] bool knows_templates() const noexcept {
    return state.templates.size() > 0 ||
           (delta != nullptr && (state.hidden_templates.size() > 0 || delta->templates.size() > 0));
  }
  /// The number of works that are known to hold a shingle.
  [[nodiscard]] Works works(std::uint32_t shingle) const noexcept {
    if (delta != nullptr) {
      for (const TemplateTable* changes : {&delta->templates, &state.hidden_templates})
        if (const Works works = changes->works(shingle); works > 0) return works;
    }
    return state.templates.works(shingle);
  }
  [[nodiscard]] bool is_template(std::uint32_t shingle) const noexcept {
    return state.templates.is_template(shingle) ||
           (delta != nullptr &&
            (delta->became_templates.is_template(shingle) || state.hidden_templates.is_template(shingle)));
  }
  /// Calls each(i) for the indexes of the templates, in order.
  template <class Each>
  void for_each_template(std::span<const std::uint32_t> shingles, Each each) const {
    const TemplateTable none;
    const auto known = state.templates.filter(),
               hidden = (delta != nullptr ? state.hidden_templates : none).filter(),
               fresh = (delta != nullptr ? delta->became_templates : none).filter();
    for (std::size_t i = 0; i < shingles.size(); ++i) {
      const std::uint32_t shingle = shingles[i];
      if ((int{known.may_hold(shingle)} | int{hidden.may_hold(shingle)} | int{fresh.may_hold(shingle)}) !=
              0 &&
          is_template(shingle)) [[unlikely]]
        each(i);
    }
  }
  /// The least run of template shingles that counts as a template, in an index of so many texts.
  [[nodiscard]] LeastRun least_run() const { return least_template_run(texts()); }
  /// The version of the templates at a check.
  [[nodiscard]] std::uint64_t templates_version() const noexcept {
    return state.templates_version + (delta != nullptr ? delta->became_templates.size() : 0);
  }
  /// Does what the free function find_lists() does.
  Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                          PostingLists& lists) const;
  /// Texts from this one on are not visible: additions see all texts, checks see those that are shown.
  [[nodiscard]] TextNumber end() const noexcept {
    return delta != nullptr ? delta->first + static_cast<TextNumber>(delta->texts.size())
                            : std::min(state.visible_end, state.next());
  }
  /// The number of texts that it has received, those of the current batch included.
  [[nodiscard]] TextNumber texts() const {
    if (excerpt == nullptr) return end();
    return excerpt->texts() + static_cast<TextNumber>(delta != nullptr ? delta->texts.size() : 0);
  }
  /// The number of changes that led to what it shows.
  [[nodiscard]] std::uint64_t version() const noexcept { return end() + state.removals; }
  /// REQUIRES a text of the view.
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const;
  /// Prefetches what record() of these texts reads.
  void prefetch_records(std::span<const TextNumber> texts) const noexcept;
  /// Null for texts of the store.
  [[nodiscard]] const NewText* new_text(TextNumber text) const noexcept {
    return delta != nullptr && text >= delta->first ? &delta->texts[text - delta->first] : nullptr;
  }
};

}  // namespace leitong::online
