// A block of a restorable file: how a part of the input is made from the kept bytes and from the block's own
// content. docs/format.md documents the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/result.hpp"

namespace leitong {

/// A part of the kept bytes. The bytes of several files count as one sequence, in the order of the sources.
struct KeptStretch {
  std::uint64_t begin = 0, size = 0;
  bool operator==(const KeptStretch&) const = default;
};

/// The next part of the input.
struct RestoreStep {
  enum class Kind : std::uint8_t {
    copied,     ///< `value` kept bytes, after those of the step before
    skipped,    ///< nothing; skips `value` kept bytes
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
  /// Do the restored bytes have a checksum of their own?
  [[nodiscard]] bool is_checked() const noexcept { return has_content() || kind == Kind::same; }
};

/// Limits for every block, so that it takes a known amount of memory.
inline constexpr std::size_t kRestorePart = std::size_t{1} << 20;  ///< bytes of content in one step
inline constexpr std::size_t kMostContent = std::size_t{2} << 20;  ///< bytes
inline constexpr std::size_t kMostBases = std::size_t{4} << 20;    ///< bytes of kept text
inline constexpr std::size_t kMostSteps = std::size_t{1} << 16;    ///< steps; also the most bases
/// Bytes of everything except the content.
inline constexpr std::size_t kMostDirectory = std::size_t{16} << 20;

struct RestoreBlock {
  std::vector<RestoreStep> steps;
  std::vector<KeptStretch> bases;        ///< kept text to which content refers
  std::vector<std::uint32_t> checksums;  ///< for checked steps: the lower half of XXH3-64
  std::string names;                     ///< of steps that begin a record, each ended by a zero byte
  std::string content;
  std::uint64_t restored = 0;  ///< bytes of the input that the steps make
  std::uint64_t hash = 0;      ///< XXH3-64 of these
};

[[nodiscard]] std::uint32_t record_checksum(std::string_view bytes) noexcept;

/// The bytes of content of a packed block; 0 if it is none.
[[nodiscard]] std::uint64_t content_bytes(std::string_view packed) noexcept;

/// Packs blocks; keeps its compressor. For one thread.
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

/// Unpacks blocks. For one thread. Allocates no more than the limits above, whatever the bytes are.
class BlockDecoder {
 public:
  BlockDecoder();
  ~BlockDecoder();
  /// Reads everything except the content. Fails with corrupt.
  Result<void> directory(std::string_view packed, RestoreBlock& block);
  /// Reads the content of the block of directory(). `bases` as for encode(); with others the content is
  /// undefined, see check_content(). Fails with corrupt.
  Result<void> content(std::string_view packed, std::string_view bases, RestoreBlock& block);

 private:
  struct Zstd;
  std::unique_ptr<Zstd> zstd_;
};

/// Calls each(step, bytes, name) for the steps in their order. `bytes` is the content, or the base of a
/// record that equals it; otherwise empty. `name` is that of a record that begins. Stops at the first
/// failure. REQUIRES a decoded block.
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

/// Verifies the checksum of every record of a decoded block. Fails with corrupt, naming the first record that
/// differs and the kept bytes that may be the cause.
[[nodiscard]] Result<void> check_content(const RestoreBlock& block, std::string_view bases);

}  // namespace leitong
