// An index of fingerprints on HBase. A text posts its fingerprint in several tables, one for each choice of
// bits that may be equal. The texts within the distance that are found there are near; no text is read.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "online/hbase/home.hpp"

namespace leitong::online {

class HBaseFingerprints final : public HBaseHome {
 public:
  HBaseFingerprints(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription index);

  Result<Explanation> explain(std::string_view text) override;

 private:
  struct Found {
    std::vector<HBaseNear> near;  ///< by name
    bool bounded = false;         ///< a row had more texts than are read
  };
  void note_text(const CheckedText&, HBaseText&) override {}
  void note_posted(CheckedText&, HBaseText&) override {}
  [[nodiscard]] std::vector<HBaseRow> postings(const HBaseText& entry) const override;
  Result<void> look(std::span<HBaseArriving* const> texts) override;
  Result<void> settled(std::span<HBaseArriving* const>) override { return {}; }
  Result<std::vector<Answer>> answers_of(std::span<CheckedText> texts, const Wanted& wanted) override;
  Result<std::optional<Match>> match_of(const HBaseKnown& match, const HBaseText& text) override;
  Result<void> inherit(const HBaseKnown&, const HBaseText&, bool, HBaseText&) override { return {}; }
  Result<std::string> damage(const HBaseText&, const std::string&) override { return std::string(); }
  Result<void> add_figures(Figures&) override { return {}; }

  Result<std::vector<Found>> find(std::span<const Stamp* const> stamps);
  Result<void> find_some(std::span<const Stamp* const> stamps, std::span<Found> found);
  /// Sets the outcome for a text, by the entries of the texts near it.
  void look_at(HBaseArriving& one, std::span<HBaseKnown> others) const;
  [[nodiscard]] Match match_at(const HBaseText& entry, Verdict verdict, unsigned distance) const;

  const std::vector<TableKey> tables_;
};

}  // namespace leitong::online
