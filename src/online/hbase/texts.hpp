// An index on HBase that compares texts. A text posts some of its keys and is found by them. The client
// decides, by the same code as in a folder, on an excerpt of the index (excerpt.hpp).
//
// Of a list the earliest kFull texts are read. A client that sees so many knows from then on that the key is
// full, and posts another one instead. A batch is computed one text after another in the order of names, each
// as if the earlier ones were settled; a text that is near to one of the batch is settled after it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "online/hbase/excerpt.hpp"
#include "online/hbase/home.hpp"
#include "online/hbase/learned.hpp"

namespace leitong::online {

class HBaseTexts final : public HBaseHome {
 public:
  HBaseTexts(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription index);

  Result<Explanation> explain(std::string_view text) override;

 private:
  using Arriving = std::span<HBaseArriving* const>;

  void note_text(const CheckedText& text, HBaseText& entry) override;
  void note_posted(CheckedText& text, HBaseText& entry) override;
  [[nodiscard]] std::vector<HBaseRow> postings(const HBaseText& entry) const override;
  Result<void> look(Arriving texts) override;
  Result<void> settled(Arriving texts) override;
  Result<std::vector<Answer>> answers_of(std::span<CheckedText> texts, const Wanted& wanted) override;
  Result<std::optional<Match>> match_of(const HBaseKnown& match, const HBaseText& text) override;
  Result<void> inherit(const HBaseKnown& was, const HBaseText& leaving, bool copy,
                       HBaseText& successor) override;
  Result<std::string> damage(const HBaseText& entry, const std::string& text) override;
  Result<void> add_figures(Figures& figures) override;

  /// The answers for texts that are not added. `explanation` may be null.
  Result<void> check_all(std::span<CheckedText* const> texts, Explanation* explanation);
  /// Reads the lists of these keys, and of keys that replace full ones.
  Result<void> read_lists(HBaseExcerpt& excerpt, std::span<CheckedText* const> texts);
  /// The number of texts that the index has received; an upper value if there are enough to tell what is
  /// rare.
  Result<TextNumber> texts_so_far();
  [[nodiscard]] std::vector<Key> keys_to_post(CheckedText& text);
  [[nodiscard]] HBaseExcerpt excerpt() { return {context_, *link_, wide_}; }

  // looking.cpp
  class Pass;
  Result<std::vector<HBaseArriving*>> follow_others(Arriving texts);
  Result<void> read_back(Arriving texts);
  Result<void> post_others(HBaseExcerpt& excerpt, Arriving texts);

  HBaseKnowledge known_;
  std::atomic<bool> enough_texts_ = false;
};

}  // namespace leitong::online
