// The memory of CutBuffers.
#pragma once

#include <cstddef>
#include <memory>

#include "text/segment/cut_kernel.hpp"

namespace leitong {

/// A megabyte and a half, of which a usual chunk uses a third; allocated at first use.
class CutMemory {
 public:
  CutBuffers& buffers();

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };
  std::unique_ptr<std::byte[], Free> memory_;
  CutBuffers buffers_{};
};

}  // namespace leitong
