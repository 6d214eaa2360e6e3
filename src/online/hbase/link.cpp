#include "online/hbase/link.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.hpp"

namespace leitong::online {
namespace {

// The most connections.
constexpr std::size_t kConnections = 6;
// The most rows, and the most bytes of a put, in one call: as much as a server can easily hold in memory at
// once.
constexpr std::size_t kRowsInCall = 1000, kBytesInCall = std::size_t{4} << 20;

std::size_t bytes_of_row(const HBaseRow& row) {
  std::size_t bytes = row.key.size();
  for (const HBaseCell& cell : row.cells) bytes += cell.column.size() + cell.value.size();
  return bytes;
}

/// Calls each(part) with the rows of one call.
template <class Each>
Result<void> in_parts(const std::vector<HBaseRow>& rows, Each each) {
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t end = first, bytes = 0;
    while (end < rows.size() && end - first < kRowsInCall && bytes < kBytesInCall)
      bytes += bytes_of_row(rows[end++]);
    LEITONG_TRY(each({rows.begin() + static_cast<std::ptrdiff_t>(first),
                      rows.begin() + static_cast<std::ptrdiff_t>(end)}));
    first = end;
  }
  return {};
}

}  // namespace

HBaseLink::HBaseLink(HBaseAddress address, HBaseConnect connect, const Remote& settings, StopToken stop)
    : address_(std::move(address)),
      connect_(connect),
      settings_(settings),
      stop_(stop),
      table_("leitong_" + address_.name),
      circuit_(address_.shown(), settings, stop) {}
HBaseLink::~HBaseLink() = default;

tl::unexpected<Error> HBaseLink::not_understood(std::string_view what) const {
  return fail(ErrorCode::corrupt,
              fmt::format("{}: gave an answer that isn't understood ({}); is it a Thrift2 server of HBase "
                          "with the compact protocol, and is the index whole? leitong index verify compares "
                          "it",
                          address_.shown(), what));
}

Result<HBaseLink::Connection> HBaseLink::connection(bool& used) {
  ServerAddress server;
  {
    const std::scoped_lock lock(mutex_);
    used = !idle_.empty();
    if (used) {
      Connection idle = std::move(idle_.back());
      idle_.pop_back();
      return idle;
    }
    server = address_.servers[asked_ % address_.servers.size()];
  }
  auto made = connect_(server, address_.framed, settings_);
  if (made) return made;
  return fail(made.error().code, fmt::format("{}:{}: {}", server.host, server.port, made.error().message));
}

/// The right to use a connection.
class HBaseLink::Permit {
 public:
  explicit Permit(HBaseLink& link) : link_(link) {
    std::unique_lock lock(link_.mutex_);
    link_.returned_.wait(lock, [&] { return link_.in_use_ < kConnections; });
    ++link_.in_use_;
  }
  ~Permit() {
    {
      const std::scoped_lock lock(link_.mutex_);
      --link_.in_use_;
    }
    link_.returned_.notify_one();
  }
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;

 private:
  HBaseLink& link_;
};

template <class T, class Work>
Result<T> HBaseLink::ask(Work work) {
  const Permit permit(*this);
  LEITONG_TRY(circuit_.check());
  Circuit::Tries tries(circuit_);
  for (;;) {
    LEITONG_TRY(stop_.check());
    bool used = false;
    auto connected = connection(used);
    Result<T> answer = connected ? work(**connected) : tl::unexpected<Error>(connected.error());
    if (answer) {
      const std::scoped_lock lock(mutex_);
      idle_.push_back(std::move(*connected));
      return answer;
    }
    const Error& error = answer.error();
    if (error.code == ErrorCode::corrupt) return not_understood(error.message);
    if (error.code != ErrorCode::io)
      return fail(error.code, fmt::format("{}: {}", address_.shown(), error.message));
    if (used && tries.excuse_idle()) {
      const std::scoped_lock lock(mutex_);
      idle_.clear();
    } else {
      ++asked_;
      LEITONG_TRY(tries.again(error.message));
    }
  }
}

HBaseLink::Reads::Reads(HBaseLink& link) : link_(link) {
  const std::scoped_lock lock(link_.mutex_);
  link_.reads_ = this;
}
HBaseLink::Reads::~Reads() {
  const std::scoped_lock lock(link_.mutex_);
  link_.reads_ = nullptr;
}
bool HBaseLink::Reads::has(const std::string& row) const {
  const std::scoped_lock lock(link_.mutex_);
  const auto after = ranges_.upper_bound(row);
  return rows_.contains(row) || (after != ranges_.begin() && row < std::prev(after)->second);
}

Result<std::vector<std::vector<HBaseCell>>> HBaseLink::get(const std::vector<HBaseGet>& gets) {
  using Rows = std::vector<std::vector<HBaseCell>>;
  if (gets.size() <= kRowsInCall) {
    if (gets.empty()) return Rows();
    {
      const std::scoped_lock lock(mutex_);
      for (const HBaseGet& get : gets)
        if (reads_ != nullptr) reads_->rows_.insert(get.key);
    }
    return ask<Rows>([&](HBaseConnection& on) { return on.get(table_, gets); });
  }
  Rows all;
  for (std::size_t first = 0; first < gets.size(); first += kRowsInCall) {
    const auto begin = gets.begin() + static_cast<std::ptrdiff_t>(first);
    LEITONG_ASSIGN(
        Rows part,
        get({begin, begin + static_cast<std::ptrdiff_t>(std::min(kRowsInCall, gets.size() - first))}));
    std::ranges::move(part, std::back_inserter(all));
  }
  return all;
}

Result<void> HBaseLink::put(const std::vector<HBaseRow>& rows, std::uint64_t version) {
  return in_parts(rows, [&](const std::vector<HBaseRow>& part) {
    return ask<void>([&](HBaseConnection& on) { return on.put(table_, part, version); });
  });
}
Result<void> HBaseLink::remove(const std::vector<HBaseRow>& rows, std::uint64_t version) {
  return in_parts(rows, [&](const std::vector<HBaseRow>& part) {
    return ask<void>([&](HBaseConnection& on) { return on.remove(table_, part, version); });
  });
}
Result<std::vector<std::vector<HBaseRow>>> HBaseLink::scan(const std::vector<HBaseScan>& scans) {
  using Rows = std::vector<std::vector<HBaseRow>>;
  if (scans.empty()) return Rows();
  {
    const std::scoped_lock lock(mutex_);
    for (const HBaseScan& scan : scans)
      if (reads_ != nullptr) reads_->ranges_[scan.begin] = scan.end;
  }
  return ask<Rows>([&](HBaseConnection& on) { return on.scan(table_, scans); });
}
Result<bool> HBaseLink::put_if(const HBaseCheckedPut& put) {
  return ask<bool>([&](HBaseConnection& on) { return on.put_if(table_, put); });
}
Result<void> HBaseLink::create() {
  return ask<void>(
      [&](HBaseConnection& on) { return on.create({.name = table_, .regions = address_.regions}); });
}

}  // namespace leitong::online
