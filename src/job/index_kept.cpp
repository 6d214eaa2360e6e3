#include "job/index_kept.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/try.hpp"
#include "job/index_builder.hpp"
#include "leitong/job.hpp"

namespace leitong {
namespace {

struct KeptText {
  std::string id, text;
};

constexpr std::size_t kAtOnce = 512;
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20;  // a limit that one large text may exceed

/// Reads their texts on the run's threads.
Result<std::vector<KeptText>> read_texts(const Corpus& corpus, const std::vector<DocId>& documents,
                                         const RunContext& run) {
  std::vector<KeptText> texts(documents.size());
  LEITONG_TRY(parallel_for_each(
      run.stop, documents.size(), [&] { return corpus.new_scratch(); },
      [&](std::size_t i, const std::unique_ptr<ReadScratch>& scratch) -> Result<void> {
        LEITONG_ASSIGN(const DocumentText read, corpus.read(documents[i], *scratch));
        texts[i].id = read.id.empty() ? corpus.place_name(documents[i]) : std::string(read.id);
        texts[i].text = read.text;
        return {};
      }));
  return texts;
}

/// Adds each text as one that represents itself.
Result<IndexedDocuments> add_apart(online::OnlineIndex& index, const std::vector<online::Text>& texts) {
  IndexedDocuments done;
  LEITONG_ASSIGN(const std::vector<online::Answer> answers, index.add(texts, online::Look::apart, {}, {}));
  for (const online::Answer& answer : answers)
    ++(answer.verdict == online::Verdict::refused || answer.known ? done.refused : done.added);
  return done;
}

}  // namespace

Result<IndexedDocuments> index_kept(const Corpus& corpus, const Outcome& outcome, online::OnlineIndex& index,
                                    const RunContext& run) {
  IndexedDocuments done;
  std::vector<DocId> documents;
  std::size_t bytes = 0;
  const auto add = [&]() -> Result<void> {
    LEITONG_ASSIGN(const std::vector<KeptText> kept, read_texts(corpus, documents, run));
    std::vector<online::Text> texts;
    for (const KeptText& text : kept) texts.push_back({text.id, text.text});
    LEITONG_ASSIGN(const IndexedDocuments some, add_apart(index, texts));
    done.added += some.added;
    done.refused += some.refused;
    documents.clear();
    bytes = 0;
    return {};
  };
  const auto end = static_cast<DocId>(corpus.size());
  for (DocId d = corpus.reference_count(); d < end; ++d) {
    if (!outcome.found.settlement.stays(d)) continue;
    documents.push_back(d);
    bytes += std::size_t{4} * outcome.found.table.units[d];
    if (documents.size() < kAtOnce && bytes < kBytesAtOnce) continue;
    LEITONG_TRY(add());
    run.report("indexing", d, end, "documents");
  }
  if (!documents.empty()) LEITONG_TRY(add());
  return done;
}

struct KeptIndex::Impl {
  online::IndexBuilder builder;
};

KeptIndex::KeptIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KeptIndex::KeptIndex(KeptIndex&&) noexcept = default;
KeptIndex& KeptIndex::operator=(KeptIndex&&) noexcept = default;
KeptIndex::~KeptIndex() = default;

Result<KeptIndex> KeptIndex::begin(const Context& context, const std::filesystem::path& place,
                                   const Folding& folding) {
  LEITONG_ASSIGN(online::IndexBuilder builder,
                 online::IndexBuilder::begin(context, place, {.folding = folding}));
  return KeptIndex(std::make_unique<Impl>(std::move(builder)));
}

Result<std::uint64_t> KeptIndex::add(std::span<const std::string> ids,
                                     std::span<const std::string_view> texts) {
  std::vector<online::Text> given;
  for (std::size_t i = 0; i < texts.size(); ++i) given.push_back({ids[i], texts[i]});
  LEITONG_ASSIGN(const IndexedDocuments done, add_apart(impl_->builder.index(), given));
  return done.added;
}

Result<void> KeptIndex::finish() {
  LEITONG_TRY(impl_->builder.finish());
  return impl_->builder.put_in_place();
}

}  // namespace leitong
