// A sink that collects candidates.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/candidates.hpp"

namespace leitong::testing {

class CollectingSink : public CandidateSink {
 public:
  Result<void> offer(std::span<const Candidate> candidates) override {
    const std::scoped_lock lock(mutex_);
    for (const Candidate& c : candidates) {
      pairs.insert({c.a, c.b});
      if (c.template_only) template_only.insert({c.a, c.b});
      frames[{c.a, c.b}] = c.frame;
      if (alike(c.a, c.b)) matched_.insert({c.a, c.b});
    }
    return {};
  }
  [[nodiscard]] bool full() const override { return false; }
  Result<void> flush() override { return {}; }
  [[nodiscard]] bool matched(DocId document) const override { return matched_.contains(document); }

  std::set<std::pair<DocId, DocId>> pairs, template_only;
  std::map<std::pair<DocId, DocId>, std::uint8_t> frames;
  std::function<bool(DocId, DocId)> alike = [](DocId, DocId) { return true; };

 private:
  std::mutex mutex_;
  std::set<DocId> matched_;
};

}  // namespace leitong::testing
