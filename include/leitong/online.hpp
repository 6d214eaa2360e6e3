// Have we seen this text, or one nearly like it? An index that grows while it is asked.
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

/// When an addition counts as done. What was acknowledged survives the death of the process at every level;
/// they differ in what a power failure takes.
enum class Durability : std::uint8_t {
  sync,      ///< nothing: it is on the disk before the call returns; additions of many threads share a sync
  everysec,  ///< up to the last second and a half
  none,      ///< what the system hadn't written yet, usually the last half minute
};

/// How a server is asked that holds an index.
struct Remote {
  std::chrono::milliseconds connect{2000};  ///< longest wait for a connection
  std::chrono::milliseconds answer{10000};  ///< longest wait for an answer
  unsigned tries = 10;                      ///< with ever longer pauses, of 3 seconds in all
  /// After so many tries in vain all calls fail at once for this long.
  std::chrono::milliseconds pause{5000};
};

/// How an index is opened.
struct Settings {
  Durability durability = Durability::sync;  ///< of additions and removals
  /// Make an empty index where there is none. Otherwise that is ErrorCode::not_found.
  bool create = true;
  /// Postings that are kept in memory before they become a file: 40 bytes each.
  std::uint32_t postings_in_memory = 1'000'000;
  /// What texts are compared by: "default", the rule of the batch command, or the name of a fingerprint
  /// ("simhash", "p-simhash", .., of methods.hpp), whose distance decides. Empty: that of the index, and
  /// "default" for a new one. An index of another scheme is not opened.
  std::string scheme = {};
  std::vector<std::string> params = {};  ///< of the scheme: "name=value"
  /// Of a scheme that looks at words. An index keeps the names of the files that it was made with, here and
  /// in `params`, as absolute ones, and reads them whenever it is opened without any. It goes by their
  /// content: a file of the same content may lie anywhere, and one of another content is refused.
  Dictionaries dictionaries = {};
  /// What counts of the texts, for the scheme "default" and fingerprints of characters. The default is that
  /// of the index, and for a new one Folding() itself. An index of another folding is not opened.
  Folding folding = {};
  /// Of a new index of fingerprints: keep the texts, too. Without them an index knows fingerprints, and
  /// digests of what texts are after folding.
  bool keep_texts = true;
  /// The latest removals that changes() knows, at least: some 50 bytes each. A follower that comes later than
  /// that begins anew.
  std::uint64_t removals_kept = 1'000'000;
  Remote remote = {};  ///< of an index on a server
};

/// A moment: seconds since the beginning of 1970, UTC.
using Seconds = std::int64_t;

/// A text with its name.
struct Text {
  std::string_view id;    ///< 1 to kMostIdBytes bytes; not looked at by check()
  std::string_view text;  ///< valid UTF-8, up to kMostTextBytes bytes
  /// Where it comes from, such as a crawl or a customer: up to kMostIdBytes bytes; empty: it isn't said.
  std::string_view source = {};
  std::optional<Seconds> time = {};  ///< its date; kept for the caller, and of no effect
  std::optional<Seconds> expires =
      {};  ///< Index::expire() takes it out if this is before the moment it is given
  /// In place of the text, which is empty then, where the index is one of fingerprints; of 64 bits in `low`.
  std::optional<hamming::Fingerprint128> fingerprint = {};
};

/// Longest id, and longest name of a source.
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
  std::string id;  ///< its name
  /// What decided: "identical", "jaccard", "containment", or "own_text": the rule, for the two without their
  /// templates; "rare_text": passages that no third work holds; "hamming": the distance of fingerprints. Then
  /// texts were not compared, and there is neither Jaccard nor containment.
  std::string_view measure;
  double score = 0;                  ///< its value; of "hamming": bits that agree, of all bits
  double jaccard = 0;                ///< common shingles of all shingles of the two
  double containment = 0;            ///< common shingles of those of the smaller text
  std::string source = {};           ///< where it comes from; may be empty
  std::optional<Seconds> time = {};  ///< its date
  /// If they were asked for: what the two share, in the order of the text that was asked about, which is `a`.
  std::vector<Passage> passages = {};
  std::optional<unsigned> distance = {};  ///< of "hamming": bits that differ
  /// Where texts were compared: the part of the text that was asked about which this one lacks, templates
  /// left out; a reworded unit counts 0.3.
  std::optional<double> loss = {};
  /// May that text leave for this one by the default limits of removal (RemovalSettings, "careful")?
  bool covered = false;
};

