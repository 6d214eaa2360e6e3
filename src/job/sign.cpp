#include "job/sign.hpp"

#include <fmt/core.h>

#include <iterator>
#include <memory>
#include <utility>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "dedup/method.hpp"
#include "dedup/stream_batches.hpp"
#include "io/run_context.hpp"
#include "leitong/sign.hpp"
#include "scheme/resources.hpp"
#include "scheme/text_sketcher.hpp"

namespace leitong {
namespace {

struct Workspace {
  std::unique_ptr<ReadScratch> read;
  TextSketcher::Workspace sketcher;
};

/// A batch and its signatures.
struct SignedBatch {
  std::unique_ptr<RecordBatch> batch;
  std::vector<std::string> ids;
  PodVector<std::uint64_t> words;
  std::vector<std::size_t> ends;
};

class Signing {
 public:
  Signing(Corpus& corpus, const TextSketcher& sketcher, const SignatureFn& each, const RunContext& run)
      : corpus_(corpus), sketcher_(sketcher), each_(each), run_(run) {}

  Result<SignSummary> run() {
    LEITONG_TRY(stream_batches<SignedBatch>(
        corpus_, run_.stop,
        [this] {
          return Workspace{corpus_.new_scratch(), sketcher_.new_workspace()};
        },
        [this](SignedBatch& item, Workspace& space) { sign(item, space); },
        [this](SignedBatch& item) { return hand_over(item); }));
    summary_.scheme = sketcher_.scheme().id();
    summary_.bits = sketcher_.scheme().fingerprint_bits();
    summary_.quarantined = corpus_.quarantined();
    summary_.truncated_inputs = corpus_.truncated_inputs();
    summary_.first_quarantined = corpus_.first_quarantined();
    return summary_;
  }

 private:
  void sign(SignedBatch& item, Workspace& space) const {
    corpus_.parse(*item.batch, *space.read, [&](const DocumentText& document) {
      sketcher_.sketch(document.text, space.sketcher, item.words);
      item.ends.push_back(item.words.size());
      item.ids.emplace_back(document.id);
    });
  }

  Result<void> hand_over(SignedBatch& item) {
    const auto first = static_cast<DocId>(corpus_.size());
    LEITONG_TRY(corpus_.commit(*item.batch));
    for (std::size_t i = 0, begin = 0; i < item.ids.size(); begin = item.ends[i++]) {
      const std::span<const std::uint64_t> words(item.words.data() + begin, item.ends[i] - begin);
      ++summary_.documents;
      summary_.without_signature += words.empty() ? 1 : 0;
      if (item.ids[i].empty()) item.ids[i] = corpus_.place_name(static_cast<DocId>(first + i));
      LEITONG_TRY(each_(item.ids[i], words));
    }
    run_.report("signing", corpus_.bytes_read(), corpus_.total_bytes(), "bytes");
    return {};
  }

  Corpus& corpus_;
  const TextSketcher& sketcher_;
  const SignatureFn& each_;
  const RunContext& run_;
  SignSummary summary_;
};

}  // namespace

std::string signature_binary(std::span<const std::uint64_t> words) {
  std::string text;
  for (const std::uint64_t word : words) fmt::format_to(std::back_inserter(text), "{:064b}", word);
  return text;
}

std::string signature_hex(std::span<const std::uint64_t> words) {
  std::string text;
  for (const std::uint64_t word : words) fmt::format_to(std::back_inserter(text), "{:016x}", word);
  return text;
}

Result<TextSketcher> open_signing(std::string_view method, std::span<const std::string> params,
                                  SchemeResources& resources, const Folding& folding) {
  if (const MethodInfo* info = find_method(method); info != nullptr && info->signature.empty())
    return fail(ErrorCode::unsupported,
                fmt::format("the method {} makes no signatures: it compares the texts themselves; choose "
                            "another one (leitong methods)",
                            method));
  LEITONG_ASSIGN(auto scheme, make_scheme_of(method, params, resources, folding));
  LEITONG_TRY(resources.check_used());
  LEITONG_TRY(scheme->check_folding());
  return TextSketcher(std::move(scheme));
}

Result<SignSummary> sign_files(const Context& context, const InputFiles& input, const SignSettings& settings,
                               const SignatureFn& each) {
  return on_threads(context, [&]() -> Result<SignSummary> {
    const auto resources = resources_of(context, {settings.dictionaries});
    LEITONG_ASSIGN(const TextSketcher sketcher,
                   open_signing(settings.method, settings.params, *resources, settings.folding));
    const RunContext run(context);
    LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(input, run));
    return Signing(*corpus, sketcher, each, run).run();
  });
}

}  // namespace leitong
