#include "job/outputs.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/json_string.hpp"
#include "base/try.hpp"
#include "cluster/expand.hpp"
#include "cluster/pairs_file.hpp"
#include "io/tsv.hpp"
#include "job/template_list.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

// Rows are gathered to blocks of about this many bytes.
constexpr std::size_t kBlock = 1 << 20;

// A buffer before an OutputFile.
class Rows {
 public:
  explicit Rows(OutputFile& file) : file_(file) {}
  std::string& text() { return text_; }
  Result<void> end_row() { return text_.size() >= kBlock ? flush() : Result<void>{}; }
  Result<void> flush() {
    LEITONG_TRY(file_.write(text_));
    text_.clear();
    return {};
  }

 private:
  OutputFile& file_;
  std::string text_;
};

// Where a file goes below the folder of kept files: its path without what leads out of the folder.
fs::path below(const fs::path& path) {
  fs::path result;
  for (const fs::path& part : path.lexically_normal().relative_path())
    if (part != "..") result /= part;
  return result;
}

std::uint64_t hash_of(const fs::path& path) { return XXH3_64bits(path.c_str(), path.native().size()); }

/// Refuses inputs of which two would have one place in the folder of kept files, or one a place within the
/// other: "a/x" and "../a/x", since what leads upwards is left out.
Result<void> check_places(const Corpus& corpus, const std::string& folder) {
  const auto last = static_cast<DocId>(corpus.size());
  std::vector<std::pair<std::uint64_t, DocId>> places;
  for (DocId d = corpus.reference_count(); d < last; ++d)
    places.emplace_back(hash_of(below(corpus.source_path(d))), d);
  std::sort(places.begin(), places.end());
  const auto refuse = [&](DocId a, DocId b) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} and {} would have one place in it; name one of the two inputs by its "
                            "absolute path, or write a list of paths into a file instead",
                            folder, corpus.source_path(a), corpus.source_path(b)));
  };
  // Equal hashes are looked at: another file of the same path is the same file, named twice.
  const auto normal = [&](DocId d) { return fs::path(corpus.source_path(d)).lexically_normal(); };
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const auto [hash, a] = places[i];
    const auto [next, b] = places[i + 1];
    if (hash == next && normal(a) != normal(b) && below(normal(a)) == below(normal(b))) return refuse(a, b);
  }
  fs::path known;  // a folder that has been looked up, with all above it
  for (DocId d = corpus.reference_count(); d < last; ++d) {
    const fs::path parent = below(corpus.source_path(d)).parent_path();
    if (parent == known) continue;
    known = parent;
    for (fs::path above = parent; !above.empty(); above = above.parent_path()) {
      const auto found = std::lower_bound(places.begin(), places.end(), std::pair(hash_of(above), DocId{0}));
      if (found != places.end() && found->first == hash_of(above) &&
          below(corpus.source_path(found->second)) == above)
        return refuse(found->second, d);
    }
  }
  return {};
}

}  // namespace

Result<OutputSet> OutputSet::create(const DedupOutputs& names, StopToken stop) {
  OutputSet set;
  set.names_ = names;
  set.stop_ = stop;
  std::error_code unknown;
  if (names.kept.ends_with('/') || fs::is_directory(names.kept, unknown)) {
    LEITONG_ASSIGN(set.kept_folder_, OutputFolder::create(names.kept));
  }
  auto open = [&](const std::string& name, std::unique_ptr<OutputFile>& file) -> Result<void> {
    if (name.empty()) return {};
    LEITONG_ASSIGN(file, OutputFile::create(name, names.force, stop));
    return {};
  };
  if (!set.kept_folder_) LEITONG_TRY(open(names.kept, set.kept_));
  LEITONG_TRY(open(names.removed, set.removed_));
  LEITONG_TRY(open(names.clusters, set.clusters_));
  LEITONG_TRY(open(names.components, set.components_));
  LEITONG_TRY(open(names.pairs, set.pairs_));
  LEITONG_TRY(open(names.templates, set.templates_));
  LEITONG_TRY(open(names.quarantine, set.quarantine_));
  LEITONG_TRY(open(names.report, set.report_));
  return set;
}

Result<void> OutputSet::check(const Corpus& corpus) const {
  if (corpus.one_document_a_file()) return kept_folder_ ? check_places(corpus, names_.kept) : Result<void>{};
  if (kept_folder_)
    return fail(
        ErrorCode::invalid_argument,
        fmt::format(
            "{}: a folder can hold kept files, but the input's files hold many records each; name a file",
            names_.kept));
  return kept_ ? corpus.check_copyable() : Result<void>{};
}

