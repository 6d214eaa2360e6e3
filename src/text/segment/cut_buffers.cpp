#include "text/segment/cut_buffers.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace leitong {
namespace {

constexpr std::size_t kAlignment = 64;

/// Places arrays one after the other; without memory it only adds up their sizes.
struct Layout {
  std::byte* memory;
  std::size_t size = 0;

  template <class T>
  void operator()(T*& array, std::size_t elements) {
    if (memory) array = reinterpret_cast<T*>(memory + size);
    size += (elements * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
  }
};

std::size_t lay_out(std::byte* memory, CutBuffers& b) {
  constexpr std::size_t kSymbols = kMaxKernelChunk + kKernelSlack;
  Layout array{memory};
  array(b.text, kMaxKernelChunk + 2 * kKernelSlack);
  array(b.symbols, kSymbols);
  array(b.pair_weights, kSymbols);
  array(b.single_sums, kSymbols);
  array(b.best, kSymbols + kMaxWordLength);
  array(b.keeps, kSymbols);
  array(b.heads, kSymbols);
  array(b.lengths, kSymbols);
  array(b.starts, kSymbols + kMaxWordLength);
  array(b.choices, kSymbols);
  array(b.list_places, kSymbols);
  array(b.list_slots, kSymbols);
  array(b.long_places, kSymbols);
  array(b.candidate_places, kMaxCandidates + 1);
  array(b.candidates, kMaxCandidates + 1);
  array(b.pairs, kSymbols);
  array(b.runs, kSymbols);
  array(b.sorted_runs, kSymbols);
  for (std::uint64_t** bitmap :
       {&b.word_starts, &b.alone, &b.unknown, &b.symbol_bytes, &b.wide_bytes, &b.ascii_starts})
    array(*bitmap, kBitmapWords);
  return array.size;
}

}  // namespace

void CutMemory::Free::operator()(std::byte* memory) const noexcept { std::free(memory); }

CutBuffers& CutMemory::buffers() {
  if (!memory_) {
    const std::size_t size = lay_out(nullptr, buffers_);
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, size)));
    if (!memory_) throw std::bad_alloc();
    std::memset(memory_.get(), 0, size);  // kernels read whole vectors, even where nothing was written
    lay_out(memory_.get(), buffers_);
  }
  return buffers_;
}

}  // namespace leitong
