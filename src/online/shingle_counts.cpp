#include "online/shingle_counts.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/huge_array.hpp"
#include "base/try.hpp"
#include "io/output_file.hpp"
#include "io/section_file.hpp"

namespace leitong::online {
namespace {

constexpr std::string_view kKind = "shingle-counts";
constexpr std::uint32_t kVersion = 2;
constexpr unsigned kMost = TemplateRule::kFamilies;
// A count takes 3 bits, and the other bits of a slot are the lowest of a hash.
constexpr unsigned kCountBits = 3, kLowBits = 32 - kCountBits;
static_assert(kMost <= 1U << kCountBits);
constexpr unsigned kFirstBits = 12;
// The cache lines of the next shingles are loaded while earlier shingles are looked up.
constexpr std::size_t kAhead = 16;
// The bytes that are written at once.
constexpr std::size_t kBlock = std::size_t{1} << 16;

constexpr std::uint32_t low_of(std::uint32_t hash) noexcept { return hash << kCountBits >> kCountBits; }

/// A bijection, except that 8 values become their neighbours, because low bits that are all 0 mark a free
/// slot.
constexpr std::uint32_t hash_of(std::uint32_t shingle) noexcept {
  std::uint32_t x = shingle;
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  x ^= x >> 16;
  return x | static_cast<std::uint32_t>(low_of(x) == 0);
}

}  // namespace

/// An open hash table of 2^bits slots, in which a hash stands at the place of its highest bits or after it.
/// The place of a slot gives the bits that the slot lacks, since no run of occupied slots is as long as an
/// eighth of the table.
class ShingleCounts::Table {
 public:
  explicit Table(unsigned bits) : bits_(bits), slots_(std::size_t{1} << bits) {}
  /// A table for so many hashes.
  static std::shared_ptr<Table> for_hashes(std::uint64_t hashes) {
    unsigned bits = kFirstBits;
    while (bits < 32 && hashes >= most(bits)) ++bits;
    return std::make_shared<Table>(bits);
  }

  [[nodiscard]] std::size_t size() const noexcept { return std::size_t{1} << bits_; }
  [[nodiscard]] std::uint64_t taken() const noexcept { return taken_; }
  [[nodiscard]] bool is_full() const noexcept { return bits_ < 32 && taken_ >= most(bits_); }
  void prefetch(std::uint32_t hash) const noexcept { __builtin_prefetch(&slots_[home(hash)]); }

  [[nodiscard]] unsigned count(std::uint32_t hash) const noexcept {
    const std::uint32_t slot = slots_[place(hash)].load(std::memory_order_relaxed);
    return slot == 0 ? 0 : count_in(slot);
  }
  /// Counts one work more, up to kMost. REQUIRES a table that is not full.
  void add(std::uint32_t hash) noexcept {
    auto& slot = slots_[place(hash)];
    const std::uint32_t value = slot.load(std::memory_order_relaxed);
    if (value == 0)
      put(slot, hash, 1);
    else if (count_in(value) < kMost)
      slot.store(value + 1, std::memory_order_relaxed);
  }
  /// REQUIRES a hash that is not in the table.
  void insert(std::uint32_t hash, unsigned count) noexcept { put(slots_[place(hash)], hash, count); }

  /// Calls use(hash, count) for each hash, ascending.
  template <class Use>
  void for_each(Use use) const {
    struct Entry {
      std::uint32_t hash;
      unsigned count;
    };
    std::vector<Entry> row, wrapped;  // occupied slots without a gap, ascending
    // The entries are few, and nearly in order.
    const auto insert = [&row](const Entry& entry) {
      row.push_back(entry);
      for (std::size_t i = row.size() - 1; i > 0 && row[i - 1].hash > row[i].hash; --i)
        std::swap(row[i - 1], row[i]);
    };
    const auto finish = [&] {
      for (const Entry& entry : row) use(entry.hash, entry.count);
      row.clear();
    };
    for (std::size_t i = 0; i < size(); ++i) {
      const std::uint32_t slot = slots_[i].load(std::memory_order_relaxed);
      if (slot == 0) {
        finish();
        continue;
      }
      const std::uint32_t low = slot >> kCountBits;
      // The home place agrees with the slot in all bits except the three highest, and is before the slot.
      const std::size_t part = size() >> kCountBits;
      const std::size_t at = (i - ((i - (low >> (32 - bits_))) & (part - 1))) & (size() - 1);
      const auto hash = static_cast<std::uint32_t>(at / part << kLowBits) | low;
      if (at > i)
        wrapped.push_back({hash, count_in(slot)});
      else
        insert({hash, count_in(slot)});
    }
    std::ranges::for_each(wrapped, insert);
    finish();
  }

 private:
  /// The most hashes of a table: two thirds of the slots.
  static std::uint64_t most(unsigned bits) noexcept { return (std::uint64_t{1} << bits) / 3 * 2; }
  static unsigned count_in(std::uint32_t slot) noexcept { return (slot & ((1U << kCountBits) - 1)) + 1; }

