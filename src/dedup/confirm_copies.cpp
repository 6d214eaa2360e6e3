#include "dedup/confirm_copies.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/parallel.hpp"
#include "base/pod_vector.hpp"
#include "base/try.hpp"
#include "dedup/text_bands.hpp"
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
  std::string_view text = {};
  PodVector<Unit> units = {};
  std::optional<PodVector<char>> characters = {};
  std::optional<std::uint64_t> signs = {};
};

// Of a text in memory: UTF-8 with what folding drops, and what it takes beside its bytes.
constexpr std::uint64_t kBytesOfUnit = 4, kBytesOfText = 32;

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

/// Documents and their texts.
using TextShelf = Shelf<std::string_view>;

/// Reads the texts of the shelf's documents in the order of the input: copies lie anywhere in it.
Result<void> read_texts(const DocumentSource& source, RunContext& run, TextShelf& shelf) {
  std::vector<DocId>& documents = shelf.documents;
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
  shelf.features.resize(documents.size());
  return parallel_for_each(
      run.stop, documents.size(), [&] { return source.new_scratch(); },
      [&](std::size_t i, const std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
        LEITONG_ASSIGN(const DocumentText read, source.read(documents[i], *scratch));
        const auto copy = shelf.arrays.local().copy(std::span<const char>(read.text));
        shelf.features[i] = {copy.data(), copy.size()};
        return {};
      });
}

}  // namespace

Result<std::uint64_t> confirm_copies(const DocumentSource& source, const DocumentTable& table,
                                     RunContext& run, std::vector<Copy>& copies) {
  std::sort(copies.begin(), copies.end(), [](const Copy& x, const Copy& y) {
    return std::tuple(x.original, x.copy) < std::tuple(y.original, y.copy);
  });
  std::vector<std::uint8_t> equal(copies.size());
  std::vector<Differences> differences(copies.size());
  struct Space {
    Original original = {};
    PodVector<Unit> units = {};
  };
  const auto compare = [&](std::size_t begin, std::size_t end, const TextShelf& shelf) {
    const auto text_of = [&](DocId document) { return shelf.features[shelf.find(document)]; };
    return parallel_for_each(
        run.stop, end - begin, [] { return Space(); },
        [&](std::size_t at, Space& space) -> Result<void> {
          const std::size_t i = begin + at;
          Original& original = space.original;
          if (original.document != copies[i].original) {
            original = {.document = copies[i].original, .text = text_of(copies[i].original)};
            to_units(original.text, source.folding(), original.units);
          }
          const std::string_view text = text_of(copies[i].copy);
          equal[i] = text == original.text;
          if (equal[i] != 0) return {};
          to_units(text, source.folding(), space.units);
          // Texts that are empty after folding are copies only if their bytes are the same.
          equal[i] = !space.units.empty() && std::ranges::equal(space.units, original.units);
          if (equal[i] == 0) return {};
          if (!original.characters) original.characters = compared_characters(original.text);
          const PodVector<char> characters = compared_characters(text);
          const bool same = std::ranges::equal(characters, *original.characters);
          // A masked number includes its own minus sign, so different white space may give the same text
          // other signs.
          if (same && source.folding().numbers != NumberUnits::masked) return {};
          if (!original.signs) original.signs = signs_hash(original.text, source.folding());
          const std::uint64_t signs = signs_hash(text, source.folding());
          differences[i] = {same ? 0 : same_text_hash(characters), signs == *original.signs ? 0 : signs | 1};
          return {};
        });
  };
  // As many copies at a time as memory has room for their texts and those of their originals.
  const std::uint64_t room = run.memory.for_buffers() / 4;
  const auto bytes_of = [&](DocId document) { return kBytesOfUnit * table.units[document] + kBytesOfText; };
  for (std::size_t begin = 0, end = 0; begin < copies.size(); begin = end) {
    std::uint64_t bytes = 0;
    TextShelf shelf;
    for (; end < copies.size() && (end == begin || bytes < room); ++end) {
      const Copy& each = copies[end];
      if (end == begin || each.original != copies[end - 1].original) {
        shelf.documents.push_back(each.original);
        bytes += bytes_of(each.original);
      }
      shelf.documents.push_back(each.copy);
      bytes += bytes_of(each.copy);
    }
    const HeldMemory held(run.memory, bytes);
    LEITONG_TRY(read_texts(source, run, shelf));
    LEITONG_TRY(compare(begin, end, shelf));
  }
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
