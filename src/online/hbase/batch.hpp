// Texts of one or more calls that go into an index on HBase together: home.hpp says how it is decided. A
// batch goes on in turns, each of which asks for all of its texts at once, until all are settled.
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
  /// A text that is pending for this batch: posts, and looks.
  static void start(HBaseArriving& one);
  Result<void> begin(const Texts& texts);
  [[nodiscard]] HBaseText pending(const HBaseArriving& one) const;

  // settling.cpp
  Result<void> look_at_contents(const Texts& texts);
  Result<void> look_into_tables(const Texts& texts);
  /// What of it counts now: false if the text waits, or looks again.
  Result<bool> may_settle(HBaseArriving& one);
  /// Settles these as they say; those that changed meanwhile are looked at again.
  struct Verdicts {
    Texts texts;
    std::vector<HBaseText> entries;
    std::vector<Answer> answers;
  };
  Result<void> settle(Verdicts verdicts);

  /// A text that was there, or that another client settled.
  Result<void> take_known(HBaseArriving& one);
  /// Waits for a text that another client is to settle; takes it over if that takes too long.
  Result<void> wait_for(const HBaseKnown& other);

  HBaseHome& index_;
  std::uint64_t owner_;
  std::vector<HBaseArriving> texts_;
  bool moved_ = false;  ///< something was done in this turn
  struct Waiting {
    std::string bytes;
    Clock::time_point since;
  };
  std::unordered_map<std::string, Waiting> waiting_;
  std::vector<HBaseKnown> taken_over_;
};

}  // namespace leitong::online
