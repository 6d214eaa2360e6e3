#include "job/outputs.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <functional>
#include <system_error>

#include "base/json_string.hpp"
#include "cluster/expand.hpp"
#include "cluster/pairs_file.hpp"
#include "io/tsv.hpp"

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

Result<void> system_result(const std::error_code& error, const fs::path& path, std::string_view what) {
  if (!error) return {};
  return fail(ErrorCode::io, fmt::format("{}: {}: {}", path.string(), what, error.message()));
}

/// Where a folder of kept files goes, its links followed. Only files are ever replaced: what else lies in a
/// folder can't be known to be of an earlier run.
Result<fs::path> empty_place(const std::string& name) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {}", name, why));
  };
  fs::path place = (fs::path(name).lexically_normal() / "").parent_path();
  std::error_code error;
  if (!fs::exists(place, error)) {
    if (fs::is_symlink(place, error)) return refuse("is a link to what isn't there; remove the link first");
    return place;
  }
  place = fs::canonical(place, error);
  if (!fs::is_directory(place, error))
    return refuse("is a file; name a folder, or leave out the / behind it");
  if (!fs::is_empty(place, error))
    return refuse("the folder isn't empty, and --force replaces files only; remove it or choose another");
  return place;
}

}  // namespace

void OutputSet::RemoveFolder::operator()(const fs::path* folder) const noexcept {
  std::error_code ignored;
  fs::remove_all(*folder, ignored);
  delete folder;
}

Result<OutputSet> OutputSet::create(const DedupOutputs& names) {
  OutputSet set;
  set.names_ = names;
  std::error_code ignored;
  set.kept_is_folder_ = names.kept.ends_with('/') || fs::is_directory(names.kept, ignored);
  if (set.kept_is_folder_) {
    LEITONG_ASSIGN(set.kept_place_, empty_place(names.kept));
    fs::path temporary = set.kept_place_;
    temporary += fmt::format(".leitong-{}", ::getpid());
    set.kept_folder_.reset(new fs::path(std::move(temporary)));
    std::error_code error;
    fs::create_directories(*set.kept_folder_, error);
    LEITONG_TRY(system_result(error, *set.kept_folder_, "can't make the folder"));
  }
  auto open = [&](const std::string& name, std::unique_ptr<OutputFile>& file) -> Result<void> {
    if (name.empty()) return {};
    LEITONG_ASSIGN(file, OutputFile::create(name, names.force));
    return {};
  };
  if (!set.kept_is_folder_) LEITONG_TRY(open(names.kept, set.kept_));
  LEITONG_TRY(open(names.removed, set.removed_));
  LEITONG_TRY(open(names.clusters, set.clusters_));
  LEITONG_TRY(open(names.components, set.components_));
  LEITONG_TRY(open(names.pairs, set.pairs_));
  LEITONG_TRY(open(names.quarantine, set.quarantine_));
  LEITONG_TRY(open(names.report, set.report_));
  return set;
}

Result<void> OutputSet::check(const Corpus& corpus) const {
  if (corpus.one_document_a_file()) return {};
  if (kept_is_folder_)
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
  if (kept_is_folder_) {
    for (DocId d = first; d < outcome.documents(); ++d) {
      if (!outcome.found.settlement.stays(d)) continue;
      const fs::path from = corpus.source_path(d), to = *kept_folder_ / below(from);
      std::error_code error;
      fs::create_directories(to.parent_path(), error);
      if (!error && !names_.copy_files) fs::create_hard_link(from, to, error);
      if (names_.copy_files || error == std::errc::cross_device_link ||
          error == std::errc::operation_not_permitted) {
        error.clear();
        fs::copy_file(from, to, error);
      }
      LEITONG_TRY(system_result(error, to, "can't link or copy the kept file here"));
      bytes += corpus.place(d).length;
    }
    return bytes;
  }
  if (!kept_) return bytes;
  if (corpus.one_document_a_file()) {
    Rows rows(*kept_);
    for (DocId d = first; d < outcome.documents(); ++d) {
      if (!outcome.found.settlement.stays(d)) continue;
      rows.text().append(corpus.source_path(d)).push_back('\n');
      bytes += corpus.place(d).length;
      LEITONG_TRY(rows.end_row());
    }
    LEITONG_TRY(rows.flush());
    return bytes;
  }
  LEITONG_TRY(corpus.copy_kept([&](DocId d) { return outcome.found.settlement.stays(d); },
                               [&](std::string_view part) -> Result<void> {
                                 bytes += part.size();
                                 return kept_->write(part);
                               }));
  return bytes;
}

Result<void> OutputSet::write_removed(const Corpus& corpus, const IdTable& ids, const Outcome& outcome,
                                      std::string_view method) {
  if (!removed_) return {};
  Rows rows(*removed_);
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (outcome.found.settlement.stays(d)) continue;
    const auto [measure, score] = outcome.reason(d);
    fmt::format_to(
        std::back_inserter(rows.text()),
        R"({{"id":{},"place":{},"kept":{},"cluster":{},"measure":"{}","score":{:.6g},"method":"{}"}})"
        "\n",
        json_string(ids[d]), json_string(corpus.place_name(d)),
        json_string(ids[outcome.found.settlement.kept[d]]), outcome.cluster[d], measure_name(measure), score,
        method);
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

Result<void> OutputSet::write_pairs(const IdTable& ids, const Outcome& outcome) {
  if (!pairs_) return {};
  const PodVector<std::uint32_t>& units = outcome.found.table.units;
  const PairStore& found = *outcome.found.pairs;
  PairStore expanded(outcome.documents(), found.memory(), found.work());
  LEITONG_TRY(expand(found, outcome.found.copies, expanded));
  Rows rows(*pairs_);
  rows.text().append(pairs_header());
  LEITONG_TRY(expanded.for_each([&](const VerifiedPair& pair) {
    append_pair_row({std::string(ids[pair.a]), std::string(ids[pair.b]), pair, units[pair.a], units[pair.b]},
                    rows.text());
    return rows.end_row();
  }));
  return rows.flush();
}

Result<std::uint64_t> OutputSet::write(const Corpus& corpus, const Outcome& outcome,
                                       std::string_view method) {
  LEITONG_ASSIGN(const std::uint64_t kept_bytes, write_kept(corpus, outcome));
  if (removed_ || clusters_ || components_ || pairs_) {
    LEITONG_ASSIGN(const std::vector<bool> paired, outcome.found.paired());
    LEITONG_ASSIGN(const IdTable ids, IdTable::read(corpus, paired));
    LEITONG_TRY(write_removed(corpus, ids, outcome, method));
    if (clusters_) LEITONG_TRY(write_groups(*clusters_, ids, outcome.cluster));
    if (components_) LEITONG_TRY(write_groups(*components_, ids, outcome.component_numbers()));
    LEITONG_TRY(write_pairs(ids, outcome));
  }
  if (quarantine_) LEITONG_TRY(corpus.write_quarantine(*quarantine_));
  return kept_bytes;
}

Result<void> OutputSet::commit() {
  OutputFile* const files[] = {kept_.get(),  removed_.get(),    clusters_.get(), components_.get(),
                               pairs_.get(), quarantine_.get(), report_.get()};
  LEITONG_TRY(commit_all(files));
  if (kept_is_folder_) {
    std::error_code error;
    fs::rename(*kept_folder_, kept_place_, error);  // an empty folder gives way
    LEITONG_TRY(system_result(error, kept_place_, "can't put the folder of kept files in place"));
  }
  return {};
}

}  // namespace leitong
