// The memory of requests: one account of their bodies, compressed and decompressed, and of the answers until
// they are sent.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "problem.hpp"

namespace leitong::server {

/// The total of all requests. Any thread.
class MemoryAccount {
 public:
  [[nodiscard]] std::uint64_t used() const noexcept { return used_; }
  void set_most(std::uint64_t bytes) noexcept { most_ = bytes; }

 private:
  friend class MemoryShare;
  std::atomic<std::uint64_t> used_{0}, most_{UINT64_MAX};
};

/// The share of one request. One thread at a time.
class MemoryShare {
 public:
  explicit MemoryShare(MemoryAccount& account) noexcept : account_(account) {}
  ~MemoryShare() { give_back(); }
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

  /// Sets the bytes of the request's body, or of its answer. Problem 413 if the request alone takes more than
  /// the total, 503 if others hold the rest; then its share does not change.
  [[nodiscard]] Outcome<void> hold_body(std::size_t bytes) { return hold(body_, bytes); }
  [[nodiscard]] Outcome<void> hold_answer(std::size_t bytes) { return hold(answer_, bytes); }
  void give_back() noexcept {
    account_.used_ -= body_ + answer_;
    body_ = answer_ = 0;
  }

 private:
  Outcome<void> hold(std::size_t& part, std::size_t bytes);

  MemoryAccount& account_;
  std::size_t body_ = 0, answer_ = 0;
};

}  // namespace leitong::server
