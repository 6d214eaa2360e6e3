// What texts need of an index on HBase that compares texts: who posted their keys, and what is known of
// these. What isn't here yet is noted when it is asked for; fetch() gets all of that at once, and the texts
// are worked out again. Texts have numbers in the order of their names, which hold until the next fetch().
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/run_context.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"
#include "online/hbase/entry.hpp"
#include "online/hbase/keys.hpp"
#include "online/hbase/link.hpp"
#include "online/rows.hpp"
#include "online/state.hpp"

namespace leitong::online {

/// The postings of a key: the row and the column that have it.
[[nodiscard]] HBaseRow posting_cell(Key key, bool wide, const HBaseName& name, const TextRecord& record);

class HBaseExcerpt {
 public:
  HBaseExcerpt(const Context& context, HBaseLink& link, bool wide)
      : context_(context), link_(link), wide_(wide) {}

  /// A text, and its compressed bytes.
  struct Whole {
    HBaseKnown known;
    std::string packed;
  };

  /// What one text asks for.
  class Asking;

  /// Notes keys whose texts will be asked for.
  void want(std::span<const Key> keys);
  /// The text that holds the content of this key; without it the content has no holder.
  void set_holder(Key content, const HBaseName& name);
  /// Texts that needn't be read.
  void set_whole(Whole text);
  /// The family of a text that will be settled.
  void set_family(const std::string& id, const HBaseName& first);
  /// Forgets who posted these keys.
  void forget(std::span<const Key> keys);

  /// Gets what was asked for in vain since the last call. False if there was nothing. Fails as the link does.
  Result<bool> fetch();
  /// Keys that so many texts, or more, posted that still are found by them, as far as it is new.
  Result<std::vector<Key>> newly_full();

  [[nodiscard]] const HBaseName& name_of(TextNumber text) const { return names_[text]; }
  /// REQUIRES that it was read.
  [[nodiscard]] const HBaseKnown& known(TextNumber text) const { return texts_.at(names_[text].id).known; }

 private:
  struct Posted {
    HBaseName name;
    TextRecord record;
  };
  struct List {
    std::vector<Posted> posted;
    std::vector<TextNumber> numbers;
    bool looked_at = false;  ///< whether it is full is known
  };
  Result<void> fetch_lists(const std::vector<Key>& keys);
  Result<void> fetch_some(std::span<const Key> keys, std::span<List*> lists);
  Result<void> fetch_texts(const std::vector<std::string>& ids);
  void number_all();

  const Context& context_;
  HBaseLink& link_;
  const bool wide_;
  std::unordered_map<Key, List> lists_;
  std::unordered_map<Key, HBaseName> holders_;
  std::vector<HBaseName> names_;
  std::vector<TextRecord> records_;
  std::unordered_map<std::string, Whole> texts_;
  std::unordered_map<std::string, TextNumber> families_;  // by the bytes of their first names
  std::unordered_set<Key> wanted_keys_;
  std::unordered_set<std::string> wanted_texts_;
  bool numbered_ = true;
};

class HBaseExcerpt::Asking final : public Excerpt, public Rows {
 public:
  /// Does a text of a list count?
  enum class Sight : std::uint8_t { counts, hidden };
  /// By its name, and then, if it is compared, by what is known of it.
  struct Sees {
    std::function<Sight(const HBaseName&)> named;
    std::function<Sight(const HBaseName&, const HBaseKnown&)> read;
  };
  /// `content`: its key, which nobody posts; `before`: how many texts the index had been given.
  Asking(HBaseExcerpt& excerpt, Key content, TextNumber before, Sees sees)
      : excerpt_(excerpt), content_(content), before_(before), sees_(std::move(sees)) {}

  Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                          const PostingTable* newest, PostingLists& lists) const override;
  [[nodiscard]] TextNumber texts() const override { return before_; }
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const override;
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const override;
  // Nobody asks for these.
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view) const override {
    return std::optional<TextNumber>();
  }
  [[nodiscard]] Result<TextNumber> holder(TextNumber seat) const override { return seat; }

  /// Was something missing?
  [[nodiscard]] bool lacked() const noexcept { return !keys_.empty() || !texts_.empty(); }
  [[nodiscard]] bool lacked_texts() const noexcept { return !texts_.empty(); }
  /// Notes with the excerpt what was.
  void note() {
    excerpt_.wanted_keys_.insert(keys_.begin(), keys_.end());
    excerpt_.wanted_texts_.insert(texts_.begin(), texts_.end());
  }
  /// Did a text turn out not to count? Then another one may have its place: the check is to be done again.
  [[nodiscard]] bool again() { return !lacked() && std::exchange(hid_, false); }

 private:
  HBaseExcerpt& excerpt_;
  const Key content_;
  const TextNumber before_;
  const Sees sees_;
  mutable std::unordered_set<TextNumber> hidden_;
  mutable std::vector<Key> keys_;
  mutable std::vector<std::string> texts_;
  mutable bool hid_ = false;
};

}  // namespace leitong::online
