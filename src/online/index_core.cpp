#include "online/index_core.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/try.hpp"
#include "io/read_file.hpp"
#include "io/staged.hpp"
#include "similarity/passages.hpp"

namespace leitong::online {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> advised(Error error) {
  if (error.code == ErrorCode::corrupt) error.message += "; `leitong index repair` keeps what can be read";
  return tl::unexpected<Error>(std::move(error));
}

/// Makes or reads the file of the index's random bits. A repair makes new ones if they are lost.
Result<SipKey> secret_of(const fs::path& place, bool create, bool to_repair) {
  const fs::path path = place / "secret";
  SipKey bits = random_secret();
  std::error_code none;
  if (to_repair && fs::file_size(path, none) != sizeof bits) fs::remove(path, none);
  if (const int fd = create || to_repair
                         ? ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
                         : -1;
      fd >= 0) {
    const bool written = ::write(fd, &bits, sizeof bits) == sizeof bits && ::fsync(fd) == 0;
    const int error = errno;
    ::close(fd);
    if (!written) {
      ::unlink(path.c_str());
      return fail(ErrorCode::io,
                  fmt::format("{}: can't be written: {}", path.string(), std::strerror(error)));
    }
    LEITONG_TRY(sync_folder_of(path));
    return bits;
  }
  if (std::error_code error; !fs::exists(path, error))
    return fail(ErrorCode::corrupt,
                fmt::format("{}: is missing; repair the index by `leitong index repair`", path.string()));
  LEITONG_ASSIGN(const std::string bytes, read_whole_file(path, 1 << 10));
  if (bytes.size() != sizeof bits)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: has {} bytes in place of {}; repair the index by `leitong index repair`",
                            path.string(), bytes.size(), sizeof bits));
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return bits;
}

/// Makes the folder and those above it, durably.
Result<void> make_folder(const fs::path& place) {
  std::error_code error;
  if (fs::exists(place, error)) return {};
  const fs::path whole = fs::absolute(place, error).lexically_normal();
  if (const fs::path above = whole.parent_path(); above != whole) LEITONG_TRY(make_folder(above));
  fs::create_directory(whole, error);
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be made: {}", place.string(), error.message()));
  return sync_folder_of(whole);
}

/// Checks that a place without an index is an empty folder or does not exist.
Result<void> check_place(const fs::path& place, bool create) {
  std::error_code error;
  if (!create) return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  LEITONG_TRY(make_folder(place));
  for (const fs::directory_entry& entry : fs::directory_iterator(place, error)) {
    const std::string name = entry.path().filename().string();
    if (name != "secret" && name != "texts")
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: is a folder of other files ({}); name one that is empty or isn't there",
                              place.string(), name));
  }
  if (error)
    return fail(ErrorCode::io, fmt::format("{}: can't be read: {}", place.string(), error.message()));
  return {};
}

}  // namespace

Result<std::unique_ptr<IndexCore>> IndexCore::open(const Context& context, const fs::path& place,
                                                   const Settings& settings, bool to_repair,
                                                   LogOfWrites log) {
  SipKey bits = random_secret();
  if (!place.empty()) {
    bool is_there = to_repair;
    if (!to_repair) {
      auto found = holds_index(place);
      if (!found) return advised(std::move(found).error());
      is_there = *found;
    }
    // If no index can be made with these settings, no folder is made.
    if (!is_there && settings.create) LEITONG_TRY(open_index_scheme(context, settings, {}, {}));
    if (!is_there) LEITONG_TRY(check_place(place, settings.create));
    LEITONG_ASSIGN(bits, secret_of(place, !is_there, to_repair));
  }
  auto core = std::make_unique<IndexCore>(context, place, settings, bits);
  auto store = Store::open(place, settings, log);
  if (!store && !to_repair) return advised(std::move(store).error());
  bool gave_up = false;
  if (!store && store.error().code == ErrorCode::corrupt) {
    const std::string damage = store.error().message;
    LEITONG_TRY(restore_manifest(place));
    store = Store::open(place, settings, log);
    gave_up = !store;
    if (gave_up) {
      // RocksDB would remove the files that a damaged manifest does not name.
      LEITONG_ASSIGN(const auto remains, Store::open_damaged(place));
      const auto spec = remains->spec();
      if (!spec || !*spec) return fail(ErrorCode::corrupt, damage);
    }
    if (gave_up) store = Store::open(place, settings, LogOfWrites::until_damage);
    if (const LogFn& say = context.settings().log; say && store)
      say(LogLevel::warning,
          damage + (gave_up ? "; what was written after the damage, if anything, is given up"
                            : "; it was restored"));
  }
  LEITONG_ASSIGN(core->store, std::move(store));
  if (gave_up) {
    // A follower may have seen writes that are discarded now.
    LEITONG_ASSIGN(Change change, core->store->change());
    change.put_history(random_secret().low);
    LEITONG_TRY(core->store->commit(change));
  }
  LEITONG_ASSIGN(const std::optional<IndexSpec> stored, core->store->spec());
  if (!stored && !settings.create)
    return fail(ErrorCode::not_found, fmt::format("{}: there is no index here", place.string()));
  LEITONG_ASSIGN(core->scheme, open_index_scheme(context, settings, place, stored));
  if (!stored) LEITONG_TRY(core->store->set_spec(core->scheme->spec(), bits));
  if (stored && !place.empty()) LEITONG_TRY(core->store->check_secret(bits, to_repair));
  return core;
}

tl::unexpected<Error> IndexCore::damaged(std::string_view what) const {
  return fail(ErrorCode::corrupt,
              fmt::format("{}: {}; repair the index by `leitong index repair`", place.string(), what));
}

Result<void> IndexCore::check_in_step() const {
  if (!out_of_step) return {};
  return fail(ErrorCode::io,
              fmt::format("{}: there was no memory to show what was stored; close the index and open "
                          "it again",
                          name()));
}

Result<void> IndexCore::check_one(const View& view, CheckScratch& scratch, CheckedText& text,
                                  Explanation* explanation) const {
  CheckedText* const one = &text;
  return scheme->check(view, *store, scratch, {&one, 1}, explanation);
}

Result<void> IndexCore::add_passages(const CheckedText& text, Answer& answer, CheckScratch& scratch) const {
  const auto find = [&](TextNumber number, Match& match) -> Result<void> {
    std::span<const Unit> units;
    LEITONG_ASSIGN(const bool there, read_text({state}, *store, number, text.keys.folding, scratch, units));
    if (there) match.passages = shared_passages(text.text, scratch.text, text.keys.folding).passages;
    return {};
  };
  if (answer.match && !answer.known) LEITONG_TRY(find(text.match, *answer.match));
  for (std::size_t i = 0; i < answer.others.size(); ++i)
    LEITONG_TRY(find(text.others[i].text, answer.others[i]));
  return {};
}

}  // namespace leitong::online