Result<std::uint64_t> OutputSet::write_kept(const Corpus& corpus, const Outcome& outcome) {
  const DocId first = corpus.reference_count();
  std::uint64_t bytes = 0;
  if (kept_folder_) {
    for (DocId d = first; d < outcome.documents(); ++d) {
      if (!outcome.found.settlement.stays(d)) continue;
      const fs::path from = corpus.source_path(d);
      LEITONG_TRY(kept_folder_->add_file(from, below(from), names_.copy_files));
      bytes += corpus.file_bytes(d);
    }
    return bytes;
  }
  if (!kept_) return bytes;
  if (corpus.one_document_a_file()) {
    Rows rows(*kept_);
    for (DocId d = first; d < outcome.documents(); ++d) {
      if (!outcome.found.settlement.stays(d)) continue;
      const std::string_view path = corpus.source_path(d);
      rows.text().append(path).push_back(names_.null_separated ? '\0' : '\n');
      names_with_line_feeds_ += !names_.null_separated && path.find('\n') != std::string_view::npos;
      bytes += corpus.file_bytes(d);
      LEITONG_TRY(rows.end_row());
    }
    LEITONG_TRY(rows.flush());
    return bytes;
  }
  const bool is_archive = corpus.is_archive();
  const auto write = [&](std::string_view part) -> Result<void> {
    bytes += part.size();
    LEITONG_TRY(kept_->write(part));
    return is_archive ? kept_->end_member() : Result<void>{};
  };
  LEITONG_TRY(corpus.copy_kept([&](DocId d) { return outcome.found.settlement.stays(d); }, write));
  return bytes;
}

Result<void> OutputSet::write_removed(const Corpus& corpus, const IdTable& ids, const Outcome& outcome,
                                      std::string_view method, bool own_text) {
  if (!removed_) return {};
  // Of originals; only what the second decision saw needs more than measure and score.
  std::unordered_map<DocId, VerifiedPair> asked;
  std::vector<DocId> original;
  if (own_text) {
    original = originals(outcome.documents(), outcome.found.copies);
    LEITONG_TRY(outcome.for_each_removal([&](DocId d, const VerifiedPair& pair) { asked.emplace(d, pair); }));
  }
  Rows rows(*removed_);
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (outcome.found.settlement.stays(d)) continue;
    const auto [measure, score] = outcome.reason(d);
    fmt::format_to(
        std::back_inserter(rows.text()),
        R"({{"id":{},"place":{},"kept":{},"cluster":{},"measure":"{}","score":{:.6g},"method":"{}")",
        json_string(ids[d]), json_string(corpus.place_name(d)),
        json_string(ids[outcome.found.settlement.kept[d]]), outcome.cluster[d], measure_name(measure), score,
        method);
    if (own_text) {
      const auto pair = asked.find(original[d]);
      const VerifiedPair same{0, 1, 1, 1, 1, Measure::identical};
      rows.text() +=
          R"(,"reason":)" + json_string(reason_of(pair == asked.end() ? same : pair->second, true));
    }
    rows.text() += "}\n";
    LEITONG_TRY(rows.end_row());
  }
  return rows.flush();
}

Result<void> OutputSet::write_groups(OutputFile& file, const IdTable& ids,
                                     const PodVector<std::uint32_t>& number) {
  Rows rows(file);
  for (DocId d = 0; d < number.size(); ++d) {
    if (number[d] == 0) continue;
    append_tsv_field(ids[d], rows.text());
    fmt::format_to(std::back_inserter(rows.text()), "\t{}\n", number[d]);
    LEITONG_TRY(rows.end_row());
  }
  return rows.flush();
}

Result<void> OutputSet::write_pairs(const IdTable& ids, const Outcome& outcome, bool own_text) {
  if (!pairs_) return {};
  const PodVector<std::uint32_t>& units = outcome.found.table.units;
  const PairStore& found = *outcome.found.pairs;
  PairStore expanded(outcome.documents(), found.run());
  LEITONG_TRY(expand(found, outcome.found.copies, expanded));
  Rows rows(*pairs_);
  const PairsVersion version = own_text ? PairsVersion::with_own_text : PairsVersion::plain;
  rows.text().append(pairs_header(version));
  LEITONG_TRY(expanded.for_each([&](const VerifiedPair& pair) {
    append_pair_row({std::string(ids[pair.a]), std::string(ids[pair.b]), pair, units[pair.a], units[pair.b]},
                    version, rows.text());
    return rows.end_row();
  }));
  return rows.flush();
}

Result<std::uint64_t> OutputSet::write(const Corpus& corpus, const Outcome& outcome, std::string_view method,
                                       bool own_text) {
  LEITONG_ASSIGN(const std::uint64_t kept_bytes, write_kept(corpus, outcome));
  if (removed_ || clusters_ || components_ || pairs_) {
    LEITONG_ASSIGN(const std::vector<bool> paired, outcome.found.paired());
    LEITONG_ASSIGN(const IdTable ids, IdTable::read(corpus, paired, stop_));
    LEITONG_TRY(write_removed(corpus, ids, outcome, method, own_text));
    if (clusters_) LEITONG_TRY(write_groups(*clusters_, ids, outcome.cluster));
    if (components_) LEITONG_TRY(write_groups(*components_, ids, outcome.component_numbers()));
    LEITONG_TRY(write_pairs(ids, outcome, own_text));
  }
  if (templates_) {
    LEITONG_ASSIGN(const std::string list, list_templates(corpus, outcome.found));
    LEITONG_TRY(templates_->write(list));
  }
  if (quarantine_)
    LEITONG_TRY(write_quarantine(corpus, [&](std::string_view block) { return quarantine_->write(block); }));
  return kept_bytes;
}

Result<void> OutputSet::commit() {
  Staged* const all[] = {kept_.get(),       removed_.get(), clusters_.get(),
                         components_.get(), pairs_.get(),   templates_.get(),
                         quarantine_.get(), report_.get(),  kept_folder_.get()};
  return commit_all(all, stop_);
}

}  // namespace leitong