/// What is asked for beside the verdict.
struct Wanted {
  bool passages = false;      ///< of each match; takes about as long as all the rest
  std::uint32_t matches = 1;  ///< others that are similar, too, come with the match: so many in all
};

/// Where the search for a text was cut short. All false: nothing was left out.
struct Bounds {
  std::uint32_t candidates = 0;  ///< likely texts that were not compared, since others were likelier
  bool ids = false;              ///< holders of its keys were left out, there being too many
  bool keys = false;             ///< keys were left out, too many being common
  /// Was anything left out?
  [[nodiscard]] bool any() const noexcept { return candidates != 0 || ids || keys; }
};

/// Why a text that meets the rule is not similar: most of what the two share, many works share.
struct TemplateNote {
  std::string id;              ///< of the text of the index
  double template_share = 0;   ///< of the shingles that the two share: template
  double own_jaccard = 0;      ///< common shingles of all shingles of the two, templates left out
  double own_containment = 0;  ///< common shingles of those of the smaller text, templates left out
};

/// What the index says of a text.
struct Answer {
  Verdict verdict = Verdict::fresh;  ///< in one word
  std::optional<Match> match = {};   ///< of exact and near ones
  /// If they were asked for: other texts that stand for families and are similar by the rule, the most
  /// similar first.
  std::vector<Match> others = {};
  Bounds bounds = {};  ///< what was left out
  /// Texts that meet the rule, but share too little beside templates: shingles that at least eight works
  /// share, as far as texts of the index met each other.
  std::uint32_t refused_as_template = 0;
  std::optional<TemplateNote> refused = {};  ///< the first of these
  /// Additions: the index had this text under this id, and nothing changed. Then the verdict is the one of
  /// its first arrival; the match is who stands for its family now, with the figures of these two.
  bool known = false;
  std::string reason = {};  ///< of a refusal
  /// Of an addition: of the index with this text; of others: of the index that was looked at. A version is
  /// the number of changes that led to it: each text that comes, leaves or takes another one's place. None
  /// where an index on a server counts none.
  std::optional<std::uint64_t> version = {};
};

/// What a writer may ask for who decides by what was there: the change is made only if the index is still of
/// this version, and fails with conflict otherwise. None: it doesn't matter.
using ExpectedVersion = std::optional<std::uint64_t>;

/// A text of the index.
struct Stored {
  std::string id;                       ///< its name
  std::string text;                     ///< as it was added; empty where the index keeps no texts
  Verdict verdict = Verdict::fresh;     ///< when it arrived
  std::optional<std::string> family;    ///< id of the text that stands for it, if it isn't itself
  std::string source = {};              ///< as it was added, like what follows
  std::optional<Seconds> time = {};     ///< its date
  std::optional<Seconds> expires = {};  ///< when it may be taken out
  std::optional<hamming::Fingerprint128> fingerprint = {};  ///< of an index of fingerprints, where it has one

  /// The same in every field.
  bool operator==(const Stored&) const = default;
};

/// Where changes() begins, in place of a cursor: with what comes from now on.
inline constexpr std::string_view kFromNow = "now";

/// What is asked of changes().
struct ChangesWanted {
  std::uint32_t limit = 1000;  ///< most changes, 1 to kMostChanges
  bool texts = false;          ///< with their texts; then fewer come at once than `limit`, of some 8 MB
};
/// Most changes that come at once.
inline constexpr std::uint32_t kMostChanges = 10'000;

