#include "corpus/batch.hpp"

#include <array>
#include <span>

#include "base/packing.hpp"

namespace leitong {
namespace {

std::array<std::uint64_t, 5> place_of(const Batch& batch) {
  return {batch.source, batch.source_count, batch.files, batch.position, batch.skipped_lines};
}

}  // namespace

void pack(const Batch& batch, std::string& state) {
  Packer packer(state);
  packer.value(place_of(batch));
  packer.value(batch.lines);
  packer.value(batch.other_records);
  packer.array(std::span<const AcceptedRecord>(batch.accepted));
  packer.value<std::uint64_t>(batch.rejected.size());
  for (const RejectedRecord& rejected : batch.rejected) {
    packer.value(rejected.line);
    packer.value(rejected.source);
    packer.value(rejected.cut_short);
    packer.text(rejected.id);
    packer.text(rejected.reason);
  }
  packer.array(std::span<const FileStamp>(batch.stamps));
}

Result<void> unpack(std::string_view state, Batch& batch) {
  Unpacker unpacker(state);
  if (unpacker.value<decltype(place_of(batch))>() != place_of(batch))
    return fail(ErrorCode::corrupt,
                "the input has changed since the stages were kept; begin with an empty folder");
  batch.lines = unpacker.value<std::uint64_t>();
  batch.other_records = unpacker.value<std::uint64_t>();
  unpacker.array(batch.accepted);
  batch.rejected.clear();
  for (auto rejected = unpacker.value<std::uint64_t>(); rejected > 0; --rejected) {
    RejectedRecord& record = batch.rejected.emplace_back();
    record.line = unpacker.value<std::uint64_t>();
    record.source = unpacker.value<std::uint32_t>();
    record.cut_short = unpacker.value<bool>();
    record.id = unpacker.text();
    record.reason = unpacker.text();
    if (record.reason.empty()) break;  // too short: done() reports it
  }
  unpacker.array(batch.stamps);
  return unpacker.done();
}

}  // namespace leitong
