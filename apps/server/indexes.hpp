// The indexes of a server, by name.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "config.hpp"
#include "data_folder.hpp"
#include "gather.hpp"
#include "leitong/context.hpp"
#include "leitong/online.hpp"
#include "problem.hpp"
#include "records.hpp"
#include "workers.hpp"

namespace leitong::server {

/// The index that a server makes if it has none.
inline constexpr std::string_view kDefaultIndex = "default";

/// An open index. Its users hold a shared pointer; it is closed when the last one is gone.
class HostedIndex : public std::enable_shared_from_this<HostedIndex> {
 public:
  HostedIndex(std::string name, online::Settings settings, bool is_remote, online::Index index,
              Workers& workers)
      : name_(std::move(name)),
        settings_(std::move(settings)),
        is_remote_(is_remote),
        index_(std::move(index)),
        gather_(*index_, workers) {}
  ~HostedIndex();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Those that it was made with.
  [[nodiscard]] const online::Settings& settings() const noexcept { return settings_; }
  /// Is it on a server of its own, which determines its durability?
  [[nodiscard]] bool is_remote() const noexcept { return is_remote_; }
  [[nodiscard]] online::Index& index() noexcept { return *index_; }
  /// As Gather::submit().
  void submit(Task task, std::vector<online::Text> texts, const online::Wanted& wanted,
              online::ExpectedVersion expected, Gather::Done done) {
    gather_.submit(task, std::move(texts), wanted, expected, std::move(done), shared_from_this());
  }
  [[nodiscard]] const Gather& gather() const noexcept { return gather_; }
  /// overview_json(), at most some seconds old, because it reads all texts.
  [[nodiscard]] Outcome<std::string> overview();
  /// For an index on a server: its figures at the last check.
  [[nodiscard]] online::Figures noted() const {
    const std::scoped_lock lock(noted_mutex_);
    return noted_;
  }
  void note(online::Figures figures) {
    const std::scoped_lock lock(noted_mutex_);
    noted_ = std::move(figures);
  }
  void when_closed(std::function<void()> then) { then_ = std::move(then); }

 private:
  std::string name_;
  online::Settings settings_;
  bool is_remote_;
  std::optional<online::Index> index_;
  Gather gather_;
  std::mutex overview_mutex_;
  std::string overview_;
  std::chrono::steady_clock::time_point overview_of_;
  mutable std::mutex noted_mutex_;
  online::Figures noted_;
  std::function<void()> then_;
};

/// Each index is a folder in the data folder: `index` of the library, and settings.json of the server. A
/// folder with a file `unfinished` was being made or removed. If this server is not doing so, an earlier one
/// died, because one server at a time uses the data folder: then the folder is removed at the start, or when
/// its name is needed. Other indexes are on servers (Config::homes), which are checked: an unreachable one is
/// tried again each second.
class Indexes {
 public:
  Indexes(const Context& context, const Config& config, const DataFolder& folder, Workers& workers);
  ~Indexes() { close(); }
  Indexes(const Indexes&) = delete;
  Indexes& operator=(const Indexes&) = delete;

  /// Opens the existing indexes, and makes `default` if there are none. Until then find() fails with 503.
  void open_all();
  /// Are all of them open, and does the data folder exist?
  [[nodiscard]] bool ready() const;
  [[nodiscard]] bool data_is_there() const noexcept { return data_.is_there(); }
  /// Indexes that cannot be opened, with the reason.
  [[nodiscard]] std::map<std::string, std::string> broken() const;
  /// Indexes whose servers cannot be reached, with the reason.
  [[nodiscard]] std::map<std::string, std::string> away() const;

  /// Problems: 404, 503 while they are opened or if one was never reached, 500 for a broken one.
  [[nodiscard]] Outcome<std::shared_ptr<HostedIndex>> find(std::string_view name) const;
  [[nodiscard]] std::vector<std::shared_ptr<HostedIndex>> all() const;
  /// Makes an index. False: it exists, with the same settings. Problems: 400 for a name, 409 for other
  /// settings, 503 if `most` (Limits::indexes) are open. A failure leaves nothing behind.
  [[nodiscard]] Outcome<bool> create(const std::string& name, const online::Settings& settings,
                                     std::uint64_t most);
  /// Removes an index from the list, and its files (also those behind links) when the last user is gone; then
  /// calls `done` with the result. Problem 404.
  [[nodiscard]] Outcome<void> erase(const std::string& name, std::function<void(Outcome<void>)> done);
  /// As online::Index::begin(). Problem 503 if `most` indexes and sources are open.
  [[nodiscard]] Outcome<bool> begin_source(HostedIndex& index, const std::string& source, std::uint64_t most);
  /// Copies the present index to the folder `.snapshots` of the data folder, and returns the name. Such a
  /// copy replaces an index if it is moved there while the server is stopped.
  [[nodiscard]] Outcome<std::string> snapshot(HostedIndex& index) const;
  void close();

 private:
  [[nodiscard]] Result<std::shared_ptr<HostedIndex>> open(const std::string& name,
                                                          const online::Settings& settings,
                                                          bool create) const;
  [[nodiscard]] Result<std::shared_ptr<HostedIndex>> open_remote(const std::string& name,
                                                                 const std::string& home, bool create) const;
  /// Opens it if it is not open, and notes whether it can be reached.
  void look_after(const std::string& name, const std::string& home);
  void watch();
  /// Is there room for one more index or open source? REQUIRES growing_mutex_.
  [[nodiscard]] Outcome<void> check_room(std::uint64_t most) const;
  /// Makes an index with a free name. REQUIRES growing_mutex_.
  [[nodiscard]] Outcome<void> add(const std::string& name, const online::Settings& settings);
  [[nodiscard]] Result<std::shared_ptr<HostedIndex>> make(const std::string& name,
                                                          const online::Settings& settings) const;

  const Context& context_;
  const Config config_;
  const DataFolder& data_;
  const std::filesystem::path folder_;
  Workers& workers_;
  std::mutex growing_mutex_;  // held while an index or a source is made, so that all are counted
  mutable std::mutex mutex_;
  bool ready_ = false;
  std::set<std::string, std::less<>> busy_;  // names of indexes that are being made or removed
  std::map<std::string, std::shared_ptr<HostedIndex>, std::less<>> open_;
  std::map<std::string, std::string, std::less<>> broken_, away_;
  std::mutex closing_mutex_;
  std::condition_variable closing_;
  bool is_closing_ = false;
  std::thread watch_;
};

}  // namespace leitong::server
