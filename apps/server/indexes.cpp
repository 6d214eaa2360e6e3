#include "indexes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <exception>

#include "encodings.hpp"
#include "index_settings.hpp"
#include "log.hpp"
#include "overview.hpp"
#include "regular_file.hpp"

namespace leitong::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = "unfinished", kSettings = "settings.json", kIndex = "index",
                           kSnapshots = ".snapshots";
// The interval between two checks of the servers of indexes.
constexpr std::chrono::seconds kLook{1};

/// Writes a small file durably, with its name.
Result<void> write_file(const fs::path& path, std::string_view content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int folder = ::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool written =
      file >= 0 && folder >= 0 &&
      ::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()) &&
      ::fsync(file) == 0 && ::fsync(folder) == 0;
  if (file >= 0) ::close(file);
  if (folder >= 0) ::close(folder);
  if (written) return {};
  return fail(ErrorCode::io, fmt::format("{}: can't be written", path.string()));
}

Result<online::Settings> read_settings(const fs::path& file, const Config& config) {
  constexpr std::uint64_t kMostBytes = 1 << 20;
  SERVER_ASSIGN(RegularFile read, read_regular_file(file, "the file of settings", kMostBytes));
  std::string json = std::move(read.bytes);
  json.reserve(json.size() + kBodyPadding);
  online::Settings settings = config.index;
  if (auto question = Question::read("application/json", json))
    if (read_settings(*question, settings)) return settings;
  return fail(ErrorCode::corrupt, fmt::format("{}: is not what the server wrote", file.string()));
}

/// Removes the folder of an index and the targets of links in it. The mark is removed last, so that the rest
/// after a failure counts as unfinished.
Outcome<void> remove_folder(const fs::path& place) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(place, error))) return {};
  const fs::path folder = fs::canonical(place, error);
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename() == kUnfinished) continue;
    if (entry.is_symlink(error) && entry.is_directory(error))
      fs::remove_all(fs::canonical(entry.path(), error), error);
    if (!error) fs::remove_all(entry.path(), error);
    if (error) break;
  }
  if (!error) fs::remove_all(folder, error);
  if (!error) fs::remove(place, error);  // a link, if it still exists
  if (!error) return {};
  return problem(
      503, fmt::format("the index is gone, but not all of its files could be removed: {}; the next start of "
                       "the server, or a new index of this name, removes them",
                       error.message()));
}

/// Writes the file that makes a folder an index of the server.
Result<void> write_settings(const fs::path& place, const online::Settings& settings) {
  return write_file(place / kSettings, settings_json(settings) + "\n");
}

}  // namespace

Outcome<std::string> HostedIndex::overview() {
  constexpr std::chrono::seconds kFresh{10};
  const std::scoped_lock lock(overview_mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (overview_.empty() || now - overview_of_ > kFresh) {
    SERVER_ASSIGN(overview_, overview_json(*index_));
    overview_of_ = std::chrono::steady_clock::now();
  }
  return overview_;
}

HostedIndex::~HostedIndex() {
  index_.reset();
  if (then_) then_();
}

Indexes::Indexes(const Context& context, const Config& config, const DataFolder& folder, Workers& workers)
    : context_(context), config_(config), data_(folder), folder_(folder.path()), workers_(workers) {}

Result<std::shared_ptr<HostedIndex>> Indexes::open(const std::string& name, const online::Settings& its,
                                                   bool create) const {
  online::Settings settings = its;
  settings.create = create;
  SERVER_ASSIGN(online::Index index, online::Index::open(context_, folder_ / name / kIndex, settings));
  return std::make_shared<HostedIndex>(name, its, false, std::move(index), workers_);
}

Result<std::shared_ptr<HostedIndex>> Indexes::open_remote(const std::string& name, const std::string& home,
                                                          bool create) const {
  online::Settings settings;
  settings.create = create;
  // Requests do not wait long for a server that is down: they get an error.
  settings.remote = {.tries = 3, .pause = std::chrono::milliseconds(500)};
  SERVER_ASSIGN(online::Index index, online::Index::open(context_, home, settings));
  SERVER_ASSIGN(online::Figures figures, index.figures());
  settings.scheme = figures.scheme.substr(0, figures.scheme.find(' '));
  auto hosted = std::make_shared<HostedIndex>(name, std::move(settings), true, std::move(index), workers_);
  hosted->note(std::move(figures));
  return hosted;
}

void Indexes::look_after(const std::string& name, const std::string& home) {
  std::shared_ptr<HostedIndex> index;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = open_.find(name); found != open_.end()) index = found->second;
  }
  std::string trouble;
  if (index != nullptr) {
    if (auto asked = index->index().figures())
      index->note(*std::move(asked));
    else
      trouble = asked.error().message;
  }
  if (index == nullptr || !trouble.empty()) {
    // An index that was open is not made again: its loss should be noticed.
    auto opened = open_remote(name, home, index == nullptr);
    if (opened) {
      trouble.clear();
      const std::scoped_lock lock(mutex_);
      open_[name] = *std::move(opened);
    } else {
      trouble = opened.error().message;
    }
  }
  const std::scoped_lock lock(mutex_);
  if (trouble.empty()) {
    if (away_.erase(name) > 0) LogLine(Level::info, "index is reached again").text("index", name);
  } else if (away_.insert_or_assign(name, trouble).second) {
    LogLine(Level::error, "index is not reached").text("index", name).text("message", trouble);
  }
}

