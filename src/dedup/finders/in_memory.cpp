#include "dedup/finders/in_memory.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/memory.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

constexpr std::size_t kBatch = 4096;

}  // namespace

Result<void> SketchMemory::check(std::uint64_t documents, std::uint64_t bytes_each) const {
  const std::uint64_t needed = documents * bytes_each;
  if (memory_.limit() == 0 || needed <= memory_.for_buffers()) return {};
  const std::uint64_t least = MemoryBudget::least(documents) + needed;
  return fail(
      ErrorCode::limit,
      fmt::format("the memory budget is too small: the method {} keeps {} bytes a document in memory, "
                  "and {} documents want at least {}M so far; only the default method works from disk",
                  method_, bytes_each, documents, (least >> 20) + 1),
      "memory");
}

void AllPairsWarning::say() const {
  const std::uint64_t documents = table_.units.size();
  const LogFn& log = context_.settings().log;
  if (!log || documents < kMany) return;
  log(LogLevel::warning,
      fmt::format("the method {} finds every similar pair: if many of the {} texts are alike, its time grows "
                  "with the square of their number; the default method's doesn't",
                  method_, documents));
}

Result<void> CandidateBatch::add(DocId a, DocId b, double score) {
  batch_.push_back({.a = std::min(a, b), .b = std::max(a, b), .score = static_cast<float>(score)});
  ++size_;
  return batch_.size() == kBatch ? pass_on() : Result<void>{};
}

Result<void> CandidateBatch::finish() {
  LEITONG_TRY(pass_on());
  return sink_.flush();
}

Result<void> CandidateBatch::pass_on() {
  LEITONG_TRY(sink_.offer(batch_));
  batch_.clear();
  return sink_.full() ? sink_.flush() : Result<void>{};
}

}  // namespace leitong
