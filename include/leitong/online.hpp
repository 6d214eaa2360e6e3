// Have we seen this text, or one nearly like it? An index that can be queried while it grows.
#pragma once

#include <chrono>
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
#include "leitong/dictionaries.hpp"
#include "leitong/fingerprint.hpp"
#include "leitong/folding.hpp"
#include "leitong/input.hpp"
#include "leitong/passage.hpp"
#include "leitong/result.hpp"

namespace leitong::online {

/// When an addition counts as done. At every level it survives the end of the process; the levels differ in
/// what a power failure can lose.
enum class Durability : std::uint8_t {
  /// Nothing is lost: additions are on disk before the call returns; those of several threads share a sync.
  sync,
  everysec,  ///< the additions of the last second and a half may be lost
  none,      ///< what the system has not written yet may be lost, usually the last half minute
};

/// How a server that holds an index is accessed.
struct Remote {
  std::chrono::milliseconds connect{2000};  ///< longest wait for a connection
  std::chrono::milliseconds answer{10000};  ///< longest wait for an answer
  unsigned tries = 10;  ///< number of tries, with growing pauses that take 3 seconds in all
  /// After so many failed tries, all calls fail at once for this time.
  std::chrono::milliseconds pause{5000};
};

/// The settings of an index.
struct Settings {
  Durability durability = Durability::sync;  ///< of additions and removals
  /// Makes an empty index if there is none. False: a missing index is ErrorCode::not_found.
  bool create = true;
  /// The number of postings that are kept in memory before they become a file: 40 bytes each.
  std::uint32_t postings_in_memory = 1'000'000;
  /// How texts are compared: "default", the rule of the batch command; "reuse", the same, and texts of which
  /// a part stands in another text are found as well (Answer::parts), for an index in memory or in a folder;
  /// or the name of a fingerprint ("simhash", "p-simhash", .. of methods.hpp), whose distance decides. Empty:
  /// the scheme of the index, or "default" for a new index. An index of another scheme is not opened.
  std::string scheme = {};
  std::vector<std::string> params = {};  ///< parameters of the scheme: "name=value"
  /// For a scheme that uses words. An index stores the names of the files that it was made with, those in
  /// `params` included, as absolute paths, and reads these files if it is opened without any names. It
  /// compares their content: a file of the same content may lie anywhere, and one of another content is
  /// refused.
  Dictionaries dictionaries = {};
  /// What counts in the texts, for the schemes "default" and "reuse" and for fingerprints of characters.
  /// Unset: the folding of the index, or Folding() for a new index. An index with another folding is not
  /// opened.
  Folding folding = {};
  /// For a new index of fingerprints: keeps the texts as well. Without the texts an index holds only the
  /// fingerprints, and digests of the folded texts.
  bool keep_texts = true;
  /// The least number of removals that changes() remembers: some 50 bytes each. A follower that missed more
  /// removals than this starts again.
  std::uint64_t removals_kept = 1'000'000;
  Remote remote = {};  ///< for an index on a server
};

/// A moment: seconds since the beginning of 1970, UTC.
using Seconds = std::int64_t;

/// A text and its id.
struct Text {
  std::string_view id;    ///< 1 to kMostIdBytes bytes; check() ignores it
  std::string_view text;  ///< valid UTF-8, up to kMostTextBytes bytes
  /// Where it comes from, such as a crawl or a customer: up to kMostIdBytes bytes; empty: unknown.
  std::string_view source = {};
  std::optional<Seconds> time = {};  ///< its date; stored for the caller, without any effect
  /// Index::expire() removes the text if this is before the given moment.
  std::optional<Seconds> expires = {};
  /// For an index of fingerprints, instead of the text, which is then empty; a fingerprint of 64 bits is in
  /// `low`.
  std::optional<hamming::Fingerprint128> fingerprint = {};
  /// For check() alone: valid UTF-8 whose passages do not count in this text, such as a handout.
  std::string_view base = {};
};

/// Longest id, and longest name of a source.
inline constexpr std::size_t kMostIdBytes = 1024;
/// Longest text.
inline constexpr std::size_t kMostTextBytes = std::size_t{256} << 20;

/// The result for a text against those that came before it.
enum class Verdict : std::uint8_t {
  fresh,    ///< "new": no text of the index is similar
  exact,    ///< the same after folding
  near,     ///< similar by the rule of the batch command
  refused,  ///< neither compared nor added; Answer::reason says why
  /// For the scheme "reuse": no text of the index is similar, but some hold parts of it (Answer::parts).
  parts,
};
/// "new", "exact", "near", "refused", "parts".
[[nodiscard]] std::string_view verdict_name(Verdict verdict) noexcept;

/// The text of the index that a text is similar to. All figures are computed from both texts, none is
/// estimated.
struct Match {
  std::string id;  ///< its id
  /// The measure that decided: "identical", "jaccard", "containment", "own_text" (the rule, on the texts
  /// without their templates), "rare_text" (passages that no third work holds), or "hamming" (the distance of
  /// fingerprints; then Jaccard and containment are not computed).
  std::string_view measure;
  double score = 0;         ///< the value of this measure; for "hamming" the share of bits that agree
  double jaccard = 0;       ///< shared shingles / shingles of either
  double containment = 0;   ///< shared shingles / shingles of the smaller text
  std::string source = {};  ///< its source; may be empty
  std::optional<Seconds> time = {};  ///< its date
  /// If wanted: the passages that the two share, in the order of the queried text, which is `a`.
  std::vector<Passage> passages = {};
  std::optional<unsigned> distance = {};  ///< for "hamming": bits that differ
  /// If texts were compared: the share of the queried text that the match lacks, without templates; a
  /// reworded unit counts 0.3.
  std::optional<double> loss = {};
  /// May the queried text leave for this one by the default limits of removal (RemovalSettings, "careful")?
  bool covered = false;
};

/// A range of characters (code points).
struct CharacterRange {
  std::size_t begin = 0;  ///< the first character
  std::size_t end = 0;    ///< the character after the last one