void Indexes::watch() {
  for (std::unique_lock lock(closing_mutex_); !closing_.wait_for(lock, kLook, [&] { return is_closing_; });) {
    lock.unlock();
    try {
      for (const auto& [name, home] : config_.homes)
        if (!broken().contains(name)) look_after(name, home);
    } catch (const std::exception& error) {
      log_exception("watch", error);
    }
    lock.lock();
  }
}

void Indexes::open_all() {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    std::string name = entry.path().filename().string();
    if (!is_index_name(name) || !entry.is_directory(error)) continue;
    if (fs::exists(entry.path() / kUnfinished, error)) {
      if (const auto removed = remove_folder(entry.path()); !removed)
        LogLine(Level::error, "unfinished index").text("index", name).text("message", removed.error().detail);
    } else if (fs::exists(entry.path() / kSettings, error)) {
      names.push_back(std::move(name));
    }
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    const auto settings = read_settings(folder_ / name / kSettings, config_);
    auto index = settings ? open(name, *settings, false)
                          : Result<std::shared_ptr<HostedIndex>>(tl::make_unexpected(settings.error()));
    const std::scoped_lock lock(mutex_);
    if (index) {
      open_.emplace(name, *std::move(index));
    } else {
      broken_.emplace(name, index.error().message);
    }
  }
  for (const auto& [name, home] : config_.homes) {
    if (std::ranges::binary_search(names, name)) {
      const std::scoped_lock lock(mutex_);
      open_.erase(name);
      broken_[name] =
          "the data folder has an index of this name, and the configuration another one on a server";
    } else {
      look_after(name, home);
    }
  }
  if (!config_.homes.empty()) {
    if (auto started = start_thread([this] { watch(); }))
      watch_ = *std::move(started);
    else
      LogLine(Level::error, "servers of indexes are not looked after")
          .text("message", started.error().message);
  }
  if (names.empty() && config_.homes.empty()) {
    const std::scoped_lock growing(growing_mutex_);
    const auto made = add(std::string(kDefaultIndex), config_.index);
    const std::scoped_lock lock(mutex_);
    if (!made) broken_.emplace(kDefaultIndex, made.error().detail);
  }
  const std::scoped_lock lock(mutex_);
  ready_ = true;
}

bool Indexes::ready() const {
  const std::scoped_lock lock(mutex_);
  return ready_ && broken_.empty() && away_.empty() && data_.is_there();
}

std::map<std::string, std::string> Indexes::away() const {
  const std::scoped_lock lock(mutex_);
  return {away_.begin(), away_.end()};
}

std::map<std::string, std::string> Indexes::broken() const {
  const std::scoped_lock lock(mutex_);
  return {broken_.begin(), broken_.end()};
}

Outcome<std::shared_ptr<HostedIndex>> Indexes::find(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  if (const auto found = open_.find(name); found != open_.end()) return found->second;
  if (const auto bad = broken_.find(name); bad != broken_.end()) return problem(500, bad->second);
  if (const auto far = away_.find(name); far != away_.end()) return problem(503, far->second, 1);
  if (!ready_) return problem(503, "the indexes are being opened", 1);
  return problem(404, "there is no index of this name; PUT makes one");
}

std::vector<std::shared_ptr<HostedIndex>> Indexes::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<HostedIndex>> indexes;
  indexes.reserve(open_.size());
  for (const auto& [name, index] : open_) indexes.push_back(index);
  return indexes;
}

Outcome<void> Indexes::check_room(std::uint64_t most) const {
  std::size_t open = 0;
  for (const auto& index : all()) open += 1 + index->index().open_sources().size();
  if (open < most) return {};
  return problem(
      503,
      fmt::format("the server has {} indexes and open sources, and may have {} (limits.indexes); delete an "
                  "index, or commit or roll back a source",
                  open, most),
      60);
}

