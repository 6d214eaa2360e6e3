// A scheme: what is a document's sketch, and how alike are two sketches? Adding one takes one file in
// schemes/ and one line in registry.cpp. How sketches of many documents become pairs is not its affair:
// dedup/finders/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/pod_vector.hpp"
#include "leitong/folding.hpp"
#include "leitong/result.hpp"
#include "leitong/scheme.hpp"
#include "scheme/params.hpp"
#include "similarity/rule.hpp"
#include "text/units.hpp"

namespace leitong {

class SchemeResources;  // scheme/resources.hpp

/// What a sketch is made from. Both views describe the same document.
struct DocumentView {
  std::string_view text;
  std::span<const Unit> units;
};

/// A document's sketch, as Sketcher::sketch() made it, and its number of units.
struct SketchView {
  std::span<const std::uint64_t> words;
  std::size_t units = 0;
};

/// What two sketches say of their documents.
struct Likeness {
  bool similar = false;              ///< would the pair be accepted where nothing is verified?
  double similarity = 0;             ///< 0 to 1, symmetric, 1 for a document with itself
  std::optional<unsigned> distance;  ///< in bits, of fingerprints
};

/// Makes 64-bit words of a document. Immutable and thread-safe.
class Sketcher {
 public:
  virtual ~Sketcher() = default;

  /// Working space, one per thread.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };
  [[nodiscard]] virtual std::unique_ptr<Scratch> new_scratch() const = 0;

  /// Appends the document's sketch to `words`; nothing where the document holds nothing to make it from. The
  /// result depends on the document alone. `scratch` comes from new_scratch() and serves one call at a time.
  virtual void sketch(const DocumentView& document, Scratch& scratch,
                      PodVector<std::uint64_t>& words) const = 0;
};

/// What sketches are made with beside their parameters, as digests by content; 0 for none.
struct SchemeContent {
  std::uint64_t tables = 0;  ///< of characters
  std::uint64_t model = 0;   ///< dictionary, IDF, term model, thesaurus
};

/// Of schemes that look at units alone.
[[nodiscard]] SchemeContent content_of_units();

/// Writes a folding into the parameters of an id, "marks=keep" and "numbers=masked": the default one has no
/// names, so that ids made before there was a choice stay what they are.
void add_parameters(const Folding& folding, SchemeId& id);
/// The inverse.
[[nodiscard]] Folding folding_of(const SchemeId& id);

class Scheme;
using MadeScheme = Result<std::unique_ptr<Scheme>>;

class Scheme : public Sketcher {
 public:
  explicit Scheme(const SchemeContent& content) : content_(content) {}

  /// Sketches compare if their schemes have equal ids.
  [[nodiscard]] const SchemeId& id() const noexcept { return id_; }

  /// How the texts are folded whose units it is given. It is a part of the id of a scheme that looks at
  /// units.
  [[nodiscard]] const Folding& folding() const noexcept { return folding_; }
  /// Fails with invalid_argument if a folding other than the default was chosen and the scheme does not look
  /// at units: then the choice has no effect on sketches.
  Result<void> check_folding() const;

  /// Two documents by their sketches alone, neither of them empty; nothing where sketches don't tell and the
  /// texts have to be read. `rule` decides where the scheme has no threshold of its own.
  [[nodiscard]] virtual std::optional<Likeness> compare(const SketchView&, const SketchView&,
                                                        const Rule& /*rule*/) const {
    return std::nullopt;
  }

  /// 64 or 128 if a sketch is one fingerprint of so many bits, which are compared by Hamming distance; else
  /// 0.
  [[nodiscard]] virtual unsigned fingerprint_bits() const noexcept { return 0; }

  /// Why sketches of this scheme must never decide alone, as a sentence; empty if they may.
  [[nodiscard]] virtual std::string_view must_be_verified() const noexcept { return {}; }

 private:
  friend MadeScheme make_scheme(std::string_view name, std::span<const std::string> given,
                                SchemeResources& resources, const Folding& folding);

  SchemeContent content_;
  SchemeId id_;
  Folding folding_;
  bool looks_at_units_ = false;
};

/// SchemeInfo::needs of schemes that look at units.
inline constexpr std::string_view kNeedsUnits = "a character, letter or digit";

struct SchemeInfo {
  std::string_view name;
  std::string_view summary;  ///< one line, of the method that has the scheme's name
  std::string_view source;   ///< paper and section
  /// Those that shape the sketch, and those of the search for pairs (ParamInfo::use).
  std::span<const ParamInfo> params;
  /// What a sketch is to others ("64-bit fingerprint"); empty where it is no signature to be kept or
  /// compared.
  std::string_view signature;
  /// What a document must hold to have a sketch; of one that lacks it only exact copies are looked for.
  std::string_view needs;
  /// Of the sketch: it rises whenever the same text and parameters give other words.
  std::uint32_t version;
  MadeScheme (*make)(const Params&, SchemeResources&);
  /// SchemeId::parameters, where that isn't sketch_parameters(): if several values give the same sketches.
  std::string (*parameters)(const Params&) = nullptr;
};

/// Every scheme, in the order of the help.
[[nodiscard]] std::span<const SchemeInfo> schemes() noexcept;
/// Null for an unknown name.
[[nodiscard]] const SchemeInfo* find_scheme(std::string_view name) noexcept;
/// `given` are "name=value". Unknown names of schemes and of parameters fail with the list of known ones; the
/// rest as the scheme says, for dictionaries and models that are missing or damaged.
MadeScheme make_scheme(std::string_view name, std::span<const std::string> given, SchemeResources& resources,
                       const Folding& folding = {});

}  // namespace leitong
