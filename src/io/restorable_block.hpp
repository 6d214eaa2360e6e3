// One block of a restorable file: how some stretch of the input comes out of the kept bytes and of what the
// block holds beside them. docs/format.md has the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// A part of the kept bytes. Those of several files count as one run of bytes, in the order of the sources.
struct KeptStretch {
  std::uint64_t begin = 0, size = 0;
  bool operator==(const KeptStretch&) const = default;
};

/// What comes next of the input.
struct RestoreStep {
  enum class Kind : std::uint8_t {
    copied,     ///< `value` kept bytes, from where the step before stopped
    skipped,    ///< nothing; `value` kept bytes are passed over
    record,     ///< `value` bytes of the content: a removed record, or the first part of a long one
    part,       ///< `value` bytes of the content: another part of that record
    between,    ///< `value` bytes of the content that belong to no removed record
    same,       ///< a removed record that equals base number `value`
    source_end  ///< the source ends here
  };
  Kind kind = Kind::copied;
  std::uint64_t value = 0;

  [[nodiscard]] bool has_content() const noexcept {
    return kind == Kind::record || kind == Kind::part || kind == Kind::between;
  }
  [[nodiscard]] bool begins_record() const noexcept { return kind == Kind::record || kind == Kind::same; }
  /// The restored bytes have a checksum of their own.
  [[nodiscard]] bool is_checked() const noexcept { return has_content() || kind == Kind::same; }
};

/// Bounds that hold in every block, so that one takes a known amount of memory.
inline constexpr std::size_t kRestorePart = std::size_t{1} << 20;     ///< bytes of content in one step
inline constexpr std::size_t kMostContent = std::size_t{2} << 20;     ///< bytes
inline constexpr std::size_t kMostBases = std::size_t{4} << 20;       ///< bytes of kept text
inline constexpr std::size_t kMostSteps = std::size_t{1} << 16;       ///< steps; of bases no more
inline constexpr std::size_t kMostDirectory = std::size_t{16} << 20;  ///< bytes of all but the content

struct RestoreBlock {
  std::vector<RestoreStep> steps;
  std::vector<KeptStretch> bases;        ///< kept text that content refers to
  std::vector<std::uint32_t> checksums;  ///< of steps that are checked: the lower half of XXH3-64
  std::string names;                     ///< of steps that begin a record, each ended by a zero byte
  std::string content;
  std::uint64_t restored = 0;  ///< bytes of the input that the steps stand for
  std::uint64_t hash = 0;      ///< XXH3-64 of these
};

[[nodiscard]] std::uint32_t record_checksum(std::string_view bytes) noexcept;

/// Bytes of content that a packed block has; 0 where it is none.
[[nodiscard]] std::uint64_t content_bytes(std::string_view packed) noexcept;

/// Packs blocks; keeps its compressor. One thread.
class BlockEncoder {
 public:
  BlockEncoder();
  ~BlockEncoder();
  /// Appends the packed block to `out`. `bases`: the bytes of block.bases, one after the other.
  Result<void> encode(const RestoreBlock& block, std::string_view bases, std::string& out);

 private:
  struct Zstd;
  std::unique_ptr<Zstd> zstd_;
};

/// Unpacks them. One thread. Whatever the bytes are, no more than the bounds above is allocated.
class BlockDecoder {
 public:
  BlockDecoder();
  ~BlockDecoder();
  /// All but the content. Fails with corrupt.
  Result<void> directory(std::string_view packed, RestoreBlock& block);
  /// The content of the block that directory() has read. `bases` as for encode(). Fails with corrupt; other
  /// bases than those may give any content, see check_content().
  Result<void> content(std::string_view packed, std::string_view bases, RestoreBlock& block);

 private:
  struct Zstd;
  std::unique_ptr<Zstd> zstd_;
};

/// Calls each(step, bytes, name) for the steps in their order: `bytes` is the content, or the base of a
/// record that equals it, and empty for steps without; `name` is that of a record that begins. Stops at the
/// first failure. REQUIRES a decoded block.
template <class Each>
Result<void> for_each_step(const RestoreBlock& block, std::string_view bases, Each each) {
  std::size_t content = 0, name = 0;
  std::vector<std::size_t> begins;
  for (std::size_t begin = 0; const KeptStretch& base : block.bases) {
    begins.push_back(begin);
    begin += base.size;
  }
  for (const RestoreStep& step : block.steps) {
    std::string_view bytes, named;
    if (step.begins_record()) {
      named = std::string_view(block.names).substr(name, block.names.find('\0', name) - name);
      name += named.size() + 1;
    }
    if (step.has_content()) {
      bytes = std::string_view(block.content).substr(content, step.value);
      content += step.value;
    } else if (step.kind == RestoreStep::Kind::same) {
      bytes = bases.substr(begins[step.value], block.bases[step.value].size);
    }
    if (Result<void> result = each(step, bytes, named); !result) return result;
  }
  return {};
}

/// Holds every record of a decoded block against its checksum. Fails with corrupt, naming the first that
/// comes out otherwise than it was, and the kept bytes it may come from.
[[nodiscard]] Result<void> check_content(const RestoreBlock& block, std::string_view bases);

}  // namespace leitong
