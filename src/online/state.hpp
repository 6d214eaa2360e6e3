// What an open index knows beside the texts, and what a batch on its way adds to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
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
  bool removal = false;  ///< it may have changed any answer
  TemplateTable became_templates;
  std::uint64_t templates_version;  ///< of the state after it
};

/// Postings, records and what is known of keys, as far as it is durable.
struct State {
  std::vector<SegmentName> names;
  std::vector<std::shared_ptr<const Segment>> segments;  ///< of the names, the oldest first
  PostingTable table;                                    ///< the postings since
  TextNumber first_record = 0;
  std::vector<TextRecord> records;  ///< of the texts since: [first_record, next())
  std::unordered_set<Key> full;
  TextSet removed;
  Counts counts;
  /// While a source is committed: its first text. Checks see none from there on, nor that keys became full.
  TextNumber visible_end = UINT32_MAX;
  std::unordered_set<Key> hidden_full;
  TemplateTable templates;
  TemplateTable hidden_templates;       ///< while a source is committed: what was learned of its texts
  std::uint64_t templates_version = 0;  ///< rises whenever a shingle becomes a template
  std::uint64_t version = 0;            ///< rises with each change
  std::deque<PastChange> past;          ///< the latest ones, the oldest first
  std::uint64_t history = 0;            ///< what cursors of followers are of
  std::uint64_t first_removal = 0;      ///< the earliest one that is known
  std::uint64_t removals = 0;
  Extent durable;  ///< how far followers are told

  [[nodiscard]] TextNumber next() const noexcept {
    return first_record + static_cast<TextNumber>(records.size());
  }
  [[nodiscard]] Extent extent() const noexcept { return {next(), removals}; }
  /// A text came: its record and its postings. REQUIRES entry.text == next().
  void take(const LogEntry& entry);
  /// Are the answers that looked up these keys in the state of `version` the same now?
  [[nodiscard]] bool unchanged(std::span<const Key> keys, std::uint64_t version) const noexcept;
  /// Did one of these shingles become a template since that version of them? True, too, where nobody knows.
  [[nodiscard]] bool learned_any(std::span<const std::uint32_t> shingles, std::uint64_t since) const noexcept;
};

/// A text of a batch.
struct NewText {
  Row row;
  std::string_view text;
  std::span<const Unit> units;
  TextRecord record;
};

/// What a batch adds, until it is durable. Texts are numbered from `first`.
struct Delta {
  TextNumber first = 0;
  std::vector<NewText> texts;
  std::unordered_map<std::string_view, std::size_t> ids;  ///< -> texts
  PostingTable postings;
  std::vector<LogEntry> log;
  std::unordered_set<Key> full;
  TemplateTable templates;         ///< what was learned
  std::size_t new_templates = 0;   ///< of these, shingles that nobody knew
  TemplateTable became_templates;  ///< of these, shingles that became one
  Counts counts;
  std::uint64_t removals = 0;                       ///< that it adds
  std::optional<std::uint64_t> first_removal = {};  ///< that is known from then on
};

/// What was fetched of an index that lies elsewhere.
class Excerpt {
 public:
  Excerpt() = default;
  virtual ~Excerpt() = default;
  Excerpt(const Excerpt&) = delete;
  Excerpt& operator=(const Excerpt&) = delete;

  /// As find_lists(). `newest`: postings of a batch on its way; may be null.
  virtual Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                                  const PostingTable* newest, PostingLists& lists) const = 0;
  [[nodiscard]] virtual Result<TextRecord> record(TextNumber text) const = 0;
  /// Texts that the index had been given then.
  [[nodiscard]] virtual TextNumber texts() const = 0;
};

/// The two together, for reading. Without a delta: as checks see it.
struct View {
  const State& state;
  const Delta* delta = nullptr;
  const Excerpt* excerpt = nullptr;  ///< has the postings and records, where the state has none

  [[nodiscard]] bool is_full(Key key) const {
    return state.full.contains(key) ||
           (delta != nullptr && (state.hidden_full.contains(key) || delta->full.contains(key)));
  }
  [[nodiscard]] bool knows_templates() const noexcept {
    return state.templates.size() > 0 ||
           (delta != nullptr && (state.hidden_templates.size() > 0 || delta->templates.size() > 0));
  }
  /// Works that a shingle is known to be of.
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
  /// Calls each(i) for the places of those that are templates, in their order.
  template <class Each>
  void for_each_template(std::span<const std::uint32_t> shingles, Each each) const {
    const TemplateTable none;
    const auto known = state.templates.filter(),
               hidden = (delta != nullptr ? state.hidden_templates : none).filter(),
               fresh = (delta != nullptr ? delta->became_templates : none).filter();
    for (std::size_t i = 0; i < shingles.size(); ++i) {
      const std::uint32_t shingle = shingles[i];
      if (static_cast<bool>(known.may_hold(shingle) | hidden.may_hold(shingle) | fresh.may_hold(shingle)) &&
          is_template(shingle)) [[unlikely]]
        each(i);
    }
  }
  /// How many templates in a row are one, among so many texts.
  [[nodiscard]] std::uint32_t least_run() const { return least_template_run(texts()); }
  /// What was known of templates when a text was checked.
  [[nodiscard]] std::uint64_t templates_version() const noexcept {
    return state.templates_version + (delta != nullptr ? delta->became_templates.size() : 0);
  }
  /// As the function of this name.
  Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                          PostingLists& lists) const;
  /// Texts from there on are not visible: additions see all that there is, and checks what is shown.
  [[nodiscard]] TextNumber end() const noexcept {
    return delta != nullptr ? delta->first + static_cast<TextNumber>(delta->texts.size())
                            : std::min(state.visible_end, state.next());
  }
  /// Texts that it had been given, those of a batch on its way among them.
  [[nodiscard]] TextNumber texts() const {
    if (excerpt == nullptr) return end();
    return excerpt->texts() + static_cast<TextNumber>(delta != nullptr ? delta->texts.size() : 0);
  }
  /// Changes that led to what it shows.
  [[nodiscard]] std::uint64_t version() const noexcept { return end() + state.removals; }
  /// REQUIRES a text of the view.
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const;
  /// Has record() of these texts soon find what it reads in the cache.
  void prefetch_records(std::span<const TextNumber> texts) const noexcept;
  /// Null for those of the store.
  [[nodiscard]] const NewText* new_text(TextNumber text) const noexcept {
    return delta != nullptr && text >= delta->first ? &delta->texts[text - delta->first] : nullptr;
  }
};

}  // namespace leitong::online
