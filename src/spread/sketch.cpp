#include <fmt/core.h>

#include <optional>
#include <utility>

#include "base/try.hpp"
#include "dedup/batch_texts.hpp"
#include "dedup/stream_batches.hpp"
#include "io/output_file.hpp"
#include "scheme/key_tiers.hpp"
#include "spread/by_range.hpp"
#include "spread/read_part.hpp"
#include "spread/stages.hpp"
#include "spread/texts.hpp"

namespace leitong::spread {
namespace {

/// A batch and what is made of it.
struct Item : BatchTexts {
  Sketches sketches;
  ByRange<std::uint8_t> keys;
  Result<void> made;
};

/// What a part makes.
struct Made {
  Ranged<SketchRow> sketches;
  std::vector<SetRow> sets;
  TextColumns<std::uint8_t> keys;  // packed, with head_of_keys()

  explicit Made(std::size_t parts) : sketches(parts), keys(2 * parts) {}

  void add(RecordPlace place, const Sketches& of, std::size_t i, std::uint32_t parts) {
    const TextNumber text = number_of(of.content[i]);
    const auto all = static_cast<std::uint32_t>(of.keys[i].size());
    sketches[range_of(text, parts)].push_back({.place = place,
                                               .text = text,
                                               .check = of.check[i],
                                               .units = of.units[i],
                                               .keys = {of.short_keys[i], all - of.short_keys[i]}});
    if (of.sets[i] != 0) sets.push_back({text, of.sets[i]});
  }
};

/// Writes the places of the texts of all inputs of a part, one input after the other.
class InputTexts {
 public:
  InputTexts(const PartRun& run, const PartInputs& inputs) : run_(run), inputs_(inputs) {}

  /// Adds the next record, and returns its place.
  Result<RecordPlace> add(DocId document, std::string_view id, std::string_view text) {
    const Place place = inputs_.corpus()->place(document);
    if (place.line == 0)
      return fail(ErrorCode::unsupported,
                  fmt::format("{}: is one document; a run that is spread reads files of records",
                              inputs_.corpus()->source_path(document)));
    if (!writer_ || next_ != place.source + 1) {
      LEITONG_TRY(move_to(place.source, placed_source(*inputs_.corpus(), document)));
    }
    LEITONG_TRY(writer_->add(place, id, text));
    return record_place(inputs_.number(place.source), records_++);
  }

  Result<void> finish() { return move_to(inputs_.size(), {}); }

 private:
  /// Ends the present input, writes those without records before this one, and begins it.
  Result<void> move_to(std::uint32_t source, const PlacedSource& placed) {
    if (writer_) LEITONG_TRY(writer_->finish());
    writer_.reset();
    for (; next_ < source; ++next_) {
      LEITONG_ASSIGN(TextWriter empty,
                     TextWriter::create(run_.plan, inputs_.number(next_), {}, run_.context));
      LEITONG_TRY(empty.finish());
    }
    if (source == inputs_.size()) return {};
    LEITONG_ASSIGN(TextWriter writer,
                   TextWriter::create(run_.plan, inputs_.number(next_++), placed, run_.context));
    writer_.emplace(std::move(writer));
    records_ = 0;
    return {};
  }

  const PartRun& run_;
  const PartInputs& inputs_;
  std::optional<TextWriter> writer_;
  std::uint32_t next_ = 0;     // the source after the present one
  std::uint32_t records_ = 0;  // of the present one
};

Result<void> write_bad_records(const PartRun& run, const Corpus* corpus) {
  LEITONG_ASSIGN(const auto file, begin_output(run, "quarantine", fmt::format("{}.jsonl", run.part)));
  if (corpus != nullptr)
    LEITONG_TRY(write_quarantine(*corpus, [&](std::string_view block) { return file->write(block); }));
  return file->commit();
}

}  // namespace

Result<void> sketch(const PartRun& run) {
  LEITONG_ASSIGN(const PartInputs inputs, PartInputs::open(run));
  Corpus* const corpus = inputs.corpus();
  Made made(run.plan.parts);
  InputTexts texts(run, inputs);
  const auto work = [&](Item& item, std::unique_ptr<ReadScratch>& scratch) {
    item.parse(*corpus, *scratch);
    std::vector<std::string_view> views;
    for (std::size_t i = 0; i < item.size(); ++i) views.push_back(item.text(i));
    item.made = [&]() -> Result<void> {
      LEITONG_ASSIGN(item.sketches, run.steps.sketch(run.context, views));
      item.keys = pack_keys(item.sketches.keys, run.plan.parts);
      return {};
    }();
  };
  const auto commit = [&](Item& item) -> Result<void> {
    LEITONG_TRY(std::move(item.made));
    auto document = static_cast<DocId>(corpus->size());
    LEITONG_TRY(corpus->commit(*item.batch));
    for (std::size_t i = 0; i < item.size(); ++i, ++document) {
      LEITONG_ASSIGN(const RecordPlace place, texts.add(document, item.id(i), item.text(i)));
      made.add(place, item.sketches, i, run.plan.parts);
    }
    made.keys.add(item.keys, item.sketches.content, kMostKeys, [&](std::uint32_t text, std::uint32_t count) {
      return head_of_keys(count, item.sketches.units[text] >= kShortKeysBelow);
    });
    inputs.report("reading");
    return {};
  };
  if (corpus != nullptr)
    LEITONG_TRY(on_threads(run.context, [&] {
      return stream_batches<Item>(
          *corpus, inputs.stop(), [&] { return corpus->new_scratch(); }, work, commit);
    }));
  LEITONG_TRY(texts.finish());
  LEITONG_TRY(write_bad_records(run, corpus));
  LEITONG_ASSIGN(PartWriter file, PartWriter::create(run.plan.file("sketch", run.part), run.context));
  LEITONG_TRY(file.put("sketches", made.sketches));
  LEITONG_TRY(file.put("sets", made.sets));
  LEITONG_TRY(made.keys.put(file, "keys"));
  return file.finish();
}

}  // namespace leitong::spread
