#include "index/hamming/search/probe_bmi.hpp"

namespace leitong::hamming {
namespace {

// AVX2 has no vector population count. The scalar instruction, with a word a cycle, is faster than a table of
// nibbles.
struct Avx2 : Bmi {
  template <bool kCoded, class W, class Hit>
  static void scan(const ProbeTable& table, const Probe<W>& probe, int limit, const Hit& hit) {
    scan_words<kCoded, Avx2>(table, probe, limit, hit);
  }
};

}  // namespace

template <Fingerprint F>
const ProbeKernels<F>& probe_kernels_avx2() noexcept {
  return kProbeKernels<Avx2, F>;
}
template const ProbeKernels<Fingerprint64>& probe_kernels_avx2() noexcept;
template const ProbeKernels<Fingerprint128>& probe_kernels_avx2() noexcept;

}  // namespace leitong::hamming
