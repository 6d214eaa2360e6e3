// The sources of an index that are open: their texts are set aside, and later shown together or discarded.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/committer.hpp"
#include "online/index_core.hpp"

namespace leitong::online {

class OnlineIndex;

class Sources {
 public:
  /// `index`: the index that all sources belong to; the other arguments are its parts.
  Sources(OnlineIndex& index, IndexCore& core, Committer& committer)
      : index_(index), core_(core), committer_(committer) {}

  /// Opens what is set aside, and completes the commit of a source that was interrupted, if it can be
  /// completed now.
  Result<void> load(const Beginning& beginning);
  /// Adds texts, and sets the texts of open sources aside.
  Result<std::vector<Answer>> add(std::span<const Text> texts, Look look, const Wanted& wanted,
                                  ExpectedVersion expected);
  Result<bool> begin(std::string_view source);
  Result<Committed> commit(std::string_view source);
  Result<void> rollback(std::string_view source);
  [[nodiscard]] std::vector<std::string> names();
  /// Verifies what is set aside.
  Result<void> verify();

  // The following REQUIRE the turn.
  /// Completes the commit of a source that an earlier change left unfinished, if there is one.
  Result<void> complete_commit();
  /// Adds the texts that `for_each` passes on, as those of a source that is committed.
  Result<void> add_rows(const std::function<Result<void>(const Store::EachRow&)>& for_each,
                        Committed& committed);

 private:
  /// A source whose texts are set aside, in an index of its own within the folder of this one. Thus they are
  /// durable and are compared with each other, and a rollback only deletes a folder.
  struct Aside {
    std::string source;
    std::filesystem::path folder;  // empty: in memory
    std::unique_ptr<OnlineIndex> index;
    std::shared_mutex in_use;  // held exclusively by the thread that ends the source
    bool over = false;
  };

  [[nodiscard]] tl::unexpected<Error> not_open(std::string_view source) const;
  Result<std::shared_ptr<Aside>> find(std::string_view source);
  Result<std::vector<Answer>> set_aside(Aside& aside, std::span<const Text> texts, Look look,
                                        const Wanted& wanted);
  /// Ends the source: no more texts are set aside for it.
  void end(Aside& aside);
  /// Deletes what was set aside.
  static void discard(Aside& aside);
  Result<Committed> commit_rest();
  Result<void> commit_part(std::span<CheckedText> texts, Committed& committed);

  OnlineIndex& index_;
  IndexCore& core_;
  Committer& committer_;
  std::mutex mutex_;  // guards `asides_`
  std::map<std::string, std::shared_ptr<Aside>, std::less<>> asides_;
  // Only the thread that has the turn changes these.
  std::uint32_t next_folder_ = 1;
  std::shared_ptr<Aside> committing_;
};

/// The folder of this number, for the texts of a source; empty for an index in memory.
[[nodiscard]] std::filesystem::path folder_aside(const std::filesystem::path& place, std::uint32_t number);

}  // namespace leitong::online
