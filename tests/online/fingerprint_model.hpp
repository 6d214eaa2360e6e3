// A model of an index of fingerprints that compares with all of them: families are stars, in the order of
// arrival.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "leitong/online.hpp"

namespace leitong::online {

class FingerprintModel {
 public:
  explicit FingerprintModel(unsigned distance) : distance_(distance) {}

  [[nodiscard]] std::string check(const hamming::Fingerprint128& fingerprint) const {
    for (const Member& first : firsts_)
      if (const unsigned apart = hamming::distance(first.fingerprint, fingerprint); apart <= distance_)
        return "near:" + first.id + "/" + std::to_string(apart) + " ";
    return "new ";
  }
  std::string add(const std::string& id, const hamming::Fingerprint128& fingerprint) {
    std::string said = check(fingerprint);
    for (Member& first : firsts_)
      if (hamming::distance(first.fingerprint, fingerprint) <= distance_) {
        first.members.push_back({id, fingerprint, {}});
        return said;
      }
    firsts_.push_back({id, fingerprint, {}});
    return said;
  }
  /// The earliest member replaces a first one, and counts as having arrived now.
  void remove(const std::string& id) {
    for (auto first = firsts_.begin(); first != firsts_.end(); ++first) {
      std::erase_if(first->members, [&](const Member& member) { return member.id == id; });
      if (first->id != id) continue;
      std::vector<Member> left = std::move(first->members);
      firsts_.erase(first);
      if (left.empty()) return;
      Member successor = left.front();
      successor.members.assign(left.begin() + 1, left.end());
      firsts_.push_back(std::move(successor));
      return;
    }
  }

 private:
  struct Member {
    std::string id;
    hamming::Fingerprint128 fingerprint;
    std::vector<Member> members;
  };
  unsigned distance_;
  std::vector<Member> firsts_;
};

/// Random fingerprints, and neighbours of earlier ones at all distances around the threshold.
inline std::vector<hamming::Fingerprint128> planted(unsigned bits, unsigned distance, std::size_t count,
                                                    std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<hamming::Fingerprint128> all;
  while (all.size() < count) {
    hamming::Fingerprint128 next{random(), bits == 128 ? random() : 0};
    if (!all.empty() && random() % 3 != 0) {
      next = all[random() % all.size()];
      for (auto turned = random() % (2 * distance + 2); turned > 0; --turned) {
        const auto bit = random() % bits;
        (bit < 64 ? next.low : next.high) ^= std::uint64_t{1} << bit % 64;
      }
    }
    all.push_back(next);
  }
  return all;
}

/// The answers in the form of the model.
inline std::string said(const std::vector<Answer>& answers) {
  std::string text;
  for (const Answer& answer : answers) {
    text += verdict_name(answer.verdict);
    if (answer.match)
      text += ":" + answer.match->id + "/" + std::to_string(answer.match->distance.value_or(999));
    text += ' ';
  }
  return text;
}

}  // namespace leitong::online