/// What came and left, in this order.
struct Changes {
  /// One of them.
  struct One {
    bool removed = false;  ///< it left; otherwise it came
    Stored stored;         ///< as it is now; of one that left the id alone
  };
  std::vector<One> changes;  ///< the earliest first
  std::string cursor;        ///< from which the next ones go on; it outlives the process
  bool more = false;         ///< there are more already
};

/// What became of the texts of a source when it was committed.
struct Committed {
  std::uint64_t texts = 0;    ///< those of the next five together
  std::uint64_t fresh = 0;    ///< new
  std::uint64_t near = 0;     ///< similar to an earlier one
  std::uint64_t exact = 0;    ///< the same as an earlier one
  std::uint64_t known = 0;    ///< in the index before, under the same id
  std::uint64_t refused = 0;  ///< since the index has another text under the id
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
    std::string id;           ///< its name
    std::uint32_t units = 0;  ///< its length after folding
    double rank = 0;          ///< by which the likeliest are chosen
    double sketch = 0;        ///< Jaccard value by the sketches, where they were looked at: an estimate
    /// "accepted", "refused", "refused as template", "not compared", "length", "sketch", "template": nothing
    /// else is shared, "later": a better one was found before.
    std::string_view fate;
    double jaccard = 0;                     ///< where the texts were compared
    double containment = 0;                 ///< the same
    std::optional<unsigned> distance = {};  ///< of fingerprints
  };
  Answer answer;                      ///< what check() says
  std::uint32_t units = 0;            ///< length of the text after folding
  std::vector<Key> keys;              ///< in the order in which they are looked up
  std::vector<Candidate> candidates;  ///< the likeliest first
};

/// What an index holds, and what it was asked since it was opened.
struct Figures {
  std::uint64_t texts = 0;            ///< those of the next three together
  std::uint64_t fresh = 0;            ///< new on arrival
  std::uint64_t near = 0;             ///< similar to an earlier one on arrival
  std::uint64_t exact = 0;            ///< the same as an earlier one on arrival
  std::uint64_t full_keys = 0;        ///< keys that take no more texts
  std::uint64_t shared_shingles = 0;  ///< shingles that texts of different works were seen to share
  // What an index on a server doesn't have, or the server can't tell, is empty.
  std::optional<std::uint64_t> postings;       ///< pairs of a key and a text
  std::optional<std::uint64_t> segments;       ///< files of postings
  std::optional<std::uint64_t> segment_bytes;  ///< their size
  /// Of postings and records that aren't in files yet. On a server of the whole index, by a sample of its
  /// keys.
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> store_bytes;  ///< files of texts
  std::uint64_t checks = 0;                  ///< texts that were looked for
  std::uint64_t bounded_candidates = 0;      ///< of these, with likely texts that were not compared
  std::uint64_t bounded_ids = 0;             ///< of these, with holders of keys left out
  std::uint64_t bounded_keys = 0;            ///< of these, with keys left out
  std::uint64_t checked_twice = 0;  ///< of a batch, texts that shared a key with an earlier one of it
  /// Rows of the search for fingerprints. Until they are merged some are there twice, and some are of texts
  /// that were removed.
  std::optional<std::uint64_t> fingerprints;
  std::optional<std::uint64_t> fingerprint_bytes;  ///< of the tables of their search
  std::optional<std::uint64_t> version;            ///< as Answer::version has it
  std::string scheme;                              ///< what texts are compared by, as scheme_text() has it
  unsigned distance = 0;  ///< of fingerprints: bits in which similar texts may differ
  unsigned bits = 0;      ///< of fingerprints: 64 or 128
};

