// The part of an index on HBase that a check of texts needs: the texts that posted the same keys, and what is
// known of them. What is missing is noted when it is asked for; fetch() reads all of that at once, and the
// check is repeated. Texts are numbered in the order of their names, until the next fetch().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "io/run_context.hpp"
#include "leitong/context.hpp"
#include "leitong/result.hpp"
#include "online/hbase/entry.hpp"
#include "online/hbase/keys.hpp"
#include "online/hbase/link.hpp"
#include "online/row.hpp"
#include "online/state.hpp"

namespace leitong::online {

/// The postings of a key: the row and the column that have it.
[[nodiscard]] HBaseRow posting_cell(Key key, bool wide, const HBaseName& name, const TextRecord& record);

class HBaseExcerpt {
 public:
  /// `texts`: number of texts that the index has received.
  HBaseExcerpt(const Context& context, HBaseLink& link, bool wide, TextNumber texts)
      : context_(context), link_(link), wide_(wide), received_(texts) {}

  /// The requests of one text.
  class Asking;

  /// Notes keys whose texts will be needed.
  void want(std::span<const Key> keys);
  /// Adds a text that represents a content with this key; empty if no text does. Contents that differ in
  /// signs have one key.
  void add_representative(Key content, const HBaseName& name);

  /// Reads everything that was found missing since the last call. False if nothing was missing. Fails as the
  /// link does.
  Result<bool> fetch();
  /// The newly full keys: at least kFull texts posted them.
  std::vector<Key> newly_full();

  /// Texts and families have smaller numbers.
  [[nodiscard]] TextNumber end() const noexcept { return static_cast<TextNumber>(names_.size()); }
  /// The first name of a family that a row named.
  [[nodiscard]] const HBaseName& family(TextNumber family) const { return families_[family]; }

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
  struct Whole {
    std::optional<HBaseText> entry;
    std::string packed;
  };
  Result<void> fetch_lists(const std::vector<Key>& keys);
  Result<void> fetch_some(std::span<const Key> keys, std::span<List> lists);
  Result<void> fetch_texts(const std::vector<std::string>& ids);
  void number_all();
  TextNumber number_of(const HBaseName& name) const;

  const Context& context_;
  HBaseLink& link_;
  const bool wide_;
  const TextNumber received_;
  std::unordered_map<Key, List> lists_;
  std::unordered_map<Key, std::vector<HBaseName>> representatives_;
  std::vector<HBaseName> names_;
  std::vector<TextRecord> records_;
  std::unordered_map<std::string, Whole> texts_;
  std::vector<HBaseName> families_;
  std::unordered_map<std::string, TextNumber> family_numbers_;  // by the bytes of their first names
  std::unordered_set<Key> wanted_keys_;
  std::unordered_set<std::string> wanted_texts_;
  bool numbered_ = true;
};

class HBaseExcerpt::Asking final : public Excerpt, public Rows {
 public:
  explicit Asking(HBaseExcerpt& excerpt) : excerpt_(excerpt) {}

  Result<void> find_lists(std::span<const Key> keys, std::span<const std::uint32_t> most,
                          const PostingTable* newest, PostingLists& lists) const override;
  [[nodiscard]] TextNumber texts() const override { return excerpt_.received_; }
  [[nodiscard]] Result<TextRecord> record(TextNumber text) const override;
  [[nodiscard]] Result<bool> read(TextNumber text, Row& row) const override;
  // An excerpt does not need these functions.
  [[nodiscard]] Result<std::optional<TextNumber>> find(std::string_view) const override {
    return std::optional<TextNumber>();
  }
  [[nodiscard]] Result<TextNumber> representative(TextNumber slot) const override { return slot; }

  /// Was something missing? Notes it with the excerpt.
  [[nodiscard]] bool lacked() {
    excerpt_.wanted_keys_.insert(keys_.begin(), keys_.end());
    excerpt_.wanted_texts_.insert(texts_.begin(), texts_.end());
    return !keys_.empty() || !texts_.empty();
  }
  [[nodiscard]] bool lacked_texts() const noexcept { return !texts_.empty(); }

 private:
  HBaseExcerpt& excerpt_;
  mutable std::vector<Key> keys_;
  mutable std::vector<std::string> texts_;
};

}  // namespace leitong::online