Outcome<bool> Indexes::begin_source(HostedIndex& index, const std::string& source, std::uint64_t most) {
  const std::scoped_lock growing(growing_mutex_);
  const auto open = index.index().open_sources();
  if (std::ranges::find(open, source) == open.end()) SERVER_TRY(check_room(most));
  return outcome(index.index().begin(source));
}

Result<std::shared_ptr<HostedIndex>> Indexes::make(const std::string& name,
                                                   const online::Settings& settings) const {
  const fs::path place = folder_ / name;
  std::error_code error;
  if (!fs::create_directory(place, error))
    return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", place.string(), error.message()));
  SERVER_TRY(write_file(place / kUnfinished, ""));
  SERVER_ASSIGN(auto index, open(name, settings, true));
  SERVER_TRY(write_settings(place, settings));
  fs::remove(place / kUnfinished, error);
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", place.string(), error.message()));
  return index;
}

Outcome<bool> Indexes::create(const std::string& name, const online::Settings& settings, std::uint64_t most) {
  if (!is_index_name(name))
    return problem(
        400,
        "the name of an index has 1 to 64 letters a-z, digits, - and _, and begins with a letter or a digit");
  if (config_.homes.contains(name))
    return problem(409, "this index is on a server, as the configuration says; it is made there");
  const std::scoped_lock growing(growing_mutex_);
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = open_.find(name); found != open_.end()) {
      const std::string its = settings_json(found->second->settings());
      if (its == settings_json(settings)) return false;
      return problem(409, fmt::format("the index is there, with the settings {}", its));
    }
    if (busy_.contains(name)) return problem(409, "an index of this name is being removed");
    if (!ready_) return problem(503, "the indexes are being opened", 1);
  }
  SERVER_TRY(check_room(most));
  SERVER_TRY(add(name, settings));
  return true;
}

Outcome<void> Indexes::add(const std::string& name, const online::Settings& settings) {
  const fs::path place = folder_ / name;
  std::error_code error;
  if (fs::exists(fs::symlink_status(place, error))) {
    if (!fs::exists(place / kUnfinished, error))
      return problem(409, "a folder of this name is in the data folder");
    SERVER_TRY(remove_folder(place));
  }
  auto made = make(name, settings);
  if (!made) {
    Problem refused = to_problem(made.error());
    made = {};  // closes its files
    if (const auto removed = remove_folder(place); !removed) refused.detail += "; " + removed.error().detail;
    return tl::make_unexpected(std::move(refused));
  }
  const std::scoped_lock lock(mutex_);
  open_.emplace(name, *std::move(made));
  return {};
}

Outcome<void> Indexes::erase(const std::string& name, std::function<void(Outcome<void>)> done) {
  if (config_.homes.contains(name))
    return problem(409, "this index is on a server, as the configuration says; delete it there");
  SERVER_ASSIGN(std::shared_ptr<HostedIndex> index, find(name));
  SERVER_TRY(outcome(write_file(folder_ / name / kUnfinished, "")));
  {
    const std::scoped_lock lock(mutex_);
    if (open_.erase(name) == 0) return problem(404, "there is no index of this name");
    busy_.insert(name);
  }
  index->when_closed([this, name, done = std::move(done)] {
    Outcome<void> removed = remove_folder(folder_ / name);
    {
      const std::scoped_lock lock(mutex_);
      busy_.erase(name);
    }
    done(std::move(removed));
  });
  return {};
}

Outcome<std::string> Indexes::snapshot(HostedIndex& index) const {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char moment[32] = "";
  std::strftime(moment, sizeof moment, "%Y%m%dT%H%M%SZ", &parts);
  const std::string name = fmt::format("{}-{}", index.name(), moment);
  const fs::path place = folder_ / kSnapshots / name;
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (!fs::create_directory(place, error)) return problem(409, "a snapshot of this second is there already");
  const auto made = [&]() -> Result<void> {
    SERVER_TRY(index.index().snapshot(place / kIndex));
    return write_settings(place, index.settings());
  }();
  if (made) return name;
  fs::remove_all(place, error);
  return tl::make_unexpected(to_problem(made.error()));
}

void Indexes::close() {
  {
    const std::scoped_lock lock(closing_mutex_);
    is_closing_ = true;
  }
  closing_.notify_all();
  if (watch_.joinable()) watch_.join();
  const std::scoped_lock lock(mutex_);
  open_.clear();
}

}  // namespace leitong::server
