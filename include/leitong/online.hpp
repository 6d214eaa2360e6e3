// Have we seen this text, or one nearly like it? An index that grows while it is asked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/context.hpp"
#include "leitong/input.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// When an addition counts as done. What was acknowledged survives the death of the process at every level;
/// they differ in what a power failure takes.
enum class Durability : std::uint8_t {
  sync,      ///< nothing: it is on the disk before the call returns; additions of many threads share a sync
  everysec,  ///< up to the last second and a half
  none,      ///< what the system hadn't written yet, usually the last half minute
};

/// How an index is opened.
struct Settings {
  Durability durability = Durability::sync;  ///< of additions and removals
  /// Make an empty index where there is none. Otherwise that is ErrorCode::not_found.
  bool create = true;
  /// Postings that are kept in memory before they become a file: 40 bytes each.
  std::uint32_t postings_in_memory = 1'000'000;
};

/// A text with its name.
struct Text {
  std::string_view id;    ///< 1 to kMostIdBytes bytes; not looked at by check()
  std::string_view text;  ///< valid UTF-8, up to kMostTextBytes bytes
};

/// Longest id.
inline constexpr std::size_t kMostIdBytes = 1024;
/// Longest text.
inline constexpr std::size_t kMostTextBytes = std::size_t{256} << 20;

/// What a text is to those that came before.
enum class Verdict : std::uint8_t {
  fresh,    ///< "new": no text of the index is similar
  exact,    ///< the same after folding
  near,     ///< similar by the rule of the batch command
  refused,  ///< it was not looked at, and not added: Answer::reason says why
};
/// "new", "exact", "near", "refused".
[[nodiscard]] std::string_view verdict_name(Verdict verdict) noexcept;

/// The text of the index that another one is similar to. All figures come from both texts; none is estimated.
struct Match {
  std::string id;            ///< its name
  std::string_view measure;  ///< "identical", "jaccard" or "containment": what decided
  double score = 0;          ///< its value
  double jaccard = 0;        ///< common shingles of all shingles of the two
  double containment = 0;    ///< common shingles of those of the smaller text
};

/// Where the search for a text was cut short. All false: nothing was left out.
struct Bounds {
  std::uint32_t candidates = 0;  ///< likely texts that were not compared, since others were likelier
  bool ids = false;              ///< holders of its keys were left out, there being too many
  bool keys = false;             ///< keys were left out, too many being common
  /// Was anything left out?
  [[nodiscard]] bool any() const noexcept { return candidates != 0 || ids || keys; }
};

/// What the index says of a text.
struct Answer {
  Verdict verdict = Verdict::fresh;  ///< in one word
  std::optional<Match> match = {};   ///< of exact and near ones
  Bounds bounds = {};                ///< what was left out
  /// Texts that are similar to it but for what many texts share: a pair that only common keys led to has to
  /// meet a higher bar.
  std::uint32_t refused_as_template = 0;
  /// Additions: the index had this text under this id, and nothing changed. Then the verdict is the one of
  /// its first arrival.
  bool known = false;
  std::string reason = {};  ///< of a refusal
};

/// A text of the index.
struct Stored {
  std::string id;                     ///< its name
  std::string text;                   ///< as it was added
  Verdict verdict = Verdict::fresh;   ///< when it arrived
  std::optional<std::string> family;  ///< id of the text that stands for it, if it isn't itself
};

/// A look at how an answer comes about.
struct Explanation {
  /// A key of the text that was looked up.
  struct Key {
    unsigned tier;          ///< 0: of short shingles, 1: of long ones
    unsigned level;         ///< the window that chooses it is 2^level times the usual one
    std::uint32_t holders;  ///< texts read that have it
    bool full;              ///< too many texts have it; the earliest are read
  };
  /// A text of the index that shares a key with it.
  struct Candidate {
    std::string id;              ///< its name
    std::uint32_t units = 0;     ///< its length after folding
    double rank = 0;             ///< by which the likeliest are chosen
    unsigned agreement = 0;      ///< of the sketches, of 64 bins
    bool template_only = false;  ///< what led to it is common to many texts
    /// "accepted", "refused", "refused as template", "not compared", "length", "sketch", "later": a better
    /// one was found before.
    std::string_view fate;
    double jaccard = 0;      ///< where the texts were compared
    double containment = 0;  ///< the same
  };
  Answer answer;                      ///< what check() says
  std::uint32_t units = 0;            ///< length of the text after folding
  std::vector<Key> keys;              ///< in the order in which they are looked up
  std::vector<Candidate> candidates;  ///< the likeliest first
};

