// Connections to the Thrift2 servers of an HBase, for one index. What fails is tried again, a bounded number
// of times and ever more slowly; servers that never answer are left alone for a while.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/circuit.hpp"
#include "online/hbase/address.hpp"
#include "online/hbase/connection.hpp"

namespace leitong::online {

/// Any number of threads may ask at once. A Thrift server of HBase serves 16 connections at once, unless it
/// is told otherwise; so a few are used. All that is asked may be done twice, since the connection may be
/// lost when it was done and not yet answered: what is put and removed is the same then, and who puts on a
/// condition looks who was it (HBaseFingerprints). All fail with io where nobody answers, and at once where
/// nobody did lately; with corrupt for answers that aren't HBase's; with not_found if there is no table; with
/// cancelled.
class HBaseLink {
 public:
  HBaseLink(HBaseAddress address, HBaseConnect connect, const Remote& settings, StopToken stop);
  ~HBaseLink();
  HBaseLink(const HBaseLink&) = delete;
  HBaseLink& operator=(const HBaseLink&) = delete;

  Result<std::vector<std::vector<HBaseCell>>> get(const std::vector<HBaseGet>& gets);
  Result<void> put(const std::vector<HBaseRow>& rows);
  Result<void> remove(const std::vector<HBaseRow>& rows);
  Result<std::vector<std::vector<HBaseRow>>> scan(const std::vector<HBaseScan>& scans);
  /// Of one that was done and not answered it may be said that it wasn't.
  enum class Order : std::uint8_t { kept, any };
  Result<std::vector<bool>> put_if(const std::vector<HBaseCheckedPut>& puts, Order order = Order::kept);
  Result<void> create();

  /// "hbase://host:port/name: gave an answer that isn't understood: .."
  [[nodiscard]] tl::unexpected<Error> not_understood(std::string_view what) const;
  [[nodiscard]] const HBaseAddress& address() const noexcept { return address_; }
  /// Pauses of who waits for another client.
  [[nodiscard]] const Circuit& circuit() const noexcept { return circuit_; }

 private:
  using Connection = std::unique_ptr<HBaseConnection>;
  /// Returns work(connection), from the first connection that gives an answer.
  template <class T, class Work>
  Result<T> ask(Work work);
  /// An idle one, or a new one; which of them, goes to `used`. REQUIRES a seat.
  Result<Connection> connection(bool& used);
  class Seat;

  const HBaseAddress address_;
  const HBaseConnect connect_;
  const Remote settings_;
  const StopToken stop_;
  const std::string table_;
  Circuit circuit_;

  std::mutex mutex_;  // of what follows
  std::condition_variable returned_;
  std::vector<Connection> idle_;
  std::size_t in_use_ = 0;
  std::size_t asked_ = 0;  ///< which of the servers is asked next
};

}  // namespace leitong::online
