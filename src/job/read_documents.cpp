#include <memory>
#include <string>
#include <vector>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "dedup/stream_batches.hpp"
#include "leitong/read.hpp"

namespace leitong {
namespace {

/// A batch and its documents: ids and texts are one after the other in `bytes`.
struct Item {
  struct Ends {
    std::size_t id, text;
  };
  std::unique_ptr<RecordBatch> batch;
  std::string bytes;
  std::vector<Ends> ends;
};

}  // namespace

Result<ReadSummary> read_documents(const Context& context, const InputFiles& input,
                                   const InputDocumentFn& each) {
  return on_threads(context, [&]() -> Result<ReadSummary> {
    const RunContext run(context);
    LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(input, run));
    ReadSummary summary;
    const auto parse = [&](Item& item, std::unique_ptr<ReadScratch>& scratch) {
      corpus->parse(*item.batch, *scratch, [&](const DocumentText& document) {
        item.bytes += document.id;
        const std::size_t id = item.bytes.size();
        item.bytes += document.text;
        item.ends.push_back({id, item.bytes.size()});
      });
    };
    const auto pass_on = [&](Item& item) -> Result<void> {
      auto number = static_cast<DocId>(corpus->size());
      LEITONG_TRY(corpus->commit(*item.batch));
      const std::string_view bytes = item.bytes;
      std::string place;
      std::size_t begin = 0;
      for (const Item::Ends& end : item.ends) {
        std::string_view id = bytes.substr(begin, end.id - begin);
        if (id.empty()) id = place = corpus->place_name(number);
        LEITONG_TRY(each({id, bytes.substr(end.id, end.text - end.id)}));
        begin = end.text;
        ++number;
        ++summary.documents;
      }
      run.report("reading", corpus->bytes_read(), corpus->total_bytes(), "bytes");
      return {};
    };
    LEITONG_TRY(stream_batches<Item>(
        *corpus, run.stop, [&] { return corpus->new_scratch(); }, parse, pass_on));
    summary.quarantined = corpus->quarantined();
    summary.first_quarantined = corpus->first_quarantined();
    summary.truncated_inputs = corpus->truncated_inputs();
    return summary;
  });
}

}  // namespace leitong