/// What an index holds, and what it was asked since it was opened.
struct Figures {
  std::uint64_t texts = 0;               ///< those of the next three together
  std::uint64_t fresh = 0;               ///< new on arrival
  std::uint64_t near = 0;                ///< similar to an earlier one on arrival
  std::uint64_t exact = 0;               ///< the same as an earlier one on arrival
  std::uint64_t postings = 0;            ///< pairs of a key and a text
  std::uint64_t full_keys = 0;           ///< keys that take no more texts
  std::uint64_t segments = 0;            ///< files of postings
  std::uint64_t segment_bytes = 0;       ///< their size
  std::uint64_t memory_bytes = 0;        ///< of postings and records that aren't in files yet
  std::uint64_t store_bytes = 0;         ///< files of texts
  std::uint64_t checks = 0;              ///< texts that were looked for
  std::uint64_t bounded_candidates = 0;  ///< of these, with likely texts that were not compared
  std::uint64_t bounded_ids = 0;         ///< of these, with holders of keys left out
  std::uint64_t bounded_keys = 0;        ///< of these, with keys left out
  std::uint64_t checked_twice = 0;       ///< of a batch, texts that shared a key with an earlier one of it
};

/// Texts that are compared with all that came before. Answers depend on the texts and the order of their
/// arrival alone (and on the random secret of the index, which chooses the keys), not on threads, batches or
/// when the index was closed and opened.
///
/// Threads: all members may be called at once. Checks run beside each other and beside changes; a batch is
/// checked against the index as it is at one moment, and sees no text that isn't durable yet. Changes take
/// turns. One process at a time has an index open.
class Index {
 public:
  /// `place`: a folder; empty: in memory alone. Fails with not_found if there is no index and none is to be
  /// made; with io if another process has it open, or for files that can't be read; with corrupt, naming the
  /// file; with invalid_argument if it was made with other tables of characters.
  [[nodiscard]] static Result<Index> open(const Context& context, const std::filesystem::path& place,
                                          const Settings& settings = {});
  /// Takes over from another one, which may only be destroyed afterwards.
  Index(Index&&) noexcept;
  /// The same.
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// An answer for each text, by the texts that are in the index.
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const std::string_view> texts) const;
  /// An answer for each text, by the texts of the index and those before it in the batch, and all of them are
  /// added. A new one stands for itself from then on; one that was seen becomes a member of the family of its
  /// match, and later ones are compared with the match only. An id of the index with the same text changes
  /// nothing; with another text it is refused. All of the batch is added, or after a failure nothing.
  [[nodiscard]] Result<std::vector<Answer>> check_and_add(std::span<const Text> texts);
  /// Adds without looking for near ones: each text stands for itself, but for exact copies. Answers are
  /// `fresh`, `exact` or `refused`.
  [[nodiscard]] Result<std::vector<Answer>> add(std::span<const Text> texts);
  /// Takes a text out; false if there is none of this id. If others are in its family, an exact copy of it
  /// stands for them from then on, or else the earliest of them.
  [[nodiscard]] Result<bool> remove(std::string_view id);
  /// The text as it was added; nothing if there is none.
  [[nodiscard]] Result<std::optional<Stored>> get(std::string_view id) const;
  /// How check() comes to its answer.
  [[nodiscard]] Result<Explanation> explain(std::string_view text) const;

  /// Compares all files with their checksums, and the index with the texts. Fails with corrupt, naming the
  /// file.
  [[nodiscard]] Result<void> verify() const;
  /// What it holds and what it was asked. Fails with io.
  [[nodiscard]] Result<Figures> figures() const;

 private:
  class Inside;
  explicit Index(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

/// Makes the postings of an index anew from its texts: for one whose segments are damaged. Fails with corrupt
/// where the texts themselves are.
[[nodiscard]] Result<void> rebuild(const Context& context, const std::filesystem::path& place);

/// What is done with each document of files.
enum class FileTask : std::uint8_t { check, check_and_add };

/// What became of the documents of files.
struct FileSummary {
  std::uint64_t documents = 0;         ///< those of the next four together
  std::uint64_t fresh = 0;             ///< new
  std::uint64_t exact = 0;             ///< the same as an earlier one
  std::uint64_t near = 0;              ///< similar to an earlier one
  std::uint64_t refused = 0;           ///< not looked at
  std::uint64_t known = 0;             ///< Answer::known
  std::uint64_t bounded = 0;           ///< whose search was cut short
  std::uint64_t quarantined = 0;       ///< records that could not be read
  std::string first_quarantined;       ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;  ///< compressed ones of which records are lost
};

/// Takes the answers of some documents: ids and answers have equal lengths, and live as long as the call. A
/// failure ends the run and is returned from it.
using AnswersFn =
    std::function<Result<void>(std::span<const std::string> ids, std::span<const Answer> answers)>;

/// Passes the documents of files through an index, in their order. A document's id is its id field, or else
/// its place ("data.jsonl:12"). Answers are passed on batch by batch, as the input comes, those of an
/// addition when the batch is as durable as the index was opened for. Fails as read_documents() and the index
/// do.
[[nodiscard]] Result<FileSummary> index_files(const Context& context, Index& index, const InputFiles& input,
                                              FileTask task, const AnswersFn& each);

}  // namespace leitong::online
