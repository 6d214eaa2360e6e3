// Has the index seen this text? Its keys are looked up, and the likeliest texts compared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/online.hpp"
#include "leitong/result.hpp"
#include "online/candidates.hpp"
#include "online/covered.hpp"
#include "online/decide_pair.hpp"
#include "online/rows.hpp"
#include "online/state.hpp"
#include "online/text_codec.hpp"

namespace leitong::online {

/// For what: exact copies alone, or near ones, too. `apart`: for both, but each text that is no copy stands
/// for itself, and what the index learns of templates is all that comes of it.
enum class Look : std::uint8_t { copies, near, apart };

/// A text that was checked, or is to be.
struct CheckedText {
  std::string_view id, text, source;
  std::optional<Seconds> time, expires;
  Look look = Look::near;  ///< for exact copies alone, or for near ones, too
  std::uint32_t matches_wanted = 1;
  std::optional<Stamp> stamp;  ///< of an index of fingerprints; given in place of the text, or made of it
  TextKeys keys;
  std::string packed;               ///< of texts that are added and kept
  std::optional<TextNumber> known;  ///< of texts that are added: the text with this id, when it was checked
  std::uint64_t state_version = 0;  ///< of texts that are added: of the state that it was checked against

  // What check_text() says.
  Verdict verdict = Verdict::fresh;
  TextNumber match = 0;      ///< of exact and near ones
  Row match_row;             ///< its row, without the text
  VerifiedPair figures;      ///< of near ones
  std::optional<Loss> loss;  ///< of near ones, where texts were compared: what the match lacks of this one
  /// Other similar ones, as far as they are wanted.
  struct Other {
    TextNumber text;
    Row row;
    VerifiedPair figures;
    std::optional<Loss> loss;
  };
  std::vector<Other> others;
  Bounds bounds;
  std::uint32_t refused_as_template = 0;
  std::optional<TemplateNote> note;  ///< of the first of these
  /// It shares much with texts of other works alone, and these are the shingles that it shares with them.
  std::vector<std::uint32_t> shared;
  /// Its answer may change when a shingle of it becomes a template, or one of these, of texts with which it
  /// was compared. They are in no order, and may be there twice.
  PodVector<std::uint32_t> asked_shingles;
  std::uint64_t templates_version = 0;
  std::uint32_t least_run = 1;  ///< of templates, when it was checked
  /// A text of the index that was compared, and refused for what the two are alone. Where templates may
  /// change that, [begin, end) of asked_shingles are its shingles.
  struct Refused {
    TextNumber text;
    std::uint32_t shared;  ///< shingles
    std::size_t begin, end;
  };
  std::vector<Refused> refused;
  std::size_t distinct_shingles = 0;  ///< of this text, where some were refused
  /// Set by who knows that the index's texts are as they were, for the next check: it doesn't read those
  /// again that must be refused again.
  bool refused_stay = false;
  std::string reason;  ///< of refused ones
  /// The keys that were looked up, those of the content and of the set last, and how many texts had each. The
  /// answer stays the same while nothing is posted to them.
  Probes probes;
  std::vector<std::uint32_t> holders;

  /// Nothing is left but working space.
  void clear();
};

/// What a scheme needs beside the rest.
struct SchemeScratch {
  virtual ~SchemeScratch() = default;
};

/// Working space, one per thread, of one index.
struct CheckScratch {
  std::unique_ptr<SchemeScratch> scheme;
  KeyScratch keys;
  TextCodec codec;
  PostingLists lists;
  LikelyScratch likely;
  Likely chosen;
  Shingled query, other;
  LossOfText losses;
  PodVector<Unit> units;
  Row row;
  std::string text;
};

/// The units of a stored text, which live until the next call with the scratch; its row goes to scratch.row,
/// and its text to scratch.text. False if the text was removed meanwhile.
Result<bool> read_text(const View& view, const Rows& rows, TextNumber text, const Folding& folding,
                       CheckScratch& scratch, std::span<const Unit>& units);

/// Chooses the keys whose lists are read for a text (CheckedText::probes), as the next does.
void choose_lists(const View& view, CheckedText& text);

/// Checks a text whose keys are made. A candidate's fate is noted in `explanation`, if there is one. Of
/// several similar texts the match is the earliest of those that were compared.
Result<void> check_text(const View& view, const Rows& rows, CheckScratch& scratch, CheckedText& text,
                        Explanation* explanation = nullptr);

}  // namespace leitong::online
