#include "evaluate/gold.hpp"

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/tsv.hpp"

namespace leitong {
namespace {

using Fields = std::span<const std::string>;

tl::unexpected<Error> wrong_columns(std::size_t found, std::string_view expected) {
  return fail(ErrorCode::corrupt, fmt::format("{} column{} where {} are expected (separated by tabs)", found,
                                              found == 1 ? "" : "s", expected));
}

/// The rows of a cluster file, one by one. The caller checks the number of columns.
class ClusterRows {
 public:
  ClusterRows(IdNumbers& ids, ClusterFile& file) : ids_(ids), file_(file) {}

  Result<void> add(Fields fields) {
    const std::uint32_t document = ids_.number(fields[0]);
    if (document >= seen_.size()) seen_.resize(std::size_t{document} * 2 + 16);
    if (seen_[document])
      return fail(ErrorCode::corrupt, fmt::format("\"{}\" has a cluster already", fields[0]));
    seen_[document] = true;
    file_.rows.emplace_back(document, clusters_.number(fields[1]));
    return {};
  }

 private:
  IdNumbers& ids_;
  ClusterFile& file_;
  IdNumbers clusters_;
  std::vector<bool> seen_;
};

bool is_cluster_header(Fields fields, std::uint64_t line) {
  return line == 1 && fields.size() >= 2 && fields[0] == "id" && fields[1] == "cluster";
}

Result<JudgedPair> judged_row(Fields fields, IdNumbers& ids) {
  if (fields[2] != "0" && fields[2] != "1")
    return fail(ErrorCode::corrupt, fmt::format("label \"{}\" is neither 1 (the same) nor 0", fields[2]));
  const std::uint32_t a = ids.number(fields[0]), b = ids.number(fields[1]);
  if (a == b) return fail(ErrorCode::corrupt, fmt::format("\"{}\" is paired with itself", fields[0]));
  return JudgedPair{{a, b}, fields[2] == "1"};
}

}  // namespace

std::uint32_t IdNumbers::number(std::string_view id) {
  const auto found = numbers_.find(id);
  if (found != numbers_.end()) return found->second;
  return numbers_.emplace(std::string(id), static_cast<std::uint32_t>(numbers_.size())).first->second;
}

Result<ClusterFile> read_clusters(const std::string& path, IdNumbers& ids, StopToken stop) {
  ClusterFile file;
  ClusterRows rows(ids, file);
  LEITONG_TRY(read_tsv(
      path,
      [&](Fields fields, std::uint64_t line) -> Result<void> {
        if (is_cluster_header(fields, line)) return {};
        // The cluster files of a run have a third column: the document that is kept for each.
        if (fields.size() != 2 && fields.size() != 3)
          return wrong_columns(fields.size(), "2 or 3, id, cluster and the kept id,");
        return rows.add(fields.first(2));
      },
      stop));
  return file;
}

std::vector<Label> labels_of(const ClusterFile& file, std::size_t documents) {
  constexpr Label kUnset = UINT32_MAX;
  std::vector<Label> labels(documents, kUnset);
  Label next = 0;
  for (const auto& [document, cluster] : file.rows) {
    labels[document] = cluster;
    next = std::max(next, cluster + 1);
  }
  for (Label& label : labels)
    if (label == kUnset) label = next++;
  return labels;
}

Result<Gold> read_gold(const std::string& path, IdNumbers& ids, StopToken stop) {
  Gold gold;
  ClusterRows rows(ids, gold.clusters);
  std::size_t columns = 0;
  LEITONG_TRY(read_tsv(
      path,
      [&](Fields fields, std::uint64_t line) -> Result<void> {
        if (is_cluster_header(fields, line)) return {};
        if (columns == 0) {
          columns = fields.size();
          gold.judged = columns == 3;
        }
        if (fields.size() != columns || columns < 2 || columns > 3)
          return wrong_columns(fields.size(), columns == 2   ? "2, id and cluster,"
                                              : columns == 3 ? "3, two ids and a label,"
                                                             : "2 (id, cluster) or 3 (two ids, label)");
        if (!gold.judged) return rows.add(fields);
        LEITONG_ASSIGN(const JudgedPair pair, judged_row(fields, ids));
        gold.pairs.push_back(pair);
        return {};
      },
      stop));
  if (columns == 0) return fail(ErrorCode::corrupt, fmt::format("{}: no rows", path));
  return gold;
}

std::uint64_t Gold::same_pairs() const {
  std::uint64_t count = 0;
  for (const JudgedPair& pair : pairs) count += pair.same ? 1 : 0;
  std::unordered_map<std::uint32_t, std::uint64_t> members;
  for (const auto& [document, cluster] : clusters.rows) count += members[cluster]++;
  return count;
}

Result<GoldOfDocuments> read_gold_of(const std::string& path, std::span<const std::string> ids,
                                     const std::string& list, StopToken stop) {
  IdNumbers listed, numbers;
  GoldOfDocuments of;
  if (!list.empty()) LEITONG_TRY(read_ids(list, listed, stop));
  for (const std::string& id : ids)
    of.number.push_back(list.empty() || listed.knows(id) ? numbers.number(id) : kNotCounted);
  of.numbers = numbers.size();
  of.listed_absent = list.empty() ? 0 : listed.size() - of.numbers;

  LEITONG_ASSIGN(of.gold, read_gold(path, numbers, stop));
  of.absent = numbers.size() - of.numbers;
  std::erase_if(of.gold.clusters.rows, [&](const auto& row) { return row.first >= of.numbers; });
  std::erase_if(of.gold.pairs, [&](const JudgedPair& judged) {
    return judged.pair.first >= of.numbers || judged.pair.second >= of.numbers;
  });
  if (of.gold.clusters.rows.empty() && of.gold.pairs.empty())
    return fail(
        ErrorCode::invalid_argument,
        fmt::format(
            "{} names none of the documents{}; do its ids come from another field? Then set the id field",
            path, list.empty() ? "" : " that count"),
        "id_field");
  return of;
}

Result<std::vector<DocumentPair>> read_claimed_pairs(const std::string& path, IdNumbers& ids,
                                                     StopToken stop) {
  std::vector<DocumentPair> pairs;
  LEITONG_TRY(read_tsv(
      path,
      [&](Fields fields, std::uint64_t line) -> Result<void> {
        if (line == 1 && fields[0] == "id_a") return {};
        if (fields.size() < 2) return wrong_columns(fields.size(), "two ids");
        const std::uint32_t a = ids.number(fields[0]);
        pairs.emplace_back(a, ids.number(fields[1]));
        return {};
      },
      stop));
  return pairs;
}

Result<void> read_ids(const std::string& path, IdNumbers& ids, StopToken stop) {
  return read_tsv(
      path,
      [&](Fields fields, std::uint64_t) -> Result<void> {
        ids.number(fields[0]);
        return {};
      },
      stop);
}

}  // namespace leitong
