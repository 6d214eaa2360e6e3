// An index on HBase that compares texts. A text posts some of its keys and is found by them. The client
// decides, by the same code as in a folder, on an excerpt of the index (excerpt.hpp).
//
// The earliest kFull texts of a list are read. A client that finds so many texts knows from then on that the
// key is full, and posts another key instead.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "online/hbase/excerpt.hpp"
#include "online/hbase/home.hpp"
#include "online/state.hpp"

namespace leitong::online {

class HBaseTexts final : public HBaseHome {
 public:
  HBaseTexts(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription index);

  Result<Explanation> explain(std::string_view text) override;

 private:
  [[nodiscard]] std::vector<HBaseRow> postings(const HBaseText& entry) const override;
  Result<void> decide(std::span<Arriving> texts, HBaseChange& change) override;
  Result<std::vector<Answer>> answers_of(std::span<CheckedText* const> texts) override;
  Result<std::optional<Match>> near_match(const HBaseText& match, const HBaseText& known,
                                          const CheckedText& text) override;
  Result<void> post_anew(HBaseText& successor) override;
  Result<std::string> damage(const HBaseText& entry, const std::string& text) override;
  Result<void> add_figures(Figures& figures) override;

  /// The answers for texts that are not added. `explanation` may be null.
  Result<void> check_all(std::span<CheckedText* const> texts, Explanation* explanation);
  /// An excerpt of an index that has received so many texts: the representatives of these contents, and the
  /// lists for texts that are no copies; for texts that only look for copies, the lists only if the texts are
  /// posted.
  Result<HBaseExcerpt> excerpt_for(std::span<CheckedText* const> texts, std::uint64_t received, bool to_post);
  /// Reads the lists of these keys, and of keys that replace full ones.
  Result<void> read_lists(HBaseExcerpt& excerpt, std::span<CheckedText* const> texts);

  /// Reads what was learned of templates since the last call.
  Result<void> follow_learned();

  std::shared_mutex known_mutex_;
  /// What this client knows beside the texts: the templates that commits report, and the keys that it found
  /// full.
  State known_;
  std::mutex learning_;        // guards follow_learned()
  std::uint64_t learned_ = 0;  // the latest commit whose templates are known
};

}  // namespace leitong::online
