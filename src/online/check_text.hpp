// Has the index seen this text? Looks up its keys and compares the most likely texts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pool.hpp"
#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/candidates.hpp"
#include "online/decide_pair.hpp"
#include "online/part_keys.hpp"
#include "online/row.hpp"
#include "online/state.hpp"
#include "online/text_codec.hpp"

namespace leitong::online {

/// What a check looks for: only exact copies, or near texts as well. `apart` looks for both, but each text
/// that is no copy represents itself, and the index only learns templates from the result.
enum class Look : std::uint8_t { copies, near, apart };

/// A text that is to be checked or was checked.
struct CheckedText {
  std::string_view id, text, source;
  std::optional<Seconds> time, expires;
  Look look = Look::near;  ///< only exact copies, or near texts as well
  std::uint32_t matches_wanted = 1;
  std::optional<Stamp> stamp;  ///< for an index of fingerprints: given instead of the text, or made from it
  TextKeys keys;
  std::string packed;               ///< for texts that are added and kept
  std::optional<TextNumber> known;  ///< for added texts: the text that had this id at the check
  std::uint64_t state_version = 0;  ///< for added texts: version of the state at the check

  // The result of check_text().
  Verdict verdict = Verdict::fresh;
  TextNumber match = 0;      ///< the match of exact and near texts
  Row match_row;             ///< the match's row, without the text
  VerifiedPair figures;      ///< of near texts
  std::optional<Loss> loss;  ///< for near texts, if texts were compared: what the match lacks of this text
  /// Further similar texts, if wanted.
  struct Other {
    TextNumber text;
    Row row;
    VerifiedPair figures;
    std::optional<Loss> loss;
  };
  std::vector<Other> others;
  Bounds bounds;
  /// For the scheme "reuse": what it looked up, who has it, and the texts that hold parts of this one. The
  /// verdict does not depend on these.
  PartKeys part_keys;
  PostingLists part_lists;
  std::vector<SharedPart> parts;
  bool too_short = false;  ///< the text is new, and only equal texts were looked for
  std::uint32_t refused_as_template = 0;
  std::optional<TemplateNote> note;  ///< about the first of the texts that were refused as templates
  /// If the text shares much only with texts of other works: the shingles that it shares with them.
  std::vector<std::uint32_t> shared;
  /// The answer may change when a shingle of the text, or one of these shingles of compared texts, becomes a
  /// template. Unordered, possibly with repetitions.
  PodVector<std::uint32_t> asked_shingles;
  std::uint64_t templates_version = 0;
  LeastRun least_run;  ///< the least run of templates at the check
  /// A text of the index that was compared and refused, whatever other texts the index has. If templates may
  /// change that, [begin, end) of asked_shingles are its shingles.
  struct Refused {
    TextNumber text;
    std::uint32_t shared;  ///< number of shared shingles
    std::size_t begin, end;
  };
  std::vector<Refused> refused;
  std::size_t distinct_shingles = 0;  ///< distinct shingles of this text; set if texts were refused
  /// Set by a caller that knows that the texts of the index are unchanged: the next check does not read texts
  /// again that must be refused again.
  bool refused_stay = false;
  std::string reason;  ///< why the text is refused
  /// The keys that were looked up, with those of the content and of the set last, and how many texts had
  /// each. The answer stays valid while nothing is posted to them.
  Probes probes;
  std::vector<std::uint32_t> holders;

  /// Clears everything except working space.
  void clear();
};

/// Further working space of a scheme.
struct SchemeScratch {
  virtual ~SchemeScratch() = default;
};

/// A similar text, which is kept until it is known whether it is part of the answer.
struct SimilarText {
  TextNumber number = 0;
  Shingled shingled;
  PodVector<Unit> units;
  std::string text;
};

/// Working space for one thread and one index.
struct CheckScratch {
  std::unique_ptr<SchemeScratch> scheme;
  KeyScratch keys;
  TextCodec codec;
  PostingLists lists;
  LikelyScratch likely;
  Likely chosen;
  Shingled query, other;
  LossOfText losses;
  std::vector<SimilarText> similar;  ///< the first `similar_count` belong to the text that is checked
  std::size_t similar_count = 0;
  PodVector<Unit> units;
  Row row;
  std::string text;
};
using ScratchPool = Pool<CheckScratch>;

/// The units of a stored text, valid until the next call with this scratch; its row is in scratch.row and its
/// text in scratch.text. False if the text was removed meanwhile.
Result<bool> read_text(const View& view, const Rows& rows, TextNumber text, const Folding& folding,
                       CheckScratch& scratch, std::span<const Unit>& units);

/// Selects the keys whose lists are read for a text (CheckedText::probes), as check_text() does.
void choose_lists(const View& view, CheckedText& text);

/// Checks a text with keys. `explanation`, if not null, receives what happened to each candidate. Of several
/// similar texts the match is the earliest one that was compared.
Result<void> check_text(const View& view, const Rows& rows, CheckScratch& scratch, CheckedText& text,
                        Explanation* explanation = nullptr);

}  // namespace leitong::online
