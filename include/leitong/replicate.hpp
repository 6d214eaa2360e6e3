// Keeps an online index as a copy of another one, by the changes that the other one reports.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// The function Index::changes() of an index.
using ChangesFn = std::function<Result<Changes>(std::string_view since, const ChangesWanted& wanted)>;

/// The functions of the index that becomes a copy, in this process or behind a network. Any call may be
/// repeated.
struct ReplicaCalls {
  ChangesFn changes;  ///< Index::changes()
  /// Index::check_and_add(); returns for each text why it was refused, or an empty string if it was not.
  std::function<Result<std::vector<std::string>>(std::span<const Text>)> add;
  std::function<Result<void>(std::string_view id)> remove;  ///< Index::remove()
};
/// The functions of an index, which must outlive them.
[[nodiscard]] ReplicaCalls replica_calls(Index& index);

/// The progress of a copy. A file says how far the copy is, so that it continues after a stop or a kill. The
/// changes since the last entry are then made again, which has no effect. The copy has the texts of the other
/// index in their order. It compares them anew with keys of its own, so that answers may differ for texts
/// close to the threshold.
class Replication {
 public:
  /// What step() has done.
  struct Step {
    std::uint64_t added = 0;    ///< texts that were added, or that the copy had already
    std::uint64_t removed = 0;  ///< texts that left
    bool more = false;          ///< there are already more changes
  };

  /// `names`: the names of the two indexes, for example their places. Without the file `cursor` all texts of
  /// the other index are read, and other texts of the copy are removed at the end; for this the ids of the
  /// copy are read at the beginning. Fails with invalid_argument if the file belongs to other names, and as
  /// the calls do.
  [[nodiscard]] static Result<Replication> open(ChangesFn from, ReplicaCalls copy,
                                                std::filesystem::path cursor, std::string names);
  /// Moves the contents of another object, which may then only be destroyed or assigned to.
  Replication(Replication&&) noexcept;
  /// Moves in the same way.
  Replication& operator=(Replication&&) noexcept;
  ~Replication();

  /// Makes up to 1000 changes in the copy. Fails as the calls do; step() may then be called again. A failure
  /// with not_found means that the cursor can't be used any more: remove the file, and open again.
  [[nodiscard]] Result<Step> step();

 private:
  class Impl;
  explicit Replication(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::online
