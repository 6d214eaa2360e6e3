// For tests of kernels: the kernel families that this machine runs, and text before memory that cannot be
// read.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "base/cpu.hpp"

namespace leitong {

inline std::vector<Simd> usable_simd_levels() {
  std::vector<Simd> usable;
  for (const Simd level : {Simd::scalar, Simd::avx2, Simd::avx512})
    if (level <= simd_level()) usable.push_back(level);
  return usable;
}

/// Text that ends where the next byte cannot be read.
class GuardedText {
 public:
  explicit GuardedText(std::string_view text) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (text.size() + 2 * page - 1) / page * page;
    memory_ =
        static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(memory_ + size_ - page, page, PROT_NONE), 0);
    char* const begin = memory_ + size_ - page - text.size();
    std::memcpy(begin, text.data(), text.size());
    text_ = {begin, text.size()};
  }
  GuardedText(const GuardedText&) = delete;
  GuardedText& operator=(const GuardedText&) = delete;
  ~GuardedText() { munmap(memory_, size_); }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  char* memory_ = nullptr;
  std::size_t size_ = 0;
  std::string_view text_;
};

}  // namespace leitong
