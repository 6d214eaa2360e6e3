#include "indexes.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

#include "encodings.hpp"
#include "overview.hpp"
#include "records.hpp"

namespace leitong::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = "unfinished", kSettings = "settings.json", kIndex = "index",
                           kSnapshots = ".snapshots";

bool is_name(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 64 && plain(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return plain(c) || c == '-' || c == '_'; });
}

/// A small file that is on the disk, with its name, when this returns.
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

Result<online::Durability> read_settings(const fs::path& file) {
  std::ifstream in(file);
  std::string json(std::istreambuf_iterator<char>(in), {});
  json.reserve(json.size() + kBodyPadding);
  if (auto settings = Question::read("application/json", json))
    if (const auto name = settings->text("durability"); name && *name)
      if (const auto durability = durability_of(**name)) return *durability;
  return fail(ErrorCode::corrupt, fmt::format("{}: is not what the server wrote", file.string()));
}

/// The file that makes a folder an index of the server.
Result<void> write_settings(const fs::path& place, online::Durability durability) {
  return write_file(place / kSettings,
                    fmt::format("{{\"durability\": \"{}\"}}\n", durability_name(durability)));
}

}  // namespace

std::string_view durability_name(online::Durability durability) noexcept {
  switch (durability) {
    case online::Durability::everysec:
      return "everysec";
    case online::Durability::none:
      return "none";
    case online::Durability::sync:
      break;
  }
  return "sync";
}

std::optional<online::Durability> durability_of(std::string_view name) noexcept {
  using online::Durability;
  for (const Durability each : {Durability::sync, Durability::everysec, Durability::none})
    if (durability_name(each) == name) return each;
  return {};
}

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

Indexes::Indexes(const Context& context, const Config& config, fs::path folder, Workers& workers)
    : context_(context), config_(config), folder_(std::move(folder)), workers_(workers) {}

Result<std::shared_ptr<HostedIndex>> Indexes::open(const std::string& name, online::Durability durability,
                                                   bool create) const {
  online::Settings settings;
  settings.durability = durability;
  settings.create = create;
  settings.postings_in_memory = config_.postings_in_memory;
  SERVER_ASSIGN(online::Index index, online::Index::open(context_, folder_ / name / kIndex, settings));
  return std::make_shared<HostedIndex>(name, durability, std::move(index), workers_);
}

void Indexes::open_all() {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    std::string name = entry.path().filename().string();
    if (!is_name(name) || !entry.is_directory(error)) continue;
    if (fs::exists(entry.path() / kUnfinished, error)) {
      fs::remove_all(entry.path(), error);
    } else if (fs::exists(entry.path() / kSettings, error)) {
      names.push_back(std::move(name));
    }
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    const auto durability = read_settings(folder_ / name / kSettings);
    auto index = durability ? open(name, *durability, false)
                            : Result<std::shared_ptr<HostedIndex>>(tl::make_unexpected(durability.error()));
    const std::scoped_lock lock(mutex_);
    if (index) {
      open_.emplace(name, *std::move(index));
    } else {
      broken_.emplace(name, index.error().message);
    }
  }
  if (names.empty()) {
    const auto made = create(std::string(kDefaultIndex), config_.durability);
    const std::scoped_lock lock(mutex_);
    if (!made) broken_.emplace(kDefaultIndex, made.error().detail);
  }
  const std::scoped_lock lock(mutex_);
  ready_ = true;
}

bool Indexes::ready() const {
  const std::scoped_lock lock(mutex_);
  return ready_ && broken_.empty();
}

std::map<std::string, std::string> Indexes::broken() const {
  const std::scoped_lock lock(mutex_);
  return {broken_.begin(), broken_.end()};
}

Outcome<std::shared_ptr<HostedIndex>> Indexes::find(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  if (const auto found = open_.find(name); found != open_.end()) return found->second;
  if (const auto bad = broken_.find(name); bad != broken_.end()) return problem(500, bad->second);
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

Outcome<bool> Indexes::create(const std::string& name, online::Durability durability) {
  if (!is_name(name))
    return problem(
        400,
        "the name of an index has 1 to 64 letters a-z, digits, - and _, and begins with a letter or a digit");
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = open_.find(name); found != open_.end()) {
      if (found->second->durability() == durability) return false;
      return problem(409, fmt::format("the index is there, with durability {}",
                                      durability_name(found->second->durability())));
    }
  }
  const fs::path place = folder_ / name;
  std::error_code error;
  if (!fs::create_directory(place, error) && !error)
    return problem(409,
                   "a folder of this name is in the data folder, or an index that is being made or removed");
  if (error)
    return tl::make_unexpected(
        to_problem({ErrorCode::io, fmt::format("{}: {}", place.string(), error.message())}));
  const auto made = [&]() -> Result<std::shared_ptr<HostedIndex>> {
    SERVER_TRY(write_file(place / kUnfinished, ""));
    SERVER_ASSIGN(auto index, open(name, durability, true));
    SERVER_TRY(write_settings(place, durability));
    fs::remove(place / kUnfinished);
    return index;
  }();
  if (!made) return tl::make_unexpected(to_problem(made.error()));
  const std::scoped_lock lock(mutex_);
  open_.emplace(name, *made);
  return true;
}

Outcome<void> Indexes::erase(const std::string& name, std::function<void()> done) {
  SERVER_ASSIGN(std::shared_ptr<HostedIndex> index, find(name));
  if (const auto marked = write_file(folder_ / name / kUnfinished, ""); !marked)
    return tl::make_unexpected(to_problem(marked.error()));
  {
    const std::scoped_lock lock(mutex_);
    if (open_.erase(name) == 0) return problem(404, "there is no index of this name");
  }
  index->when_closed([place = folder_ / name, done = std::move(done)] {
    std::error_code error;
    fs::remove_all(place, error);
    done();
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
    return write_settings(place, index.durability());
  }();
  if (made) return name;
  fs::remove_all(place, error);
  return tl::make_unexpected(to_problem(made.error()));
}

void Indexes::close() {
  const std::scoped_lock lock(mutex_);
  open_.clear();
}

}  // namespace leitong::server
