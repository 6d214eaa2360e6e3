#include "dedup/confirm_copies.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

#include "base/parallel.hpp"
#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "text/signs.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

/// Hashes of the ways in which a copy differs from its original; 0 where it does not differ.
struct Differences {
  std::uint64_t text = 0, signs = 0;
};

/// What the copies of a document are compared with. The last two members are computed at the first use.
struct Original {
  DocId document = kNoDocument;
  std::string text = {};
  PodVector<Unit> units = {};
  std::optional<PodVector<char>> characters = {};
  std::optional<std::uint64_t> signs = {};
};

/// Numbers the hashes of one group of copies in the order in which they come. The number of the hash 0 is 0.
class FormNumbers {
 public:
  std::uint32_t of(std::uint64_t hash) {
    if (hash == 0) return 0;
    return numbers_.try_emplace(hash, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
  }
  void clear() { numbers_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

Result<std::uint64_t> confirm_copies(const DocumentSource& source, RunContext& run,
                                     std::vector<Copy>& copies) {
  std::sort(copies.begin(), copies.end(), [](const Copy& x, const Copy& y) {
    return std::tuple(x.original, x.copy) < std::tuple(y.original, y.copy);
  });
  std::vector<std::uint8_t> equal(copies.size());
  std::vector<Differences> differences(copies.size());
  struct Space {
    std::unique_ptr<ReadScratch> read;
    Original original = {};
    PodVector<Unit> units = {};
  };
  Result<void> compared = parallel_for_each(
      run.stop, copies.size(), [&] { return Space{source.new_scratch()}; },
      [&](std::size_t i, Space& space) -> Result<void> {
        Original& original = space.original;
        if (original.document != copies[i].original) {
          LEITONG_ASSIGN(const DocumentText text, source.read(copies[i].original, *space.read));
          original = {.document = copies[i].original, .text = std::string(text.text)};
          to_units(original.text, source.folding(), original.units);
        }
        LEITONG_ASSIGN(const DocumentText text, source.read(copies[i].copy, *space.read));
        equal[i] = text.text == original.text;
        if (equal[i] != 0) return {};
        to_units(text.text, source.folding(), space.units);
        // Texts that are empty after folding are copies only if their bytes are the same.
        equal[i] = !space.units.empty() && std::ranges::equal(space.units, original.units);
        if (equal[i] == 0) return {};
        if (!original.characters) original.characters = compared_characters(original.text);
        const PodVector<char> characters = compared_characters(text.text);
        const bool same = std::ranges::equal(characters, *original.characters);
        // A masked number includes its own minus sign, so different white space may give the same text other
        // signs.
        if (same && source.folding().numbers != NumberUnits::masked) return {};
        if (!original.signs) original.signs = signs_hash(original.text, source.folding());
        const std::uint64_t signs = signs_hash(text.text, source.folding());
        differences[i] = {same ? 0 : same_text_hash(characters), signs == *original.signs ? 0 : signs | 1};
        return {};
      });
  LEITONG_TRY(std::move(compared));
  FormNumbers texts, signs;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (i == 0 || copies[i].original != copies[i - 1].original) {
      texts.clear();
      signs.clear();
    }
    copies[i].form = {texts.of(differences[i].text), signs.of(differences[i].signs)};
  }
  const std::size_t before = copies.size();
  std::size_t i = 0;
  std::erase_if(copies, [&](const Copy&) { return !equal[i++]; });
  return before - copies.size();
}

}  // namespace leitong
