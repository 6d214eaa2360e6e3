// A method: how texts become candidate pairs. Adding one takes one file in methods/ and one line in
// registry.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pod_vector.hpp"
#include "dedup/params.hpp"
#include "leitong/result.hpp"
#include "base/candidates.hpp"
#include "base/document_table.hpp"
#include "base/pair.hpp"
#include "similarity/rule.hpp"
#include "text/units.hpp"

namespace leitong {

class MemoryBudget;  // base/memory.hpp
class WorkFolder;    // base/work_folder.hpp

/// What a method may look at. Both views describe the same document.
struct DocumentView {
  std::string_view text;
  std::span<const Unit> units;
};

/// A document's sketch, as Method::sketch() made it, and its number of units.
struct SketchView {
  std::span<const std::uint64_t> words;
  std::size_t units = 0;
};

/// What a method reads from two sketches.
struct Likeness {
  bool similar = false;              ///< would find() offer the two where nothing is verified behind it?
  double similarity = 0;             ///< 0 to 1, symmetric, 1 for a document with itself
  std::optional<unsigned> distance;  ///< in bits, of fingerprints
};

/// Figures a method reports, in order, for the summary.
using MethodFigures = std::vector<std::pair<std::string, double>>;

class Method {
 public:
  virtual ~Method() = default;

  /// Per-thread working space.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };
  [[nodiscard]] virtual std::unique_ptr<Scratch> new_scratch() const = 0;

  /// Appends the document's sketch to `words`: its keys, fingerprint or signature; nothing where the document
  /// holds nothing that the method goes by. Depends on the document alone; thread-safe for different
  /// scratches.
  virtual void sketch(const DocumentView& document, Scratch& scratch,
                      PodVector<std::uint64_t>& words) const = 0;

  /// Two documents by their sketches alone, neither of them empty; nothing where the method leaves all to the
  /// rule.
  [[nodiscard]] virtual std::optional<Likeness> compare(const SketchView&, const SketchView&) const {
    return std::nullopt;
  }

  /// Takes the sketches of distinct documents (copies are left out) in rising order of document; called by
  /// one thread.
  virtual Result<void> add(DocId document, std::span<const std::uint64_t> words) = 0;

  /// Finds the candidate pairs. Called once, after the last add().
  virtual Result<void> find(CandidateSink& sink) = 0;

  /// After find(): links to families, which are components of many documents, what find() left beside them.
  /// `family`: a number for each document, kNoDocument for those in none. Each `round` looks at other
  /// members.
  virtual Result<void> find_strays(CandidateSink&, std::span<const DocId> /*family*/, unsigned /*round*/) {
    return {};
  }

  /// After find(): is the document made of what many others hold too, so that its pairs must pass the
  /// stricter rule?
  [[nodiscard]] virtual bool is_common(DocId) const { return false; }

  [[nodiscard]] virtual MethodFigures figures() const = 0;
};

/// What a method is built with.
struct MethodContext {
  const Rule& rule;
  const DocumentTable& table;  ///< grows while documents are added
  MemoryBudget& memory;
  const WorkFolder& work;
  bool verify =
      true;  ///< false: nothing is verified behind find(), so a method offers only what it would accept
  std::span<const std::string> params = {};  ///< "name=value", see MethodInfo::params
};

using MadeMethod = Result<std::unique_ptr<Method>>;

/// MethodInfo::needs of methods that look at units.
inline constexpr std::string_view kNeedsUnits = "a character, letter or digit";

struct MethodInfo {
  std::string_view name;
  std::string_view summary;  ///< one line for --help
  std::string_view source;   ///< paper and section
  std::span<const ParamInfo> params;
  /// What a sketch is to others ("64-bit fingerprint"); empty where it is no signature to be kept or
  /// compared.
  std::string_view signature;
  /// What a document must hold to have a sketch; of one that lacks it only exact copies are looked for.
  std::string_view needs;
  MadeMethod (*make)(const MethodContext&, const Params&);
};

/// Every method, in the order of the help.
[[nodiscard]] std::span<const MethodInfo> methods() noexcept;
/// Null for an unknown name.
[[nodiscard]] const MethodInfo* find_method(std::string_view name) noexcept;
/// Unknown names of methods and of parameters fail with the list of known ones.
MadeMethod make_method(std::string_view name, const MethodContext& context);

}  // namespace leitong