  /// The same characters of one text.
  friend bool operator==(const CharacterRange&, const CharacterRange&) = default;
};

/// A passage that a queried text shares with a text of the index.
struct CopiedPassage {
  Passage bytes;     ///< its places in bytes: `a` in the queried text, `b` in the text of the index
  CharacterRange a;  ///< its place in the queried text, in characters
  CharacterRange b;  ///< its place in the text of the index, in characters
};

/// A text of the index that holds a part of a queried text.
struct SharedPart {
  std::string id;                    ///< its id
  std::string source = {};           ///< its source; may be empty
  std::optional<Seconds> time = {};  ///< its date
  /// The measure that decided: "passage" (a run of at least 60 equal units outside of templates),
  /// "containment" (at least 0.15 of the smaller text), or "own_text" (the same without templates).
  std::string_view measure;
  /// The value of this measure; for "passage" the share of the smaller text that lies in the passage.
  double score = 0;
  double containment = 0;      ///< shared shingles / shingles of the smaller text
  std::size_t units = 0;       ///< units of all passages below
  double share = 0;            ///< these units, as a share of the queried text
  double share_of_source = 0;  ///< these units, as a share of the text of the index
  /// Runs of at least 8 equal units that are not template alone, in the order of the queried text.
  std::vector<CopiedPassage> passages = {};
};

/// What is wanted beside the verdict.
struct Wanted {
  bool passages = false;      ///< the passages of each match; they take about as long as everything else
  std::uint32_t matches = 1;  ///< number of matches: Answer::others has those after the first one
  /// For check() alone: the parts of the texts that do not count. "quotations": text between quotation marks
  /// with a source beside it; "bibliography": the list of sources at the end; "same_source": parts of texts
  /// with the same Text::source. Such a part counts as white space, so that all places are those of the whole
  /// text.
  std::vector<std::string> exclude = {};
};

/// Where the search for a text was limited. All false: nothing was left out.
struct Bounds {
  std::uint32_t candidates = 0;  ///< candidates that were not compared, because others were more likely
  bool ids = false;              ///< some texts that share its keys were left out, because there are too many
  bool keys = false;             ///< some keys were left out, because too many are common
  /// Was anything left out?
  [[nodiscard]] bool any() const noexcept { return candidates != 0 || ids || keys; }
};

/// Why a text that meets the rule is not similar: many works share most of what the two share.
struct TemplateNote {
  std::string id;              ///< id of the text of the index
  double template_share = 0;   ///< share of template among the shared shingles
  double own_jaccard = 0;      ///< Jaccard of the two without templates
  double own_containment = 0;  ///< containment of the two without templates
};

/// The fewest units (a Chinese character, or two letters or digits) of a text that the scheme "default"
/// compares.
inline constexpr std::size_t kLeastUnits = 6;

/// The answer of the index for a text.
struct Answer {
  Verdict verdict = Verdict::fresh;  ///< the answer in one word
  std::optional<Match> match = {};   ///< for exact and near texts
  /// If wanted: further texts that represent families and are similar by the rule, the most similar first.
  std::vector<Match> others = {};
  Bounds bounds = {};  ///< where the search was limited
  /// Texts that meet the rule but share too little outside templates: shingles that at least eight works
  /// share, counted where texts of the index were compared.
  std::uint32_t refused_as_template = 0;
  std::optional<TemplateNote> refused = {};  ///< the first of these
  /// For additions: the index had this text under this id already, and nothing changed. The verdict is that
  /// of its first arrival. The match is the text that represents its family now, with the figures of the two
  /// texts.
  bool known = false;
  /// The text is new, and was looked for among equal texts alone: by the scheme "default" texts of fewer than
  /// kLeastUnits units are too short to be compared.
  bool too_short = false;
  std::string reason = {};  ///< why the text was refused
  /// For an addition: the version of the index with this text; otherwise: the version of the index that was
  /// queried. A version is the number of changes so far: each text that comes, leaves or takes another one's
  /// place. None if an index on a server does not count them.
  std::optional<std::uint64_t> version = {};
  /// For the scheme "reuse", and texts that are new or near: the texts of the index, except the match, that
  /// hold a part of this text; the longest part first.
  std::vector<SharedPart> parts = {};
};

/// The version of the index on which a writer based a decision. The change is made only if the index still
/// has this version; otherwise it fails with conflict. None: any version.
using ExpectedVersion = std::optional<std::uint64_t>;

/// A text of the index.
struct Stored {
  std::string id;                       ///< its id
  std::string text;                     ///< as it was added; empty if the index keeps no texts
  Verdict verdict = Verdict::fresh;     ///< the verdict when it arrived
  std::optional<std::string> family;    ///< id of the text that represents its family, if that is another one
  std::string source = {};              ///< as it was added, like the next fields
  std::optional<Seconds> time = {};     ///< its date
  std::optional<Seconds> expires = {};  ///< when it may be removed
  std::optional<hamming::Fingerprint128> fingerprint = {};  ///< for an index of fingerprints, if it has one