/// Texts that are compared with all that came before. Answers depend on the texts and the order of their
/// arrival alone (and on the random secret of the index, which chooses the keys), not on threads, batches or
/// when the index was closed and opened.
///
/// Threads: all members may be called at once. Checks run beside each other and beside changes; a batch is
/// checked against the index as it is at one moment, and sees no text that isn't durable yet. Changes take
/// turns. One process at a time has an index in a folder open; on a server any
/// number of them, and then a batch of more than 128 texts may be checked against more than one moment.
class Index {
 public:
  /// `place`: a folder; empty: in memory alone; "redis://host:port/name" for one on a Redis server, or
  /// "hbase://host:port/name" for one on HBase by a Thrift2 server of it (docs/online-index.md says what is
  /// different there). Fails with not_found if there is no index and none is to be made; with io if another
  /// process has it open, or for files that can't be read; with corrupt, naming the file; with
  /// invalid_argument if it was made with another scheme, or with other tables of characters.
  [[nodiscard]] static Result<Index> open(const Context& context, const std::filesystem::path& place,
                                          const Settings& settings = {});
  /// Takes over from another one, which may only be destroyed afterwards.
  Index(Index&&) noexcept;
  /// The same.
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// An answer for each text, by the texts that are in the index.
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const std::string_view> texts,
                                                  const Wanted& wanted = {}) const;
  /// The same for fingerprints, of 64 bits in `low`. An index that compares texts refuses them.
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const hamming::Fingerprint128> fingerprints,
                                                  const Wanted& wanted = {}) const;
  /// The same for texts and fingerprints, in any mixture. Ids and the other details are not looked at.
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const Text> texts,
                                                  const Wanted& wanted = {}) const;
  /// An answer for each text, by the texts of the index and those before it in the batch, and all of them are
  /// added. A new one stands for itself from then on; one that was seen becomes a member of the family of its
  /// match, and later ones are compared with the match only. An id of the index with the same text changes
  /// nothing; with another text it is refused. All of the batch is added, or after a failure nothing (on a
  /// server: or the first of it). A batch that adds nothing, such as one that is sent again, meets every
  /// expectation of a version; one with texts that are set aside may have none.
  [[nodiscard]] Result<std::vector<Answer>> check_and_add(std::span<const Text> texts,
                                                          const Wanted& wanted = {},
                                                          ExpectedVersion expected_version = {});
  /// Adds without looking for near ones: each text stands for itself, but for exact copies. Answers are
  /// `fresh`, `exact` or `refused`.
  [[nodiscard]] Result<std::vector<Answer>> add(std::span<const Text> texts,
                                                ExpectedVersion expected_version = {});
  /// Takes a text out; false if there is none of this id. If others are in its family, an exact copy of it
  /// stands for them from then on, or else the earliest of them.
  [[nodiscard]] Result<bool> remove(std::string_view id, ExpectedVersion expected_version = {});

  /// From now on texts of this source that are added are set aside, durable but seen by nobody: checks find
  /// them after commit(source). They are answered by the texts of the index and by earlier ones of the
  /// source; these answers are provisional. Other additions of a batch with such texts are a batch of their
  /// own. False if the source is open already, with what it holds. Fails with invalid_argument for a name
  /// that is empty or too long.
  [[nodiscard]] Result<bool> begin(std::string_view source);
  /// Adds what was set aside, in the order in which it came, and shows all of it at one moment. Other changes
  /// wait meanwhile; checks do not. After a failure nothing is shown; the next change, or the next opening of
  /// the index, goes on with it. Fails with not_found if the source isn't open.
  [[nodiscard]] Result<Committed> commit(std::string_view source);
  /// Forgets what was set aside. Fails with not_found if the source isn't open.
  [[nodiscard]] Result<void> rollback(std::string_view source);
  /// The sources that are open, by name.
  [[nodiscard]] std::vector<std::string> open_sources() const;
  /// Takes out all texts of a source, as remove() does one; says how many. What is set aside of an open
  /// source stays. Takes time in proportion to what the source holds. After a failure some are gone; call it
  /// again.
  [[nodiscard]] Result<std::uint64_t> remove_source(std::string_view source);
  /// Takes out all texts that expired before this moment; says how many. Until then they are found. Takes
  /// time in proportion to their number. After a failure some are gone; call it again.
  [[nodiscard]] Result<std::uint64_t> expire(Seconds before);

  /// The text as it was added; nothing if there is none.
  [[nodiscard]] Result<std::optional<Stored>> get(std::string_view id) const;
  /// All texts of one moment, in the order of their arrival; one that took another's place counts as arrived
  /// then. A failure of `each` ends it and is returned. Changes go on meanwhile.
  [[nodiscard]] Result<void> for_each(const std::function<Result<void>(const Stored&)>& each) const;
  /// The same of the texts of one source.
  [[nodiscard]] Result<void> for_each_of(std::string_view source,
                                         const std::function<Result<void>(const Stored&)>& each) const;
  /// What came and left since a cursor, for a follower who keeps a copy, or wants to be told. Without a
  /// cursor it begins with all texts that are there. Whoever takes over these changes in their order, page by
  /// page, has at the end what the index has. A text that came and left in between is no more than removed,
  /// maybe of a follower who never had it; one that took another's place comes again. Nothing is told of what
  /// isn't durable yet. Takes time in proportion to what it gives. Fails with not_found for the cursor of
  /// another index, of one that was put back since, or one that is older than Settings::removals_kept: begin
  /// again without one.
  [[nodiscard]] Result<Changes> changes(std::string_view since = {}, const ChangesWanted& wanted = {}) const;
  /// How check() comes to its answer.
  [[nodiscard]] Result<Explanation> explain(std::string_view text) const;

  /// Compares all files with their checksums, and the index with the texts. Fails with corrupt, naming the
  /// file.
  [[nodiscard]] Result<void> verify() const;
  /// What it holds and what it was asked. Fails with io.
  [[nodiscard]] Result<Figures> figures() const;
  /// Makes a copy of the index as it is at one moment, in a folder that doesn't exist yet and appears when
  /// the copy is whole. Sources that are open aren't in it. Files that never change are linked where the
  /// folder is on the same file system. Checks go on; changes wait. Fails with invalid_argument for an index
  /// in memory, and if the folder exists.
  [[nodiscard]] Result<void> snapshot(const std::filesystem::path& folder);
  /// Brings all postings into one file without those of texts that were removed, and gives up the space of
  /// removed texts. Keys that are full and of which less than half is left take texts again. Checks go on;
  /// changes wait.
  [[nodiscard]] Result<void> compact();

 private:
  class Inside;
  explicit Index(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

/// Who is told of the changes of an index that others write meanwhile. An index in a folder may be open in
/// another process: nothing of it is locked or changed, and a writer takes no notice.
class IndexFollower {
 public:
  /// Fails as Index::open() does where there is no index.
  static Result<IndexFollower> open(const Context& context, const std::filesystem::path& place,
                                    const Settings& settings = {});
  /// The other one may then only be destroyed or assigned to.
  IndexFollower(IndexFollower&&) noexcept;
  /// As above.
  IndexFollower& operator=(IndexFollower&&) noexcept;
  ~IndexFollower();

  /// As Index::changes(), with the same cursors, by one thread at a time. Of a folder nothing is told that a
  /// power failure could take back, however durable the writer wants it. Fails with conflict, to be tried
  /// again, while what was written last isn't durable: with Durability::none that is when the writer closes
  /// the index.
  [[nodiscard]] Result<Changes> changes(std::string_view since = {}, const ChangesWanted& wanted = {});

 private:
  class Inside;
  explicit IndexFollower(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

/// Makes the postings of an index anew from its texts: for one whose segments are damaged. Fails with corrupt
/// where the texts themselves are.
[[nodiscard]] Result<void> rebuild(const Context& context, const std::filesystem::path& place);

/// What is done with each document of files.
enum class FileTask : std::uint8_t { check, check_and_add };

/// What is read of documents beside their texts, and what becomes of records that can't be read. Fields are
/// named as InputFiles::id_field is. A value that is no time makes the document refused; an empty one, or
/// none, says nothing.
struct FileDetails {
  std::string source = {};        ///< of documents whose source isn't in a field
  std::string source_field = {};  ///< where a document's source stands
  std::string time_field =
      {};  ///< where its date stands: seconds since 1970, or ISO 8601 (UTC, if it doesn't say)
  std::string expires_field = {};  ///< where its expiry stands, in the same form
  /// Documents without an expiry expire so long after their date, or after now where they have none.
  std::optional<Seconds> keep_seconds = {};
  /// No document need have these fields. Otherwise one that none of them has is invalid_argument: of
  /// index_files() at the end, when the documents are there.
  bool fields_are_optional = false;
  /// Where a fingerprint stands in place of a text, in the hexadecimal or binary digits of `leitong sign`,
  /// all of them; InputFiles::text_fields are not looked at then. A value that is none makes the document
  /// refused. A file that says who signed it (FILE.scheme) has to be of the scheme of the index, which is one
  /// of fingerprints; all else is invalid_argument.
  std::string fingerprint_field = {};
  /// A JSONL file for the records that can't be read, each with its place and the reason, as
  /// DedupOutputs::quarantine is. It appears at the end of a run that doesn't fail.
  std::string quarantine = {};
  bool force = false;  ///< it may exist, and is replaced
};

/// What became of the documents of files.
struct FileSummary {
  std::uint64_t documents = 0;         ///< those of the next four together
  std::uint64_t fresh = 0;             ///< new
  std::uint64_t exact = 0;             ///< the same as an earlier one
  std::uint64_t near = 0;              ///< similar to an earlier one
  std::uint64_t refused = 0;           ///< not looked at
  std::string first_refused;           ///< "id: reason", or empty
  std::uint64_t known = 0;             ///< Answer::known
  std::uint64_t bounded = 0;           ///< whose search was cut short
  std::uint64_t quarantined = 0;       ///< records that could not be read
  std::string first_quarantined;       ///< "place: reason", or empty
  std::uint64_t truncated_inputs = 0;  ///< compressed ones of which records are lost
  /// A field of FileDetails, and how many documents have no value there.
  struct Lack {
    std::string field;            ///< its name
    std::uint64_t documents = 0;  ///< without it
  };
  std::vector<Lack> lacks;  ///< each field that some documents lack; none where they are optional
};

/// Takes the answers of some documents: ids and answers have equal lengths, and live as long as the call. A
/// failure ends the run and is returned from it.
using AnswersFn =
    std::function<Result<void>(std::span<const std::string> ids, std::span<const Answer> answers)>;

/// Passes the documents of files through an index, in their order. A document's id is its id field, or else
/// its place ("data.jsonl:12"). Answers are passed on batch by batch, as the input comes, those of an
/// addition when the batch is as durable as the index was opened for. A record that can't be read is answered
/// in its place, as refused with the reason, and counted as quarantined. Texts may be blank: those are seen
/// if they are equal. Fails as read_documents() and the index do.
[[nodiscard]] Result<FileSummary> index_files(const Context& context, Index& index, const InputFiles& input,
                                              FileTask task, const AnswersFn& each,
                                              const FileDetails& details = {}, const Wanted& wanted = {});

/// Makes a new index of files, with the verdicts that adding their documents one by one would give. It
/// appears when it is whole and durable. Of the settings its scheme counts. Fails with invalid_argument if
/// there is anything at `place`, and as index_files() does.
[[nodiscard]] Result<FileSummary> build(const Context& context, const std::filesystem::path& place,
                                        const InputFiles& input, const FileDetails& details = {},
                                        const Settings& settings = {});

/// Seconds since 1970 of "2026-11-22", "2026-11-22T08:30:00+08:00" (a space for the T; seconds, fractions of
/// them and the zone may be missing: UTC) or a number of seconds. Nothing for other text.
[[nodiscard]] std::optional<Seconds> parse_time(std::string_view text) noexcept;

}  // namespace leitong::online
