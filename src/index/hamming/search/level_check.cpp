// The part of Level that looks at a mapped file's checksums and order before anything is read from it.
#include "base/try.hpp"
#include "index/hamming/search/level.hpp"
#include "index/hamming/search/level_order.hpp"

namespace leitong::hamming {

template <Fingerprint F>
Result<void> Level<F>::verify() const {
  if (checked()) return {};
  LEITONG_TRY(file_->verify());
  LEITONG_TRY(check_directories(parts_, file_->bytes(), file_->path()));
  LEITONG_TRY(check_groups(parts_, file_->path()));
  checked_.store(true, std::memory_order_release);
  return {};
}

template <Fingerprint F>
Result<void> Level<F>::check_bucket(const TableParts<F>& table, std::uint32_t key) const {
  const auto bucket = table.directory.subspan(key, 2);
  LEITONG_TRY(check(bucket));
  LEITONG_TRY(check_buckets(table, key, bucket.size(), file_->path()));
  const std::uint64_t size = table.shape.entry_bytes();
  return check(std::span(table.entries + bucket[0] * size, (bucket[1] - bucket[0]) * size));
}

template <Fingerprint F>
Result<void> Level<F>::check_probes(const Node& node, std::span<const F> queries,
                                    std::span<const std::int16_t> limits,
                                    std::span<const Exclusion> exclusions) const {
  for (std::uint32_t i = 0; i < node.tables; ++i) {
    if (exclusions[i].radius < 0) continue;
    const TableParts<F>& table = parts_.tables[node.first_table + i];
    const ProbeTable& probe = probe_tables_[node.first_table + i];
    const TableCode<F> code(table.shape);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (limits[q] < 0) continue;
      if (table.shape.code == BucketCode::plain) {
        const std::uint32_t own = code.encode(queries[q]).key;
        for (std::uint32_t flip = 0; flip < probe.flips_within[exclusions[i].radius]; ++flip)
          LEITONG_TRY(check_bucket(table, own ^ probe.flips[flip]));
      } else {
        const auto block = static_cast<std::uint32_t>(word(gather(queries[q], code.mask_runs()), 0));
        const Hamming31Ball& ball = probe.balls[hamming31_syndrome(block)];
        for (std::uint32_t b = 0; b < ball.count; ++b)
          LEITONG_TRY(check_bucket(table, hamming31_information(block) ^ ball.keys[b]));
      }
    }
  }
  return check_some_more();
}

// A chunk with every group of queries: after as many groups as there are chunks, checks cost nothing more.
template <Fingerprint F>
Result<void> Level<F>::check_some_more() const {
  const std::span<const std::byte> sections = file_->bytes();
  const std::uint64_t chunks = (sections.size() + kSectionChunk - 1) / kSectionChunk;
  const std::uint64_t chunk = sweep_.fetch_add(1, std::memory_order_relaxed);
  if (chunk >= chunks) return {};
  const std::uint64_t begin = chunk * kSectionChunk;
  const auto part = sections.subspan(begin, std::min<std::uint64_t>(kSectionChunk, sections.size() - begin));
  LEITONG_TRY(check(part));
  LEITONG_TRY(check_directories(parts_, part, file_->path()));
  if (swept_.fetch_add(1, std::memory_order_acq_rel) + 1 != chunks) return {};
  LEITONG_TRY(check_groups(parts_, file_->path()));
  checked_.store(true, std::memory_order_release);
  return {};
}

// Only a file that somebody made up comes to this: each part is possible, but they don't fit together.
template <Fingerprint F>
tl::unexpected<Error> Level<F>::contradicts_itself() const {
  return fail(ErrorCode::corrupt, (file_ ? file_->path().string() : std::string("the index")) +
                                      ": its tables contradict each other; make the file anew");
}

template class Level<Fingerprint64>;
template class Level<Fingerprint128>;

}  // namespace leitong::hamming