  /// The same in every field.
  bool operator==(const Stored&) const = default;
};

/// A cursor for changes(): begins with the changes from now on.
inline constexpr std::string_view kFromNow = "now";

/// What is wanted of changes().
struct ChangesWanted {
  std::uint32_t limit = 1000;  ///< most changes of one answer, 1 to kMostChanges
  bool texts = false;          ///< with their texts; then one answer has at most some 8 MB
};
/// The most changes of one answer.
inline constexpr std::uint32_t kMostChanges = 10'000;

/// Additions and removals, in their order.
struct Changes {
  /// One change.
  struct One {
    bool removed = false;  ///< true: the text was removed; false: it was added
    Stored stored;         ///< its state now; for a removal only the id
  };
  std::vector<One> changes;  ///< the earliest first
  std::string cursor;        ///< the next call continues from it; it outlives the process
  bool more = false;         ///< there are already more changes
};

/// What became of the texts of a source when it was committed.
struct Committed {
  std::uint64_t texts = 0;    ///< sum of the next five
  std::uint64_t fresh = 0;    ///< new; texts of which others hold parts are included
  std::uint64_t near = 0;     ///< similar to an earlier one
  std::uint64_t exact = 0;    ///< the same as an earlier one
  std::uint64_t known = 0;    ///< already in the index under the same id
  std::uint64_t refused = 0;  ///< the index has another text under the id
};

/// How an answer was found.
struct Explanation {
  /// A key of the text that was looked up.
  struct Key {
    unsigned tier;          ///< 0: the key is of short shingles, 1: of long ones
    unsigned level;         ///< the window that chooses it has 2^level times the usual size
    std::uint32_t holders;  ///< number of texts with this key that were read
    bool full;              ///< too many texts have it; only the earliest are read
  };
  /// A text of the index that shares a key with the queried text.
  struct Candidate {
    std::string id;           ///< its id
    std::uint32_t units = 0;  ///< its length after folding
    double rank = 0;          ///< the candidates of the highest rank are compared
    double sketch = 0;        ///< estimate of Jaccard by the sketches, if they were compared
    /// What happened to it: "accepted", "refused", "refused as template", "not compared", "length", "sketch",
    /// "template" (nothing else is shared), or "later" (a better one was found before).
    std::string_view fate;
    double jaccard = 0;                     ///< if the texts were compared
    double containment = 0;                 ///< if the texts were compared
    std::optional<unsigned> distance = {};  ///< for fingerprints
  };
  Answer answer;                      ///< the answer of check()
  std::uint32_t units = 0;            ///< length of the text after folding
  std::vector<Key> keys;              ///< in the order of the search
  std::vector<Candidate> candidates;  ///< the most likely first
};

/// The contents of an index, and its work since it was opened.
struct Figures {
  std::uint64_t texts = 0;            ///< sum of the next three
  std::uint64_t fresh = 0;            ///< new on arrival; texts of which others hold parts are included
  std::uint64_t near = 0;             ///< similar to an earlier one on arrival
  std::uint64_t exact = 0;            ///< the same as an earlier one on arrival
  std::uint64_t full_keys = 0;        ///< keys that take no further texts
  std::uint64_t shared_shingles = 0;  ///< shingles that texts of different works were found to share
  // The next fields are empty if an index on a server does not have them, or the server cannot tell.
  std::optional<std::uint64_t> postings;       ///< pairs of a key and a text
  std::optional<std::uint64_t> segments;       ///< files of postings
  std::optional<std::uint64_t> segment_bytes;  ///< their size
  /// Memory of postings and records that are not in files yet. On a server: of the whole index, estimated on
  /// a sample of its keys.
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> store_bytes;  ///< files of texts
  std::uint64_t checks = 0;                  ///< texts that were searched for
  std::uint64_t bounded_candidates = 0;      ///< of these, those with candidates that were not compared
  std::uint64_t bounded_ids = 0;             ///< of these, those for which texts of a key were left out
  std::uint64_t bounded_keys = 0;            ///< of these, those for which keys were left out
  std::uint64_t checked_twice = 0;  ///< texts that shared a key with an earlier text of the same batch
  /// Rows of the search for fingerprints. Until rows are merged, some are there twice and some belong to
  /// removed texts.
  std::optional<std::uint64_t> fingerprints;
  std::optional<std::uint64_t> fingerprint_bytes;  ///< size of the tables of this search
  std::optional<std::uint64_t> version;            ///< as Answer::version
  std::string scheme;                              ///< the scheme, as scheme_text() writes it
  unsigned distance = 0;  ///< for fingerprints: bits in which similar texts may differ
  unsigned bits = 0;      ///< for fingerprints: 64 or 128
};

/// An index that compares each text with all that came before. Answers depend only on the texts, the order of
/// their arrival, and the random secret of the index, which chooses the keys; they do not depend on threads,
/// on batches, or on when the index was closed and opened.
///
/// All members may be called from several threads at once. Checks run beside each other and beside changes. A
/// batch is checked against the index at one moment and sees only durable texts. Changes run one at a time.
/// Only one process at a time can open an index in a folder. Any number can open one on a server; then a
/// batch of more than 128 texts may be checked against more than one moment.
class Index {
 public:
  /// `place`: a folder; empty: in memory alone; "redis://host:port/name" for an index on a Redis server; or
  /// "hbase://host:port/name" for one on HBase through its Thrift2 server (docs/online-index.md explains the
  /// differences). Fails with not_found if there is no index and none is to be made; with io if another
  /// process has it open or files cannot be read; with corrupt, naming the file; with invalid_argument if it
  /// was made with another scheme or other character tables.
  [[nodiscard]] static Result<Index> open(const Context& context, const std::filesystem::path& place,
                                          const Settings& settings = {});
  /// Moves the contents of another object, which may then only be destroyed.
  Index(Index&&) noexcept;
  /// Moves in the same way.
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// Checks each text against the texts that are in the index.
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const std::string_view> texts,
                                                  const Wanted& wanted = {}) const;
  /// The same for fingerprints; one of 64 bits is in `low`. Fails if the index compares texts.
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const hamming::Fingerprint128> fingerprints,
                                                  const Wanted& wanted = {}) const;
  /// The same for any mixture of texts and fingerprints. Ids, dates and expiries are ignored, and so are
  /// sources unless "same_source" is excluded. Fails with invalid_argument for an unknown exclusion, and with
  /// corrupt for a base that is not UTF-8.
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const Text> texts,
                                                  const Wanted& wanted = {}) const;
  /// Checks each text against the index and the earlier texts of the batch, and adds all of them. A new text
  /// represents itself from then on. A text that was seen before joins the family of its match, and later
  /// texts are compared with the match only. An id that the index has with the same text changes nothing;
  /// with another text it is refused. Either the whole batch is added or, after a failure, nothing (on a
  /// server: possibly the first part). A batch that adds nothing, such as one that is sent again, meets every
  /// expected version. A batch with texts that are set aside must expect none. Texts are added whole: fails
  /// with invalid_argument if anything is excluded.
  [[nodiscard]] Result<std::vector<Answer>> check_and_add(std::span<const Text> texts,
                                                          const Wanted& wanted = {},
                                                          ExpectedVersion expected_version = {});
  /// Adds texts without a search for similar texts: each text represents itself, except exact copies. Answers
  /// are `fresh`, `exact` or `refused`.
  [[nodiscard]] Result<std::vector<Answer>> add(std::span<const Text> texts,
                                                ExpectedVersion expected_version = {});
  /// Removes a text; returns false if the id is unknown. If it represented a family, an exact copy of it
  /// represents the family from then on, or else the earliest member.
  [[nodiscard]] Result<bool> remove(std::string_view id, ExpectedVersion expected_version = {});

  /// From now on, added texts of this source are set aside: durable, but checks find them only after
  /// commit(source). They are compared with the texts of the index and with earlier ones of the source; these
  /// answers are provisional. Other texts of the same batch are added as a batch of their own. Returns false
  /// if the source is already open; it keeps what it holds. Fails with invalid_argument for a name that is
  /// empty or too long.
  [[nodiscard]] Result<bool> begin(std::string_view source);
  /// Adds the texts that were set aside, in the order of their arrival, and shows all of them at one moment.
  /// Other changes wait meanwhile; checks do not. After a failure nothing is shown, and the next change, or
  /// the next opening of the index, continues the commit. Fails with not_found if the source is not open.
  [[nodiscard]] Result<Committed> commit(std::string_view source);
  /// Discards what was set aside. Fails with not_found if the source is not open.
  [[nodiscard]] Result<void> rollback(std::string_view source);
  /// The open sources, by name.
  [[nodiscard]] std::vector<std::string> open_sources() const;
  /// Removes all texts of a source as remove() does; returns their number. Texts that are set aside stay.
  /// Takes time in proportion to the number of texts. After a failure some texts are removed and some are
  /// not; call it again.
  [[nodiscard]] Result<std::uint64_t> remove_source(std::string_view source);
  /// Removes all texts that expired before this moment; returns their number. Expired texts are found until
  /// they are removed. Takes time in proportion to their number. After a failure some texts are removed and
  /// some are not; call it again.
  [[nodiscard]] Result<std::uint64_t> expire(Seconds before);

  /// The text as it was added; nothing if the id is unknown.
  [[nodiscard]] Result<std::optional<Stored>> get(std::string_view id) const;
  /// Passes on all texts of one moment, in the order of their arrival. A text that took another one's place
  /// counts as arriving at that time. A failure of `each` ends the delivery and is returned. Changes go on
  /// meanwhile.
  [[nodiscard]] Result<void> for_each(const std::function<Result<void>(const Stored&)>& each) const;
  /// The same for the texts of one source.
  [[nodiscard]] Result<void> for_each_of(std::string_view source,
                                         const std::function<Result<void>(const Stored&)>& each) const;
  /// The additions and removals since a cursor, for a follower that keeps a copy or waits for news. Without a
  /// cursor it begins with all texts that are there. A follower that applies these changes in their order,
  /// page by page, ends with the contents of the index. A text that came and left in between appears only as
  /// removed, even if the follower never had it; one that took another's place appears again. Changes that
  /// are not durable yet are left out. Takes time in proportion to the answer. Fails with not_found for a
  /// cursor of another index, of an index that was restored since, or one older than Settings::removals_kept:
  /// begin again without one.
  [[nodiscard]] Result<Changes> changes(std::string_view since = {}, const ChangesWanted& wanted = {}) const;
  /// How check() finds its answer.
  [[nodiscard]] Result<Explanation> explain(std::string_view text) const;

  /// Checks all files against their checksums, and the index against the texts. Fails with corrupt, naming
  /// the file.
  [[nodiscard]] Result<void> verify() const;
  /// The contents and the work of the index. Fails with io.
  [[nodiscard]] Result<Figures> figures() const;
  /// Copies the index at one moment to a folder that does not exist yet; it appears when the copy is
  /// complete. Open sources are left out. Files that never change are linked if the folder is on the same
  /// file system. Checks go on; changes wait. Fails with invalid_argument for an index in memory, and if the
  /// folder exists.
  [[nodiscard]] Result<void> snapshot(const std::filesystem::path& folder);
  /// Merges all postings into one file without those of removed texts, and frees the space of removed texts.
  /// Full keys take texts again if less than half of their texts is left. Checks go on; changes wait.
  [[nodiscard]] Result<void> compact();

 private:
  class Impl;
  explicit Index(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Follows the changes that others make to an index. An index in a folder may be open in another process: a
/// follower locks and changes nothing in it, and does not disturb the writer.
class IndexFollower {
 public:
  /// Fails as Index::open() does if there is no index.
  static Result<IndexFollower> open(const Context& context, const std::filesystem::path& place,
                                    const Settings& settings = {});
  /// Moves the contents of another object, which may then only be destroyed or assigned to.
  IndexFollower(IndexFollower&&) noexcept;
  /// Moves in the same way.
  IndexFollower& operator=(IndexFollower&&) noexcept;
  ~IndexFollower();

  /// As Index::changes(), with the same cursors, for one thread at a time. For an index in a folder it never
  /// reports a change that a power failure could undo, at any level of durability. Fails with conflict, to be
  /// tried again, while the latest changes are not durable; with Durability::none that is until the writer
  /// closes the index.
  [[nodiscard]] Result<Changes> changes(std::string_view since = {}, const ChangesWanted& wanted = {});

 private:
  class Impl;
  explicit IndexFollower(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Makes the postings of an index again from its texts, if its segments are damaged. Fails with corrupt if
/// the texts are damaged.
[[nodiscard]] Result<void> rebuild(const Context& context, const std::filesystem::path& place);

/// What is done with each document of files.
enum class FileTask : std::uint8_t { check, check_and_add };

/// What is read of documents beside their texts, and what happens to records that cannot be read. Fields are
/// named as InputFiles::id_field. A document with a value that is no time is refused; an empty or missing
/// value has no effect.
struct FileDetails {
  std::string source = {};         ///< the source of documents without a value in `source_field`
  std::string source_field = {};   ///< field of a document's source
  std::string time_field = {};     ///< field of its date: seconds since 1970, or ISO 8601 (UTC by default)
  std::string expires_field = {};  ///< field of its expiry, in the same form
  /// Documents without an expiry expire this long after their date, or after now if they have none.
  std::optional<Seconds> keep_seconds = {};
  /// True: no document needs to have these fields. False: a field that no document has is invalid_argument;
  /// index_files() reports it at the end, after the documents were added.
  bool fields_are_optional = false;
  /// The field of a fingerprint that replaces the text, in the hexadecimal or binary digits of `leitong
  /// sign`; InputFiles::text_fields are then ignored. A document with another value is refused. If a file
  /// FILE.scheme names the scheme, it has to be that of the index. The index has to be one of fingerprints.
  /// Otherwise it fails with invalid_argument.
  std::string fingerprint_field = {};
  /// A JSONL file for the records that cannot be read, each with its place and the reason, like
  /// DedupOutputs::quarantine. It appears at the end of a run without a failure.
  std::string quarantine = {};
  bool force = false;  ///< replaces the file if it exists
  /// For checks alone: files whose text is the Text::base of each document.
  std::vector<std::string> base = {};
};

/// What became of the documents of files.
struct FileSummary {
  std::uint64_t documents = 0;         ///< sum of the next four, and of `parts`
  std::uint64_t fresh = 0;             ///< new
  std::uint64_t exact = 0;             ///< the same as an earlier one
  std::uint64_t near = 0;              ///< similar to an earlier one
  std::uint64_t refused = 0;           ///< neither compared nor added
  std::string first_refused;           ///< "id: reason", or empty
  std::uint64_t known = 0;             ///< documents with Answer::known
  std::uint64_t bounded = 0;           ///< documents whose search was limited
  std::uint64_t too_short = 0;         ///< documents with Answer::too_short
  std::uint64_t quarantined = 0;       ///< records that could not be read
  std::string first_quarantined;       ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;  ///< compressed files of which records are lost
  /// A field of FileDetails, and the number of documents without a value in it.
  struct Lack {
    std::string field;            ///< its name
    std::uint64_t documents = 0;  ///< documents without a value
  };
  std::vector<Lack> lacks;  ///< each field that some documents lack; none if fields are optional
  std::uint64_t parts = 0;  ///< documents of which other texts hold parts
};

/// Takes the answers of some documents: ids and answers have equal lengths and are valid during the call. A
/// failure ends the run and is returned.
using AnswersFn =
    std::function<Result<void>(std::span<const std::string> ids, std::span<const Answer> answers)>;

/// Passes the documents of files through an index, in their order. A document's id is its id field, or else
/// its place ("data.jsonl:12"). Answers are passed on batch by batch as the input arrives. The answers of an
/// addition are passed on when the batch is as durable as Settings::durability says. A record that cannot be
/// read is answered in its place as refused, with the reason, and counted as quarantined. Texts may be blank;
/// blank texts are copies of each other. Fails as read_documents() and the index do.
[[nodiscard]] Result<FileSummary> index_files(const Context& context, Index& index, const InputFiles& input,
                                              FileTask task, const AnswersFn& each,
                                              const FileDetails& details = {}, const Wanted& wanted = {});

/// Makes a new index of files, with the same verdicts as adding their documents one by one. It appears when
/// it is complete and durable. Of the settings only the scheme is used. Fails with invalid_argument if there
/// is anything at `place`, and as index_files() does.
[[nodiscard]] Result<FileSummary> build(const Context& context, const std::filesystem::path& place,
                                        const InputFiles& input, const FileDetails& details = {},
                                        const Settings& settings = {});

/// The seconds since 1970 that a text means: "2026-11-22", "2026-11-22T08:30:00+08:00" (a space for the T is
/// allowed; seconds, their fractions and the zone are optional, UTC by default) or a number of seconds.
/// Returns nothing for any other text.
[[nodiscard]] std::optional<Seconds> parse_time(std::string_view text) noexcept;

}  // namespace leitong::online
