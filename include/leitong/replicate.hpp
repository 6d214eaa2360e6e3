// Keeps an online index a copy of another one, by the changes that it reports.
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

/// As Index::changes().
using ChangesFn = std::function<Result<Changes>(std::string_view since, const ChangesWanted& wanted)>;

/// The index that becomes a copy, in this process or behind a network. All calls may be made again.
struct ReplicaCalls {
  ChangesFn changes;  ///< as Index::changes()
  /// As Index::check_and_add(): for each text why it was refused, empty if it was not.
  std::function<Result<std::vector<std::string>>(std::span<const Text>)> add;
  std::function<Result<void>(std::string_view id)> remove;  ///< as Index::remove()
};
/// Those of an index, which must outlive them.
[[nodiscard]] ReplicaCalls replica_calls(Index& index);

/// The progress of a copy. A file says how far it is, so that it goes on after a stop or a kill; the changes
/// after the last entry are then made again, which changes nothing. The copy has the texts of the other index
/// in their order. It compares them anew with keys of its own, so that answers may differ for texts close to
/// the threshold.
class Replication {
 public:
  /// What step() has done.
  struct Step {
    std::uint64_t added = 0;    ///< texts that came, those included that were there
    std::uint64_t removed = 0;  ///< texts that left
    bool more = false;          ///< there are already more changes
  };

  /// `names`: of the two indexes, for example their places. Without the file `cursor` all texts of the other
  /// index will be read, and what the copy has beyond them is removed at the end: then its ids are read at
  /// once. Fails with invalid_argument if the file belongs to other names, and as the calls do.
  [[nodiscard]] static Result<Replication> open(ChangesFn from, ReplicaCalls copy,
                                                std::filesystem::path cursor, std::string names);
  /// Moves from another one, which may then only be destroyed or assigned to.
  Replication(Replication&&) noexcept;
  /// As above.
  Replication& operator=(Replication&&) noexcept;
  ~Replication();

  /// Takes over up to 1000 changes. Fails as the calls do; step() may then be called again. A failure with
  /// not_found means that the cursor can't be used any more: remove the file, and open again.
  [[nodiscard]] Result<Step> step();

 private:
  class Impl;
  explicit Replication(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace leitong::online
