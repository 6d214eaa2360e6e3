// Short items that stand inside of long documents.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "leitong/byte_range.hpp"

namespace leitong {

/// An item in a document.
struct FoundItem {
  std::uint32_t item = 0;  ///< its number, see ItemFinder::add()
  float share = 0;         ///< of the item's shingles, or of its n-grams
  bool equal = false;      ///< all of its units stand there as one run, numbers included
  ByteRange place = {};    ///< in the document
};

/// Finds items in documents. Items are added one after the other, then it is built, and then any number of
/// threads may ask, each with a workspace of its own.
class ItemFinder {
 public:
  /// Of one thread.
  class Workspace {
   public:
    virtual ~Workspace() = default;
  };
  virtual ~ItemFinder() = default;

  /// Takes an item and returns its number. Items that are equal after folding have one number. Nothing if the
  /// item is too short to be looked for. REQUIRES: valid UTF-8.
  virtual std::optional<std::uint32_t> add(std::string_view text) = 0;
  /// To be called once, after the last item.
  virtual void build() = 0;

  [[nodiscard]] virtual std::unique_ptr<Workspace> new_workspace() const = 0;
  /// Replaces `found` by the items of a document, by number, each once: at its best place, among equals the
  /// first one. REQUIRES: valid UTF-8 of less than 4 GiB.
  virtual void find(std::string_view text, Workspace& workspace, std::vector<FoundItem>& found) const = 0;
};

/// Items by the share of their shingles (share_finder.hpp). `share`: asked for; nothing: by the item's
/// length.
[[nodiscard]] std::unique_ptr<ItemFinder> make_share_finder(std::optional<double> share);
/// Items of which a document holds one run of `words` words at least. REQUIRES words > 0.
[[nodiscard]] std::unique_ptr<ItemFinder> make_ngram_finder(std::uint32_t words);

}  // namespace leitong
