// Any bytes as a pairs file: it is read, or refused with a place. What was read is written and then read
// again with the same result.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "cluster/pairs_file.hpp"
#include "require.hpp"
#include "seeds.hpp"

LEITONG_FUZZ_SEEDS(
    "id_a\tid_b\tmeasure\tscore\tjaccard\tcontainment\tdoc_a\tdoc_b\tunits_a\tunits_b\n"
    "a\tb\\t\tjaccard\t0.5\t0.5\t0.75\t0\t1\t10\t12\n",
    "id_a\tid_b\tmeasure\tscore\tjaccard\tcontainment\tdoc_a\tdoc_b\tunits_a\tunits_b\town_jaccard\town_"
    "containment"
    "\ttemplate_share\treason\n"
    "a\tb\tjaccard\t0.5\t0.5\t0.75\t0\t1\t10\t12\t0.4\t0.7\t0.2\tsimilar: Jaccard 0.50\n",
    "a\tb\tjaccard\t0.5\t0.5\t0.75\t0\t1\t10\t12\t0.1\t0.25\t10\t1\t0\t0\t1\t0\t12\t3\t1\t0\t2\t1\t0\t0\t0\n")

namespace {

/// The rows of the bytes, written in leitong's form; nothing if they are refused.
std::string rewritten(std::string_view bytes) {
  const int descriptor = ::memfd_create("fuzz", 0);
  require(descriptor >= 0 &&
          ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  constexpr leitong::PairsVersion kVersion{.own_text = true, .losses = true};  // rows of every version fit it
  std::string out(leitong::pairs_header(kVersion));
  const auto result = leitong::read_pairs("/proc/self/fd/" + std::to_string(descriptor),
                                          [&](const leitong::PairRow& row) -> leitong::Result<void> {
                                            leitong::append_pair_row(row, kVersion, out);
                                            return {};
                                          });
  ::close(descriptor);
  if (!result) {
    require(!result.error().message.empty());
    return {};
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string once = rewritten({reinterpret_cast<const char*>(data), size});
  if (!once.empty()) require(rewritten(once) == once);
  return 0;
}
