// An immutable set of rows, searched by tables. Many threads may read it.
#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/cpu.hpp"
#include "index/hamming/search/level_builder.hpp"
#include "index/hamming/search/level_parts.hpp"
#include "index/hamming/search/probe_kernel.hpp"
#include "io/section_file.hpp"

namespace leitong::hamming {

/// Where the bytes of an opened level are.
enum class Residence {
  mapped,  ///< in the file: opens at once, is shared by processes, is verified when it is read
  loaded,  ///< read and verified as a whole into huge pages: faster to search from some 1e7 rows on
};

template <Fingerprint F>
class Level final : public RowSource<F> {
 public:
  /// Working space for searches of one thread; usable with any level.
  struct Scratch {
    std::vector<RawHit<F>> raw;
    std::vector<Exclusion> exclusions;
    std::array<F, kLocateMost> unknown{};
    std::array<std::uint32_t, kLocateMost> positions{}, begin{}, end{};
    HugeArray<std::uint32_t> visits,
        begins;  // begins of tables that are visited in order; allocated when needed
  };

  explicit Level(std::unique_ptr<LevelImage<F>> image);
  /// Opens a file of write_level(). If mapped, this takes milliseconds at any size: what a search reads is
  /// verified first, and each search verifies a little more until everything is. Fails as SectionFile::open()
  /// does.
  static Result<std::shared_ptr<const Level>> open(const std::filesystem::path& path, Residence residence);

  /// Appends the rows within limits[i] of queries[i] to `hits`, for at most kGroupQueries queries, in no
  /// defined order. `rule` may allow it to leave out hits: `any` needs one hit for each query, `nearest`
  /// those of the least distance. It lowers the limits accordingly. Negative limits skip a query. REQUIRES
  /// limits <= distance(). Fails with corrupt if the file is damaged in a part that it reads; `hits` is then
  /// unusable.
  Result<void> search(std::span<const F> queries, std::span<std::int16_t> limits, HitRule rule,
                      Scratch& scratch, std::vector<Hit<F>>& hits) const;

  /// Did this level remove the row from older levels?
  [[nodiscard]] Result<bool> removes(const Row<F>& row) const;

  /// Compares the whole file with its checksums; nothing to do in memory. O(size).
  Result<void> verify() const;

  [[nodiscard]] unsigned distance() const noexcept { return parts_.distance; }
  /// The number of queries for which a search is fastest. It is larger if queries share the buckets that they
  /// visit.
  [[nodiscard]] std::size_t best_group() const noexcept {
    return many_visits_ ? kGroupQueries : kUsualQueries;
  }
  [[nodiscard]] const LevelParts<F>& parts() const noexcept { return parts_; }
  /// The bytes of tables, and of ids and groups.
  [[nodiscard]] std::uint64_t table_bytes() const noexcept;
  [[nodiscard]] std::uint64_t id_bytes() const noexcept;

  // RowSource: rows by position and id.
  [[nodiscard]] std::uint64_t size() const noexcept override { return parts_.rows; }
  Result<void> read(std::uint64_t first, std::uint64_t count, std::vector<Row<F>>& rows) const override;

  /// Sets the kernels of the search; for tests.
  void use_kernels(Simd level) noexcept;

 private:
  Level(LevelParts<F> parts, std::unique_ptr<LevelImage<F>>&& image, std::unique_ptr<SectionFile> file);
  void make_probe_tables();
  Result<void> search_node(std::uint32_t node, std::span<const F> queries, std::span<std::int16_t> limits,
                           HitRule rule, std::vector<Exclusion>& exclusions, Scratch& scratch) const;
  Result<void> search_splits(std::vector<SplitProbe>& probes, std::size_t before, std::span<const F> queries,
                             std::span<std::int16_t> limits, HitRule rule,
                             const std::vector<Exclusion>& exclusions, Scratch& scratch) const;
  Result<void> append_rows(std::span<RawHit<F>> raw, HitRule rule, Scratch& scratch,
                           std::vector<Hit<F>>& hits) const;

  // Verifies what a search is about to read of a file that is not yet fully verified.
  Result<void> check_probes(const Node& node, std::span<const F> queries,
                            std::span<const std::int16_t> limits,
                            std::span<const Exclusion> exclusions) const;
  Result<void> check_bucket(const TableParts<F>& table, std::uint32_t key) const;
  Result<void> check_some_more() const;
  [[nodiscard]] tl::unexpected<Error> contradicts_itself() const;
  template <class T>
  Result<void> check(std::span<const T> values) const {
    return file_->check(std::as_bytes(values));
  }
  [[nodiscard]] bool checked() const noexcept {
    return file_ == nullptr || checked_.load(std::memory_order_acquire);
  }

  LevelParts<F> parts_;
  std::unique_ptr<LevelImage<F>> image_;
  std::unique_ptr<SectionFile> file_;
  const ProbeKernels<F>* kernels_;
  std::vector<ProbeTable> probe_tables_;
  bool many_visits_ = false;
  std::vector<BitRuns> runs_;
  std::vector<std::uint32_t> split_keys_, split_nodes_;
  std::map<unsigned, std::vector<std::uint32_t>> flips_;  // by bits of the key
  mutable std::atomic<std::uint64_t> sweep_{0}, swept_{0};
  mutable std::atomic<bool> checked_{false};
};

}  // namespace leitong::hamming
