#include <memory>
#include <string>

#include "base/try.hpp"
#include "corpus/corpus.hpp"
#include "dedup/batch_texts.hpp"
#include "dedup/stream_batches.hpp"
#include "leitong/read.hpp"

namespace leitong {

Result<ReadSummary> read_documents(const Context& context, const InputFiles& input,
                                   const InputDocumentFn& each) {
  return on_threads(context, [&]() -> Result<ReadSummary> {
    const RunContext run(context);
    LEITONG_ASSIGN(const std::unique_ptr<Corpus> corpus, Corpus::open(input, run));
    ReadSummary summary;
    const auto parse = [&](BatchTexts& item, std::unique_ptr<ReadScratch>& scratch) {
      item.parse(*corpus, *scratch);
    };
    const auto pass_on = [&](BatchTexts& item) -> Result<void> {
      auto number = static_cast<DocId>(corpus->size());
      LEITONG_TRY(corpus->commit(*item.batch));
      std::string place;
      for (std::size_t i = 0; i < item.size(); ++i, ++number, ++summary.documents) {
        std::string_view id = item.id(i);
        if (id.empty()) id = place = corpus->place_name(number);
        LEITONG_TRY(each({id, item.text(i)}));
      }
      run.report("reading", corpus->bytes_read(), corpus->total_bytes(), "bytes");
      return {};
    };
    LEITONG_TRY(stream_batches<BatchTexts>(
        *corpus, run.stop, [&] { return corpus->new_scratch(); }, parse, pass_on));
    summary.quarantined = corpus->quarantined();
    summary.first_quarantined = corpus->first_quarantined();
    summary.truncated_inputs = corpus->truncated_inputs();
    return summary;
  });
}

}  // namespace leitong
