#include "text/segment/trie_builder.hpp"

#include <algorithm>
#include <numeric>

#include "base/try.hpp"
#include "text/segment/row_packer.hpp"

namespace leitong {
namespace {

struct Node {
  std::uint32_t parent = 0;
  Symbol symbol = 0;
  std::uint8_t depth = 0;
  std::uint32_t weight = 0, id = kNoWord;
  double frequency = 0;  // frequency of all words that pass through the node
  std::uint32_t slot = 0, base = 0;
  std::uint32_t children = 0;  // number of children, which follow in depth-first order
};

/// Depth first, siblings sorted by symbol. Node 0 is the root.
std::vector<Node> make_nodes(std::vector<TrieWord>& words) {
  std::sort(words.begin(), words.end(),
            [](const TrieWord& a, const TrieWord& b) { return a.symbols < b.symbols; });
  std::vector<Node> nodes(1);
  std::vector<std::uint32_t> path = {0};  // nodes of the previous word, by depth
  const std::vector<Symbol>* before = nullptr;
  for (const TrieWord& word : words) {
    std::size_t shared = 0;
    if (before)
      while (shared < before->size() && (*before)[shared] == word.symbols[shared]) ++shared;
    path.resize(shared + 1);
    for (std::size_t i = shared; i < word.symbols.size(); ++i) {
      const std::uint32_t parent = path.back();
      path.push_back(static_cast<std::uint32_t>(nodes.size()));
      ++nodes[parent].children;
      nodes.push_back(
          {.parent = parent, .symbol = word.symbols[i], .depth = static_cast<std::uint8_t>(i + 1)});
    }
    nodes[path.back()].weight = word.weight;
    nodes[path.back()].id = word.id;
    for (const std::uint32_t node : path) nodes[node].frequency += word.frequency;
    before = &word.symbols;
  }
  return nodes;
}

struct Row {
  std::uint32_t owner;  // a group or a node
  double frequency = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;  // column and node
};

class Packing {
 public:
  Packing(std::uint32_t width, std::uint32_t max_base) : packer_(width, max_base) {}

  /// Finds the base of the row and gives its nodes their slots.
  Result<std::uint32_t> place(Row& row, std::vector<Node>& nodes) {
    std::sort(row.cells.begin(), row.cells.end());
    columns_.clear();
    for (const auto& [column, node] : row.cells) columns_.push_back(column);
    const auto base = packer_.place(columns_);
    if (!base)
      return fail(ErrorCode::limit,
                  "the dictionary has more words than a model can hold; leave some user words out");
    for (const auto& [column, node] : row.cells) nodes[node].slot = *base + column;
    return *base;
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return packer_.size(); }

 private:
  RowPacker packer_;
  std::vector<std::uint32_t> columns_;
};

std::vector<Row> pair_rows(const std::vector<Node>& nodes) {
  std::vector<Row> groups(kGroups);
  for (std::uint32_t i = 0; i < kGroups; ++i) groups[i].owner = i;
  for (std::uint32_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].depth != 2) continue;
    const std::uint32_t key = pair_key(nodes[nodes[i].parent].symbol, nodes[i].symbol);
    groups[key >> kColumnBits].cells.emplace_back(key & (kColumns - 1), i);
  }
  std::erase_if(groups, [](const Row& row) { return row.cells.empty(); });
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Row& a, const Row& b) { return a.cells.size() > b.cells.size(); });
  return groups;
}

std::vector<Row> longer_rows(const std::vector<Node>& nodes) {
  std::vector<std::uint32_t> row_of(nodes.size(), kNoWord);
  std::vector<Row> rows;
  for (std::uint32_t i = 1; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.depth >= 2 && node.children > 0) {
      row_of[i] = static_cast<std::uint32_t>(rows.size());
      rows.push_back({i, node.frequency, {}});
      rows.back().cells.reserve(node.children);
    }
    if (node.depth >= 3) rows[row_of[node.parent]].cells.emplace_back(node.symbol, i);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.frequency > b.frequency; });
  return rows;
}

/// Bloom filters of the symbols that follow each node.
struct Filters {
  std::vector<std::uint8_t> small;
  std::vector<std::uint16_t> large;
};

Filters make_filters(const std::vector<Node>& nodes) {
  Filters filters{std::vector<std::uint8_t>(nodes.size()), std::vector<std::uint16_t>(nodes.size())};
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.depth < 3) continue;
    const bool below_pair = node.depth == 3;
    filters.small[node.parent] |=
        static_cast<std::uint8_t>(1u << (below_pair ? pair_filter(node.symbol) : node_filter(node.symbol)));
    filters.large[node.parent] |= static_cast<std::uint16_t>(1u << row_filter(node.symbol));
  }
  return filters;
}

}  // namespace

Result<TrieArrays> build_trie(std::vector<TrieWord> words) {
  std::vector<Node> nodes = make_nodes(words);
  TrieArrays arrays;
  arrays.pilots.assign(kGroups, 0);
  constexpr std::uint32_t kMaxBase = 1u << kBaseBits;

  Packing pairs(kColumns, kMaxBase);
  for (Row& row : pair_rows(nodes)) {
    LEITONG_ASSIGN(arrays.pilots[row.owner], pairs.place(row, nodes));
  }
  Packing longer(kMaxSymbols, kMaxBase);
  for (Row& row : longer_rows(nodes)) {
    LEITONG_ASSIGN(nodes[row.owner].base, longer.place(row, nodes));
  }

  for (auto* array : {&arrays.pairs, &arrays.pair_rows}) array->assign(pairs.size(), 0);
  for (auto* array : {&arrays.longer, &arrays.longer_rows}) array->assign(longer.size(), 0);
  arrays.pair_words.assign(pairs.size(), kNoWord);
  arrays.longer_words.assign(longer.size(), kNoWord);
  const Filters filters = make_filters(nodes);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.depth == 2) {
      const std::uint32_t key = pair_key(nodes[node.parent].symbol, node.symbol);
      arrays.pairs[node.slot] = pair_entry(key & (kColumns - 1), node.weight, filters.small[i]);
      arrays.pair_rows[node.slot] = row_entry(node.base, filters.large[i]);
      arrays.pair_words[node.slot] = node.id;
    } else if (node.depth > 2) {
      arrays.longer[node.slot] = node_entry(node.symbol, node.weight, filters.small[i]);
      arrays.longer_rows[node.slot] = row_entry(node.base, filters.large[i]);
      arrays.longer_words[node.slot] = node.id;
    }
  }
  return arrays;
}

}  // namespace leitong
