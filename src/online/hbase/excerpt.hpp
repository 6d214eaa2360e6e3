// The part of an index on HBase that a check of texts needs: who posted their keys, and what is known of
// these texts. What is missing is noted when it is asked for; fetch() reads all of that at once, and the
// check is repeated. Texts are numbered in the order of their names, until the next fetch().
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

  /// A text and its compressed bytes.
  struct Whole {
    HBaseKnown known;
    std::string packed;
  };

  /// The requests of one text.
  class Asking;

  /// Notes keys whose texts will be needed.
  void want(std::span<const Key> keys);
  /// The text that holds the content of this key. Without this call the content has no representative.
  void set_representative(Key content, const HBaseName& name);
  /// A text that need not be read.
  void set_whole(Whole text);
  /// The family of a text that will be settled.
  void set_family(const std::string& id, const HBaseName& first);
  /// Discards what is known of the representatives of these keys.
  void forget(std::span<const Key> keys);

  /// Reads what was missing since the last call. False if nothing was. Fails as the link does.
  Result<bool> fetch();
  /// The newly full keys: at least kFull texts posted them and are still found by them.
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
    bool looked_at = false;  ///< it is known whether the list is full
  };
  Result<void> fetch_lists(const std::vector<Key>& keys);
  Result<void> fetch_some(std::span<const Key> keys, std::span<List*> lists);
  Result<void> fetch_texts(const std::vector<std::string>& ids);
  void number_all();

  const Context& context_;
  HBaseLink& link_;
  const bool wide_;
  std::unordered_map<Key, List> lists_;
  std::unordered_map<Key, HBaseName> representatives_;
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
  /// Decides by the name, and, for a text that is compared, by its entry.
  struct Sees {
    std::function<Sight(const HBaseName&)> named;
    std::function<Sight(const HBaseName&, const HBaseKnown&)> read;
  };
  /// `content`: its key, which is not posted; `before`: number of texts that the index has received.
  Asking(HBaseExcerpt& excerpt, Key content, TextNumber before, Sees sees)
      : excerpt_(excerpt), content_(content), before_(before), sees_(std::move(sees)) {}

  Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                          const PostingTable* newest, PostingLists& lists) const override;
  [[nodiscard]] TextNumber texts() const override { return before_; }
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const override;
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const override;
  // These are not used.
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view) const override {
    return std::optional<TextNumber>();
  }
  [[nodiscard]] Result<TextNumber> representative(TextNumber slot) const override { return slot; }

  /// Was something missing?
  [[nodiscard]] bool lacked() const noexcept { return !keys_.empty() || !texts_.empty(); }
  [[nodiscard]] bool lacked_texts() const noexcept { return !texts_.empty(); }
  /// Notes with the excerpt what was missing.
  void note() {
    excerpt_.wanted_keys_.insert(keys_.begin(), keys_.end());
    excerpt_.wanted_texts_.insert(texts_.begin(), texts_.end());
  }
  /// Did a text turn out not to count? Then another one may take its place, and the check must be repeated.
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
