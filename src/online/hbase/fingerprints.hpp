// An index of fingerprints on HBase. A text posts its fingerprint in several tables, one for each choice of
// bits that may be equal. The texts within the distance that are found there are near; no text is read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "online/hbase/home.hpp"

namespace leitong::online {

class HBaseFingerprints final : public HBaseHome {
 public:
  HBaseFingerprints(const Context& context, std::unique_ptr<HBaseLink> link, HBaseDescription index);

 private:
  /// A text within the distance.
  struct Near {
    HBaseName name;
    unsigned distance = 0;
  };
  struct Found {
    std::vector<Near> near;  ///< by name
    bool bounded = false;    ///< a row had more texts than were read
  };
  struct Similar {
    HBaseText text;
    std::optional<unsigned> distance;  ///< nothing for a copy
  };
  /// What is similar to a text: its copy first, then texts within the distance, the earliest first.
  struct Looked {
    std::vector<Similar> similar;
    bool bounded = false;  ///< as Found::bounded
  };
  [[nodiscard]] std::vector<HBaseRow> postings(const HBaseText& entry) const override;
  Result<void> decide(std::span<Arriving> texts, HBaseChange& change) override;
  Result<std::vector<Answer>> answers_of(std::span<CheckedText* const> texts) override;
  Result<std::optional<Match>> near_match(const HBaseText& match, const HBaseText& known,
                                          const CheckedText& text) override;
  Result<void> post_anew(HBaseText&) override { return {}; }
  Result<std::string> damage(const HBaseText&, const std::string&) override { return std::string(); }
  Result<void> add_figures(Figures&) override { return {}; }

  Result<std::vector<Looked>> look_up(std::span<CheckedText* const> texts);
  Result<std::vector<Found>> find(std::span<const Stamp* const> stamps);
  Result<void> find_some(std::span<const Stamp* const> stamps, std::span<Found> found);
  [[nodiscard]] Answer answer_by(const Looked& looked, std::uint32_t matches_wanted) const;

  const std::vector<TableKey> tables_;
};

}  // namespace leitong::online
