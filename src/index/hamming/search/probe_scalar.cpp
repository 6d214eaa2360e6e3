#include "base/kernel_families.hpp"
#include "index/hamming/search/probe_loops.hpp"

namespace leitong::hamming {
namespace {

struct Scalar {
  static int ones(u64 x) {  // sums of neighbouring bits, then of pairs, then of nibbles
    x -= x >> 1 & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return static_cast<int>(x * 0x0101010101010101ull >> 56);
  }
  static u32 syndrome(u32 word) { return hamming31_syndrome(word); }
  static u32 information(u32 word) { return hamming31_information(word); }

  template <class W>
  static W gather(const BitRuns& runs, W x) {
    W result = 0;
    for (unsigned i = 0; i < runs.count; ++i) {
      const BitRuns::Run& run = runs.runs[i];
      result |= (x >> (64u * run.word + run.from) & low_ones<W>(run.length)) << run.to;
    }
    return result;
  }
  template <class W>
  static W scatter(const BitRuns& runs, W bits) {
    W result = 0;
    for (unsigned i = 0; i < runs.count; ++i) {
      const BitRuns::Run& run = runs.runs[i];
      result |= (bits >> run.to & low_ones<W>(run.length)) << (64u * run.word + run.from);
    }
    return result;
  }
  template <class W>
  static u32 block(const ProbeTable& table, W x) {
    return static_cast<u32>(gather(*table.mask_runs, x));
  }
  template <class W>
  static W rest(const ProbeTable& table, W x) {
    return gather(*table.rest_runs, x);
  }
  template <class W>
  static W unite(const ProbeTable& table, u32 block, W rest) {
    return scatter(*table.mask_runs, W{block}) | scatter(*table.rest_runs, rest);
  }
  template <bool kCoded, class W, class Hit>
  static void scan(const ProbeTable& table, const Probe<W>& probe, int limit, const Hit& hit) {
    scan_words<kCoded, Scalar>(table, probe, limit, hit);
  }
};

}  // namespace

template <Fingerprint F>
const ProbeKernels<F>& probe_kernels_scalar() noexcept {
  return kProbeKernels<Scalar, F>;
}
template const ProbeKernels<Fingerprint64>& probe_kernels_scalar() noexcept;
template const ProbeKernels<Fingerprint128>& probe_kernels_scalar() noexcept;

template <Fingerprint F>
const ProbeKernels<F>& probe_kernels(Simd level) noexcept {
  LEITONG_RETURN_KERNEL(level, probe_kernels_scalar<F>(), probe_kernels_avx2<F>(), probe_kernels_avx512<F>());
}
template const ProbeKernels<Fingerprint64>& probe_kernels(Simd) noexcept;
template const ProbeKernels<Fingerprint128>& probe_kernels(Simd) noexcept;

}  // namespace leitong::hamming