  [[nodiscard]] std::size_t home(std::uint32_t hash) const noexcept { return hash >> (32 - bits_); }
  /// The slot of the hash, or the free slot where it belongs.
  [[nodiscard]] std::size_t place(std::uint32_t hash) const noexcept {
    for (std::size_t i = home(hash);; i = (i + 1) & (size() - 1)) {
      const std::uint32_t slot = slots_[i].load(std::memory_order_relaxed);
      if (slot == 0 || slot >> kCountBits == low_of(hash)) return i;
    }
  }
  void put(std::atomic<std::uint32_t>& slot, std::uint32_t hash, unsigned count) noexcept {
    slot.store(low_of(hash) << kCountBits | (count - 1), std::memory_order_relaxed);
    ++taken_;
  }

  unsigned bits_;
  HugeArray<std::atomic<std::uint32_t>> slots_;  // 0 is free
  std::uint64_t taken_ = 0;
};

ShingleCounts::ShingleCounts() : table_(std::make_shared<Table>(kFirstBits)) {}
ShingleCounts::~ShingleCounts() = default;

void ShingleCounts::add(std::span<const std::uint32_t> distinct) {
  std::shared_ptr<Table> table = table_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (i + kAhead < distinct.size()) table->prefetch(hash_of(distinct[i + kAhead]));
    if (table->is_full()) {
      const auto larger = Table::for_hashes(table->taken());
      table->for_each([&](std::uint32_t hash, unsigned count) { larger->insert(hash, count); });
      table_.store(larger, std::memory_order_release);
      table = larger;
    }
    table->add(hash_of(distinct[i]));
  }
}

void ShingleCounts::held_by(std::span<const std::uint32_t> shingles, unsigned works,
                            PodVector<std::uint32_t>& held) const {
  const std::shared_ptr<const Table> table = table_.load(std::memory_order_acquire);
  held.clear();
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    if (i + kAhead < shingles.size()) table->prefetch(hash_of(shingles[i + kAhead]));
    if (table->count(hash_of(shingles[i])) >= works) held.push_back(shingles[i]);
  }
}

std::uint64_t ShingleCounts::bytes() const noexcept {
  return sizeof(std::uint32_t) * table_.load(std::memory_order_relaxed)->size();
}

// The file has the number of texts, the number of hashes, and for each hash its difference to the previous
// one and its count - 1, as one number in groups of 7 bits, the lowest group first; the eighth bit is set in
// all groups except the last.
Result<void> ShingleCounts::write(const std::filesystem::path& path) const {
  LEITONG_ASSIGN(const auto file, OutputFile::create(path, true));
  LEITONG_ASSIGN(
      SectionWriter sections,
      SectionWriter::create([&](std::string_view bytes) { return file->write(bytes); }, kKind, kVersion));
  const std::shared_ptr<const Table> table = table_.load(std::memory_order_relaxed);
  const std::vector<std::uint64_t> about = {texts, table->taken()};
  LEITONG_TRY(sections.section("about", std::span<const std::uint64_t>(about)));
  LEITONG_TRY(sections.begin("counts"));
  std::string block;
  std::uint32_t before = 0;
  Result<void> written;
  table->for_each([&](std::uint32_t hash, unsigned count) {
    std::uint64_t number = std::uint64_t{hash - before} << kCountBits | (count - 1);
    before = hash;
    for (; number >= 0x80; number >>= 7) block.push_back(static_cast<char>(number | 0x80));
    block.push_back(static_cast<char>(number));
    if (block.size() < kBlock || !written) return;
    written = sections.append(block);
    block.clear();
  });
  LEITONG_TRY(std::move(written));
  LEITONG_TRY(sections.append(block));
  LEITONG_TRY(sections.finish());
  return file->commit();
}

Result<void> ShingleCounts::read(const std::filesystem::path& path) {
  LEITONG_ASSIGN(const SectionFile file, SectionFile::open(path, kKind, kVersion));
  LEITONG_TRY(file.verify());
  LEITONG_ASSIGN(const auto about, file.section<std::uint64_t>("about"));
  LEITONG_ASSIGN(const auto bytes, file.section<std::uint8_t>("counts"));
  const auto damaged = [&] {
    return fail(ErrorCode::corrupt, path.string() + ": holds no counts of shingles");
  };
  if (about.size() != 2 || about[1] > bytes.size()) return damaged();
  const auto table = Table::for_hashes(about[1]);
  std::uint64_t hash = 0, number = 0;
  unsigned shift = 0;
  for (const std::uint8_t byte : bytes) {
    if (shift > 35) return damaged();
    number |= std::uint64_t{byte & 0x7FU} << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    hash += number >> kCountBits;
    // Hashes must rise; a hash that does not is damage.
    if (number >> kCountBits == 0 || hash > UINT32_MAX || low_of(static_cast<std::uint32_t>(hash)) == 0 ||
        table->taken() == about[1])
      return damaged();
    table->insert(static_cast<std::uint32_t>(hash),
                  static_cast<unsigned>(number & ((1U << kCountBits) - 1)) + 1);
    number = shift = 0;
  }
  if (table->taken() != about[1] || shift != 0) return damaged();
  table_.store(table, std::memory_order_relaxed);
  texts = static_cast<TextNumber>(about[0]);
  return {};
}

}  // namespace leitong::online
