#include "dedup/sign.hpp"

#include <fmt/core.h>

#include <iterator>
#include <memory>
#include <utility>

#include "base/memory.hpp"
#include "base/work_folder.hpp"
#include "dedup/method.hpp"
#include "dedup/stream_batches.hpp"
#include "dedup/threads.hpp"
#include "text/units.hpp"

namespace leitong {
namespace {

struct Workspace {
  std::unique_ptr<ReadScratch> read;
  std::unique_ptr<Method::Scratch> method;
  PodVector<Unit> units;
};

/// A batch on its way, and what was made of it.
struct Item {
  std::unique_ptr<RecordBatch> batch;
  std::vector<std::string> ids;
  PodVector<std::uint64_t> words;
  std::vector<std::size_t> ends;
};

class Signing {
 public:
  Signing(Corpus& corpus, const Method& method, const SignatureFn& each, const ProgressFn& progress,
          const std::atomic<bool>& stop)
      : corpus_(corpus), method_(method), each_(each), progress_(progress), stop_(stop) {}

  Result<SignSummary> run() {
    LEITONG_TRY(stream_batches<Item>(
        corpus_, stop_,
        [this] {
          return Workspace{corpus_.new_scratch(), method_.new_scratch(), {}};
        },
        [this](Item& item, Workspace& space) { sketch(item, space); },
        [this](Item& item) { return hand_over(item); }));
    summary_.quarantined = corpus_.quarantined();
    return summary_;
  }

 private:
  void sketch(Item& item, Workspace& space) const {
    corpus_.parse(*item.batch, *space.read, [&](std::size_t, const DocumentText& document) {
      to_units(document.text, space.units);
      method_.sketch({document.text, space.units}, *space.method, item.words);
      item.ends.push_back(item.words.size());
      item.ids.emplace_back(document.id);
    });
  }

  Result<void> hand_over(Item& item) {
    const auto first = static_cast<DocId>(corpus_.size());
    LEITONG_TRY(corpus_.commit(*item.batch));
    for (std::size_t i = 0, begin = 0; i < item.ids.size(); begin = item.ends[i++]) {
      const std::span<const std::uint64_t> words(item.words.data() + begin, item.ends[i] - begin);
      ++summary_.documents;
      summary_.without_signature += words.empty() ? 1 : 0;
      if (item.ids[i].empty()) item.ids[i] = corpus_.place_name(static_cast<DocId>(first + i));
      LEITONG_TRY(each_(item.ids[i], words));
    }
    if (progress_) progress_({"signing", corpus_.bytes_read(), corpus_.total_bytes(), "bytes"});
    return {};
  }

  Corpus& corpus_;
  const Method& method_;
  const SignatureFn& each_;
  const ProgressFn& progress_;
  const std::atomic<bool>& stop_;
  SignSummary summary_;
};

}  // namespace

std::string signature_hex(std::span<const std::uint64_t> words) {
  std::string text;
  for (const std::uint64_t word : words) fmt::format_to(std::back_inserter(text), "{:016x}", word);
  return text;
}

Result<SignSummary> run_sign(const SignOptions& options, const SignatureFn& each, const ProgressFn& progress,
                             const std::atomic<bool>& stop) {
  const MethodInfo* info = find_method(options.method);
  if (info != nullptr && info->signature.empty())
    return fail(ErrorCode::unsupported,
                fmt::format("the method {} makes no signatures: it compares the texts themselves; choose "
                            "another one (leitong methods)",
                            options.method));
  return on_threads(options.threads, [&]() -> Result<SignSummary> {
    const Rule rule;
    const DocumentTable table;
    MemoryBudget memory;
    const WorkFolder work(options.input.work_dir);
    LEITONG_ASSIGN(const std::unique_ptr<Method> method,
                   make_method(options.method, {rule, table, memory, work, false, options.params}));
    LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(options.input));
    return Signing(*corpus, *method, each, progress, stop).run();
  });
}

}  // namespace leitong
