// Items of benchmarks in texts in memory (leitong/decontaminate.hpp).
#include <utility>

#include "api/text_batches.hpp"
#include "base/try.hpp"
#include "corpus/memory_documents.hpp"
#include "io/run_context.hpp"
#include "job/leak_search.hpp"
#include "leitong/decontaminate.hpp"

namespace leitong {
namespace {

Result<TextLeaks> search(const Context& context, std::span<const std::string_view> texts,
                         std::span<const LeakItem> items, const LeakSettings& settings) {
  LEITONG_TRY(check_leak_settings(settings));
  LEITONG_TRY(check_texts(texts));
  TextLeaks leaks;
  Benchmark benchmark(settings);
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    LEITONG_TRY(check_texts({&items[i].question, 1}, i));
    LEITONG_TRY(check_texts(items[i].answers));
    BenchmarkItem item;
    for (const std::string_view answer : items[i].answers) item.answers.add(answer);
    if (!benchmark.add(std::move(item), items[i].question)) leaks.too_short.push_back(i);
  }
  LEITONG_TRY(benchmark.build());
  const RunContext run(context);
  MemoryDocuments source(texts);
  LeakSearch found(benchmark, settings, run);
  LEITONG_TRY(found.find(source));
  leaks.hits.reserve(found.hits().size());
  for (const LeakHit& hit : found.hits())
    leaks.hits.push_back({hit.document, hit.item, found.is_leak(hit), hit.equal, hit.share, hit.place,
                          found.why_doubtful(hit)});
  return leaks;
}

}  // namespace

Result<TextLeaks> find_leaks(const Context& context, std::span<const std::string_view> texts,
                             std::span<const LeakItem> items, const LeakSettings& settings) {
  return on_threads(context, [&] { return search(context, texts, items, settings); });
}

}  // namespace leitong
