// Any bytes as a block and as the list of sources of a restorable file, with correct checksums: what a
// damaged or forged file may hold. It is refused, or unpacked within its bounds and packed again with the
// same result.
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "io/restorable_block.hpp"
#include "io/restorable_file.hpp"
#include "io/section_file.hpp"
#include "require.hpp"
#include "seeds.hpp"

using namespace std::string_view_literals;

// The first byte says what the rest is. Of a block: bytes restored (1), length of the directory (1), the
// directory, and the content. Steps: a copy of 5 bytes, a record of 3, the end; and a record that is base 0.
LEITONG_FUZZ_SEEDS(
    "b\x08\x0b\x03\x00\x28\x1a\x06\x00\x00\x00\x00"sv
    "a\x00"sv
    "abc"sv,
    "b\x04\x0b\x01\x01\x05\x00\x04\x00\x00\x00\x00"sv
    "a\x00"sv,
    "s\x00\x00\x00\x00\x00\x00\x00\x00"sv)

namespace {

using namespace leitong;

constexpr std::string_view kKept = "the kept text, of which parts are copied";

std::string packed(std::string_view bytes) {
  if (bytes.empty()) return {};
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

/// As docs/format.md has it.
std::string block_of(std::string_view directory, std::string_view content, std::uint64_t restored) {
  const std::string first = packed(directory), second = packed(content);
  std::string block;
  for (const std::size_t size : {directory.size(), first.size(), content.size(), second.size()}) {
    const auto number = static_cast<std::uint32_t>(size);
    block.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  block.append(reinterpret_cast<const char*>(&restored), sizeof restored).append(8, '\0');
  return block + first + second;
}

/// The bytes of the bases; nothing if they are outside of the kept bytes.
std::string bases_of(const RestoreBlock& block) {
  std::string bases;
  for (const KeptStretch& base : block.bases) {
    if (base.begin > kKept.size() || base.size > kKept.size() - base.begin) return {};
    bases += kKept.substr(base.begin, base.size);
  }
  return bases;
}

void try_block(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const auto restored = static_cast<unsigned char>(bytes[0]);
  const std::size_t size = std::min<std::size_t>(static_cast<unsigned char>(bytes[1]), bytes.size() - 2);
  const std::string_view content = bytes.substr(2 + size);
  const std::string given = block_of(bytes.substr(2, size), content, restored);
  BlockDecoder decoder;
  RestoreBlock block;
  if (!decoder.directory(given, block)) return;
  require(block.steps.size() <= kMostSteps && block.bases.size() <= kMostSteps);
  const std::string bases = bases_of(block);
  std::uint64_t base_bytes = 0;
  for (const KeptStretch& base : block.bases) base_bytes += base.size;
  require(base_bytes <= kMostBases);
  if (bases.size() != base_bytes || !decoder.content(given, bases, block)) return;
  require(block.content == content);
  std::uint64_t seen = 0;
  require(for_each_step(block, bases, [&](const RestoreStep& step, std::string_view part, std::string_view) {
            seen += step.kind == RestoreStep::Kind::copied ? step.value : part.size();
            return Result<void>();
          }).has_value());
  require(seen == block.restored);
  (void)check_content(block, bases);

  std::string again;
  require(BlockEncoder().encode(block, bases, again).has_value());
  RestoreBlock other;
  require(decoder.directory(again, other).has_value() && decoder.content(again, bases, other).has_value());
  require(other.content == block.content && other.names == block.names && other.bases == block.bases &&
          other.checksums == block.checksums && other.steps.size() == block.steps.size());
}

void try_sources(std::string_view bytes) {
  const int descriptor = ::memfd_create("fuzz", 0);
  require(descriptor >= 0);
  auto writer = SectionWriter::create(
      [&](std::string_view part) {
        require(::write(descriptor, part.data(), part.size()) == static_cast<ssize_t>(part.size()));
        return Result<void>();
      },
      "restorable", 1);
  require(writer.has_value());
  const std::uint64_t facts[4] = {};
  require(writer->begin("blocks") && writer->begin("block-ends") && writer->begin("sources") &&
          writer->append(bytes) && writer->section("facts", std::span<const std::uint64_t>(facts)) &&
          writer->finish());
  const auto file = RestorableFile::open("/proc/self/fd/" + std::to_string(descriptor));
  ::close(descriptor);
  require(file.has_value() ? file->sources().size() <= bytes.size() : !file.error().message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.empty()) return 0;
  if (bytes.front() == 'b')
    try_block(bytes.substr(1));
  else
    try_sources(bytes.substr(1));
  return 0;
}
