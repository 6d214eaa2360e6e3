// Connections to the Thrift2 servers of an HBase, for one index. A failed call is tried again, with growing
// pauses and a limited number of times; servers that never answer are not tried for a while.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/stop.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/circuit.hpp"
#include "online/hbase/address.hpp"
#include "online/hbase/connection.hpp"

namespace leitong::online {

/// Thread-safe. A Thrift server of HBase serves 16 connections at once by default, so only a few are used. A
/// call may be done twice, because a connection can be lost between the work and the answer: puts and
/// removals have the same result then, and after a checked put the caller reads whether its own put succeeded
/// (HBaseCommits). All functions fail with io if no server answers (at once if no server answered lately);
/// with corrupt for impossible answers; with not_found if there is no table; with cancelled.
class HBaseLink {
 public:
  HBaseLink(HBaseAddress address, HBaseConnect connect, const Remote& settings, StopToken stop);
  ~HBaseLink();
  HBaseLink(const HBaseLink&) = delete;
  HBaseLink& operator=(const HBaseLink&) = delete;

  Result<std::vector<std::vector<HBaseCell>>> get(const std::vector<HBaseGet>& gets);
  Result<void> put(const std::vector<HBaseRow>& rows, std::uint64_t version);
  Result<void> remove(const std::vector<HBaseRow>& rows, std::uint64_t version);
  Result<std::vector<std::vector<HBaseRow>>> scan(const std::vector<HBaseScan>& scans);
  Result<bool> put_if(const HBaseCheckedPut& put);
  Result<void> create();

  /// Notes the rows that any thread reads while this object exists. Only one such object may exist at a time.
  class Reads {
   public:
    explicit Reads(HBaseLink& link);
    ~Reads();
    Reads(const Reads&) = delete;
    Reads& operator=(const Reads&) = delete;

    /// Was this row read, or would a scan have read it?
    [[nodiscard]] bool has(const std::string& row) const;

   private:
    friend class HBaseLink;
    HBaseLink& link_;
    std::unordered_set<std::string> rows_;
    std::map<std::string, std::string> ranges_;  // begin -> end; ranges are equal or do not overlap
  };

  /// "hbase://host:port/name: gave an answer that isn't understood: .."
  [[nodiscard]] tl::unexpected<Error> not_understood(std::string_view what) const;
  [[nodiscard]] const HBaseAddress& address() const noexcept { return address_; }

 private:
  using Connection = std::unique_ptr<HBaseConnection>;
  /// Returns work(connection) of the first connection that answers.
  template <class T, class Work>
  Result<T> ask(Work work);
  /// Returns an idle connection (then `used` is true) or a new one. REQUIRES a Permit.
  Result<Connection> connection(bool& used);
  class Permit;

  const HBaseAddress address_;
  const HBaseConnect connect_;
  const Remote settings_;
  const StopToken stop_;
  const std::string table_;
  Circuit circuit_;
  std::atomic<std::size_t> asked_ = 0;  ///< index of the next server to try

  std::mutex mutex_;  // guards what follows
  std::condition_variable returned_;
  std::vector<Connection> idle_;
  std::size_t in_use_ = 0;
  Reads* reads_ = nullptr;
};

}  // namespace leitong::online
