// A scheme defines the sketch of a document and the similarity of two sketches. A new one takes one file in
// schemes/ and one line in registry.cpp. How the sketches of many documents become pairs is defined in
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

/// The input of a sketch. Both views describe the same document.
struct DocumentView {
  std::string_view text;
  std::span<const Unit> units;
};

/// A document's sketch, as Sketcher::sketch() made it, and its number of units.
struct SketchView {
  std::span<const std::uint64_t> words;
  std::size_t units = 0;
};

/// What two sketches tell about their documents.
struct Likeness {
  bool similar = false;              ///< true if the pair would be accepted without verification
  double similarity = 0;             ///< 0 to 1, symmetric, 1 for a document with itself
  std::optional<unsigned> distance;  ///< for fingerprints, in bits
};

/// Turns a document into 64-bit words. Immutable and thread-safe.
class Sketcher {
 public:
  virtual ~Sketcher() = default;

  /// The working space, one for each thread.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };
  [[nodiscard]] virtual std::unique_ptr<Scratch> new_scratch() const = 0;

  /// Appends the document's sketch to `words`; appends nothing if the document has nothing from which to make
  /// one. The result depends on the document alone. `scratch` comes from new_scratch() and serves one call at
  /// a time.
  virtual void sketch(const DocumentView& document, Scratch& scratch,
                      PodVector<std::uint64_t>& words) const = 0;
};

/// Digests of what sketches are made with in addition to their parameters; 0 for none.
struct SchemeContent {
  std::uint64_t tables = 0;  ///< tables of characters
  std::uint64_t model = 0;   ///< dictionary, IDF, term model, thesaurus
};

/// The content of schemes that look only at units.
[[nodiscard]] SchemeContent content_of_units();

/// Writes a folding into the parameters of an id, as "marks=keep" and "numbers=masked". The default folding
/// adds nothing.
void add_parameters(const Folding& folding, SchemeId& id);
/// The inverse of add_parameters().
[[nodiscard]] Folding folding_of(const SchemeId& id);

class Scheme;
using MadeScheme = Result<std::unique_ptr<Scheme>>;

class Scheme : public Sketcher {
 public:
  explicit Scheme(const SchemeContent& content) : content_(content) {}

  /// Sketches can be compared if their schemes have equal ids.
  [[nodiscard]] const SchemeId& id() const noexcept { return id_; }

  /// The folding of the texts whose units the scheme takes. It is part of the id of a scheme that looks at
  /// units.
  [[nodiscard]] const Folding& folding() const noexcept { return folding_; }
  /// Fails with invalid_argument if a folding other than the default was chosen and the scheme does not look
  /// at units: then the choice has no effect on sketches.
  Result<void> check_folding() const;

  /// Compares two documents by their sketches alone, neither of them empty. Returns nothing if sketches do
  /// not suffice and the texts have to be read. `rule` decides if the scheme has no threshold of its own.
  [[nodiscard]] virtual std::optional<Likeness> compare(const SketchView&, const SketchView&,
                                                        const Rule& /*rule*/) const {
    return std::nullopt;
  }

  /// 64 or 128 if a sketch is one fingerprint of so many bits, which are compared by Hamming distance;
  /// otherwise 0.
  [[nodiscard]] virtual unsigned fingerprint_bits() const noexcept { return 0; }

  /// A sentence that says why sketches of this scheme must never decide alone; empty if they may.
  [[nodiscard]] virtual std::string_view must_be_verified() const noexcept { return {}; }

 private:
  friend MadeScheme make_scheme(std::string_view name, std::span<const std::string> given,
                                SchemeResources& resources, const Folding& folding);

  SchemeContent content_;
  SchemeId id_;
  Folding folding_;
  bool looks_at_units_ = false;
};

/// SchemeInfo::needs for schemes that look at units.
inline constexpr std::string_view kNeedsUnits = "a character, letter or digit";

struct SchemeInfo {
  std::string_view name;
  std::string_view summary;  ///< one line, for the method of the scheme's name
  std::string_view source;   ///< paper and section
  /// The parameters of the sketch and those of the search for pairs (ParamInfo::use).
  std::span<const ParamInfo> params;
  /// What users call the sketch ("64-bit fingerprint"); empty if it is no signature that can be stored or
  /// compared.
  std::string_view signature;
  /// What a document must contain to have a sketch. Of a document without it only exact copies are looked
  /// for.
  std::string_view needs;
  /// The version of the sketch, which increases whenever the same text and parameters give other words.
  std::uint32_t version;
  MadeScheme (*make)(const Params&, SchemeResources&);
  /// Makes SchemeId::parameters if that is not sketch_parameters(), because several values give the same
  /// sketches.
  std::string (*parameters)(const Params&) = nullptr;
};

/// Every scheme, in the order of the help.
[[nodiscard]] std::span<const SchemeInfo> schemes() noexcept;
/// Null for an unknown name.
[[nodiscard]] const SchemeInfo* find_scheme(std::string_view name) noexcept;
/// `given` are "name=value". An unknown scheme or parameter fails with the list of known ones. Other errors
/// depend on the scheme, for dictionaries and models that are missing or damaged.
MadeScheme make_scheme(std::string_view name, std::span<const std::string> given, SchemeResources& resources,
                       const Folding& folding = {});

}  // namespace leitong
