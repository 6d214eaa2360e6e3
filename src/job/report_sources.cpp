#include "job/report_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/parallel.hpp"
#include "base/try.hpp"

namespace leitong {
namespace {

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? std::string_view(".") : path.substr(0, slash);
}

bool one_folder(const Corpus& corpus) {
  for (DocId d = 1; d < corpus.size(); ++d)
    if (folder_of(corpus.source_path(d)) != folder_of(corpus.source_path(0))) return false;
  return true;
}

}  // namespace

std::uint32_t DocumentSources::number(std::string_view name) {
  // Adjacent documents usually come from one source.
  if (!names_.empty() && !source_.empty() && names_[source_.back()] == name) return source_.back();
  const auto [at, added] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (added) {
    names_.emplace_back(name);
    documents_.push_back(0);
  }
  return at->second;
}

Result<DocumentSources> DocumentSources::read(const Corpus& corpus, const std::string& field,
                                              StopToken stop) {
  DocumentSources sources;
  sources.field_ = field;
  const auto add = [&](std::string_view name) {
    const std::uint32_t source = sources.number(name);
    ++sources.documents_[source];
    sources.source_.push_back(source);
  };
  if (field.empty()) {
    const bool folders = corpus.one_document_a_file() && !one_folder(corpus);
    if (folders) sources.by_ = ReportSources::By::folder;
    for (DocId d = 0; d < corpus.size(); ++d)
      add(folders ? folder_of(corpus.source_path(d)) : corpus.source_path(d));
    return sources;
  }
  sources.by_ = ReportSources::By::field;
  constexpr std::size_t kBlock = 1 << 15;
  std::vector<std::string> values;
  for (std::size_t first = 0; first < corpus.size(); first += kBlock) {
    values.assign(std::min<std::size_t>(kBlock, corpus.size() - first), {});
    LEITONG_TRY(parallel_for_each(
        stop, values.size(), [&] { return corpus.new_scratch(); },
        [&](std::size_t i, std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
          LEITONG_ASSIGN(values[i], corpus.field(static_cast<DocId>(first + i), field, *scratch));
          return {};
        }));
    for (const std::string& value : values) add(value);
  }
  return sources;
}

void DocumentSources::add_pair(DocId a, DocId b) {
  if (names_[of(b)] < names_[of(a)]) std::swap(a, b);
  add_flow(a, b);
}

ReportSources DocumentSources::take(std::vector<ReportRow>& rows) const {
  ReportSources shown;
  shown.by = by_;
  shown.field = field_;
  shown.all_flows = flows_.size();
  std::unordered_map<std::uint32_t, std::uint32_t> renumbered;
  const auto show = [&](std::uint32_t source) {
    const auto [at, added] = renumbered.try_emplace(source, static_cast<std::uint32_t>(shown.names.size()));
    if (added) shown.names.push_back(names_[source]);
    return at->second;
  };
  std::vector<ReportSources::Flow> flows;
  for (const auto& [key, documents] : flows_) {
    const auto from = static_cast<std::uint32_t>(key >> 32), to = static_cast<std::uint32_t>(key);
    flows.push_back({from, to, documents, documents_[from]});
  }
  std::sort(flows.begin(), flows.end(), [](const auto& x, const auto& y) {
    return std::tuple(y.documents, x.from, x.to) < std::tuple(x.documents, y.from, y.to);
  });
  flows.resize(std::min(flows.size(), ReportLimits::flows));
  for (ReportSources::Flow& flow : flows) {
    flow.from = show(flow.from);
    flow.to = show(flow.to);
    shown.flows.push_back(flow);
  }
  for (ReportRow& row : rows) {
    row.a.source = show(row.a.source);
    row.b.source = show(row.b.source);
  }
  return shown;
}

}  // namespace leitong
