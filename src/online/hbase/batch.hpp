// Texts of one or more calls that are added to an index on HBase together (home.hpp explains how they are
// decided). A batch works in turns, each of which sends requests for all of its texts at once, until all are
// settled.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "leitong/result.hpp"
#include "online/hbase/arriving.hpp"
#include "online/hbase/home.hpp"

namespace leitong::online {

class HBaseHome::Batch {
 public:
  explicit Batch(HBaseHome& index);

  void add(CheckedText& text, Answer& answer);
  Result<void> settle_all();

 private:
  using Clock = std::chrono::steady_clock;
  using Step = HBaseArriving::Step;
  using Texts = std::vector<HBaseArriving*>;

  Texts those(Step step);
  /// Begins with a text that is pending for this batch: posts and searches.
  static void start(HBaseArriving& one);
  Result<void> begin(const Texts& texts);
  [[nodiscard]] HBaseText pending(const HBaseArriving& one) const;

  // settling.cpp
  Result<void> look_at_contents(const Texts& texts);
  Result<void> look_into_tables(const Texts& texts);
  /// Is the result of its search valid now? False if the text waits or searches again.
  Result<bool> may_settle(HBaseArriving& one);
  /// Settles these texts with their entries; those that changed meanwhile search again.
  struct Verdicts {
    Texts texts;
    std::vector<HBaseText> entries;
    std::vector<Answer> answers;
  };
  Result<void> settle(Verdicts verdicts);

  /// Takes the result of a text that existed before or that another client settled.
  Result<void> take_known(HBaseArriving& one);
  /// Waits for a text that another client has to settle; takes it over if that takes too long.
  Result<void> wait_for(const HBaseKnown& other);

  HBaseHome& index_;
  std::uint64_t owner_;
  std::vector<HBaseArriving> texts_;
  bool moved_ = false;  ///< this turn made progress
  struct Waiting {
    std::string bytes;
    Clock::time_point since;
  };
  std::unordered_map<std::string, Waiting> waiting_;
  std::vector<HBaseKnown> taken_over_;
};

}  // namespace leitong::online
