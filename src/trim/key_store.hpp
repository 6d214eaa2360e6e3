// The keys of all documents, on disk beyond the memory, and which of them repeat.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "base/pair.hpp"
#include "io/partitions.hpp"
#include "io/run_context.hpp"
#include "leitong/result.hpp"

namespace leitong {

/// Keys with the documents that they come from: 12 bytes each. First all are added, by one thread; then it is
/// asked which of them repeat.
class KeyStore {
 public:
  explicit KeyStore(RunContext& run) : run_(run), pairs_(run), writer_(pairs_) {
    waiting_.fill({0, kNoDocument});
  }

  /// Adds a key of a document. Keys are hashes: all of their bits are evenly distributed.
  Result<void> add(std::uint64_t key, DocId document);
  /// REQUIRED after the last one.
  Result<void> flush();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Calls `repeated(key, documents)` on any thread for each key that was added `least` times or more, with
  /// the document of each time. What was added is gone afterwards. Fails with io.
  using Repeated = std::function<void(std::uint64_t key, std::span<const DocId> documents)>;
  Result<void> find_repeated(std::uint64_t least, const Repeated& repeated);

 private:
  struct KeyOf {
    std::uint64_t key;
    DocId document;
  };

  RunContext& run_;
  Partitions pairs_;  // two keys, and their documents in one word
  Partitions::Writer writer_;
  std::array<KeyOf, Partitions::kCount> waiting_;  // for a second one
  std::uint64_t size_ = 0;
};

}  // namespace leitong
