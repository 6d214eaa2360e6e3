#include "dedup/sketched_batch.hpp"

#include "base/packing.hpp"
#include "base/try.hpp"

namespace leitong {

void pack(const SketchedBatch& batch, std::string_view source_state, std::string& bytes) {
  Packer packer(bytes);
  packer.text(source_state);
  packer.array(std::span<const std::uint32_t>(batch.rows.units));
  packer.array(std::span<const std::uint64_t>(batch.rows.content));
  packer.array(std::span<const std::uint64_t>(batch.words));
  packer.array(std::span<const std::uint64_t>(batch.word_ends));
  packer.array(std::span<const std::uint32_t>(batch.selected));
  packer.array(std::span<const std::uint32_t>(batch.extents));
  packer.array(std::span<const std::uint64_t>(batch.selected_ends));
  packer.value(batch.text_bytes);
  packer.value(batch.artifacts);
}

Result<std::string_view> unpack(std::string_view bytes, SketchedBatch& batch) {
  Unpacker unpacker(bytes);
  const std::string_view source_state = unpacker.text();
  unpacker.array(batch.rows.units);
  unpacker.array(batch.rows.content);
  unpacker.array(batch.words);
  unpacker.array(batch.word_ends);
  unpacker.array(batch.selected);
  unpacker.array(batch.extents);
  unpacker.array(batch.selected_ends);
  batch.text_bytes = unpacker.value<std::uint64_t>();
  batch.artifacts = unpacker.value<PageArtifactCounts>();
  LEITONG_TRY(unpacker.done());
  return source_state;
}

}  // namespace leitong
