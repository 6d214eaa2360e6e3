#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/pair.hpp"
#include "base/try.hpp"
#include "dedup/stream_batches.hpp"
#include "io/tsv.hpp"
#include "leitong/json.hpp"
#include "spread/components.hpp"
#include "spread/contents.hpp"
#include "spread/read_part.hpp"
#include "spread/stages.hpp"

namespace leitong::spread {
namespace {

/// A record that leaves.
struct Gone {
  RecordPlace place, kept;
  Measure measure;
  float score;
};

Measure measure_of_copy(bool is_same_text) { return is_same_text ? Measure::identical : Measure::copy; }

/// The last round of settling, which is the same for all components.
Result<std::int16_t> last_round(const Plan& plan) {
  std::vector<bool> grew;
  for (std::uint32_t part = 0; part < plan.parts; ++part) {
    LEITONG_ASSIGN(const PartFile file, PartFile::open(plan.file("settle", part)));
    LEITONG_ASSIGN(const auto some, file.all<std::uint8_t>("grew"));
    grew.resize(std::max(grew.size(), some.size()));
    for (std::size_t round = 0; round < some.size(); ++round) grew[round] = grew[round] || some[round] != 0;
  }
  std::int16_t last = 0;
  while (static_cast<std::size_t>(last) + 1 < grew.size() && grew[static_cast<std::size_t>(last) + 1]) ++last;
  return last;
}

/// Adds the records of the part that leave, of texts of a range.
Result<void> add_gone(const PartRun& run, std::uint32_t range, std::int16_t last, Contents& contents,
                      std::vector<Gone>& gone) {
  LEITONG_ASSIGN(std::vector<LeftRow> left, gathered<LeftRow>(run.plan, "settle", "left", range));
  std::erase_if(left, [&](const LeftRow& row) { return row.round != kEveryRound && row.round != last; });
  std::ranges::sort(left, {}, &LeftRow::text);
  const auto find_left = [&](TextNumber text) { return find_text(left, text, &LeftRow::text); };
  LEITONG_ASSIGN(const PartFile sketches, PartFile::open(run.plan.file("sketch", run.part)));
  LEITONG_ASSIGN(const auto records, sketches.range<SketchRow>("sketches", range));
  for (const SketchRow& record : records) {
    const std::size_t at = find_left(record.text);
    if (at == left.size()) continue;
    LEITONG_ASSIGN(const ContentRow* const content, contents.find(record.text));
    if (record.units != content->units || record.check != content->check) continue;
    LEITONG_ASSIGN(const ContentRow* const kept, contents.find(left[at].kept));
    gone.push_back({record.place, kept->place, left[at].measure, left[at].score});
  }
  // If the copies of a text stay, one of each variant of its signs stays.
  LEITONG_ASSIGN(const PartFile weighed, PartFile::open(run.plan.file("weigh", range)));
  LEITONG_ASSIGN(const auto copies, weighed.range<CopyRow>("copies", run.part));
  for (const CopyRow& copy : copies)
    if (copy.place != copy.kept && find_left(copy.text) == left.size())
      gone.push_back({copy.place, copy.kept, measure_of_copy(copy.is_kept != 0), 1});
  return {};
}

/// Writes a line for each row. `ends(row)`: two records; `add(row, id, id, lines)` gets their ids.
template <class Row, class Ends, class Add>
Result<void> write_rows(OutputFile& file, std::span<const Row> rows, Texts& texts, Ends ends, Add add) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 14;
  for (std::size_t begin = 0; begin < rows.size(); begin += kAtOnce) {
    const auto some = rows.subspan(begin, std::min(kAtOnce, rows.size() - begin));
    std::vector<RecordPlace> places;
    for (const Row& row : some)
      for (const RecordPlace place : ends(row)) places.push_back(place);
    LEITONG_ASSIGN(const std::vector<std::string> ids, texts.ids(places));
    std::string lines;
    for (std::size_t i = 0; i < some.size(); ++i)
      LEITONG_TRY(add(some[i], ids[2 * i], ids[2 * i + 1], lines));
    LEITONG_TRY(file.write(lines));
  }
  return file.commit();
}

Result<void> write_removed(const PartRun& run, std::span<const Gone> gone, Texts& texts) {
  LEITONG_ASSIGN(const auto file, begin_output(run, "removed", fmt::format("{}.jsonl", run.part)));
  const auto ends = [](const Gone& one) { return std::array{one.place, one.kept}; };
  return write_rows(*file, gone, texts, ends,
                    [&](const Gone& one, const std::string& id, const std::string& kept,
                        std::string& lines) -> Result<void> {
                      LEITONG_ASSIGN(const std::string place, texts.place_name(one.place));
                      LEITONG_ASSIGN(const std::string kept_place, texts.place_name(one.kept));
                      fmt::format_to(
                          std::back_inserter(lines),
                          R"({{"id":{},"place":{},"kept":{},"kept_place":{},"measure":"{}","score":{:.6g}}})"
                          "\n",
                          json_string(id), json_string(place), json_string(kept), json_string(kept_place),
                          measure_name(one.measure), one.score);
                      return {};
                    });
}

/// Streams the part's inputs for the places of their records.
Result<void> read_again(const PartRun& run, const PartInputs& inputs) {
  struct Again {
    std::unique_ptr<RecordBatch> batch;
  };
  Corpus& corpus = *inputs.corpus();
  const auto parse = [&](Again& item, std::unique_ptr<ReadScratch>& scratch) {
    corpus.parse(*item.batch, *scratch, [](const DocumentText&) {});
  };
  const auto commit = [&](Again& item) -> Result<void> {
    inputs.report("writing");
    return corpus.commit(*item.batch);
  };
  return on_threads(run.context, [&] {
    return stream_batches<Again>(
        corpus, inputs.stop(), [&] { return corpus.new_scratch(); }, parse, commit);
  });
}

/// Reads the part's records again, and writes those that stay. `gone`: by place.
Result<void> write_kept(const PartRun& run, std::span<const Gone> gone, Texts& texts) {
  LEITONG_ASSIGN(const PartInputs inputs, PartInputs::open(run));
  Corpus* const corpus = inputs.corpus();
  if (corpus == nullptr) return {};
  LEITONG_TRY(read_again(run, inputs));
  std::uint64_t records = 0;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    LEITONG_ASSIGN(const std::uint64_t some, texts.records(inputs.number(i)));
    records += some;
  }
  if (records != corpus->size())
    return fail(ErrorCode::corrupt,
                fmt::format("part {} had {} documents, and has {} now: an input has changed while it was "
                            "worked on",
                            run.part, records, corpus->size()));
  std::uint32_t source = UINT32_MAX, record = 0;  // of the next document
  std::size_t next = 0;                           // of `gone`
  const auto stays = [&](DocId document) {
    const std::uint32_t here = corpus->place(document).source;
    record = here == source ? record + 1 : 0;
    source = here;
    const RecordPlace place = record_place(inputs.number(here), record);
    if (next == gone.size() || gone[next].place != place) return true;
    ++next;
    return false;
  };
  std::unique_ptr<OutputFile> file;
  bool has_members = false;
  return corpus->copy_kept_by_source(
      stays,
      [&](std::string_view path, bool is_archive) -> Result<void> {
        LEITONG_ASSIGN(file, begin_output(run, "kept", std::filesystem::path(path).filename().string()));
        has_members = is_archive;
        return {};
      },
      [&](std::string_view bytes) -> Result<void> {
        LEITONG_TRY(file->write(bytes));
        return has_members ? file->end_member() : Result<void>{};
      },
      {}, [&] { return file->commit(); });
}

/// A similar pair of records, the earlier one first.
struct RecordPair {
  RecordPlace a, b;
  float score, jaccard, containment;
  Measure measure;
};

/// Pairs of a range; of records that are equal each with the first of them.
Result<std::vector<RecordPair>> pairs_of(const PartRun& run, std::int16_t last, Contents& contents) {
  std::vector<RecordPair> pairs;
  LEITONG_ASSIGN(const PartFile settled, PartFile::open(run.plan.file("settle", run.part)));
  LEITONG_ASSIGN(const auto found, settled.all<PairOfTexts>("pairs"));
  for (const PairOfTexts& pair : found) {
    if (pair.round > last) continue;
    LEITONG_ASSIGN(const ContentRow* const a, contents.find(pair.a));
    LEITONG_ASSIGN(const ContentRow* const b, contents.find(pair.b));
    pairs.push_back({std::min(a->place, b->place), std::max(a->place, b->place), pair.score, pair.jaccard,
                     pair.containment, pair.measure});
  }
  LEITONG_ASSIGN(const PartFile weighed, PartFile::open(run.plan.file("weigh", run.part)));
  LEITONG_ASSIGN(const auto copies, weighed.all<CopyRow>("copies"));
  for (const CopyRow& copy : copies)
    pairs.push_back({copy.first, copy.place, 1, 1, 1, measure_of_copy(copy.is_first != 0)});
  std::ranges::sort(pairs, {}, [](const RecordPair& pair) { return std::pair(pair.a, pair.b); });
  return pairs;
}

Result<void> write_pairs(const PartRun& run, std::span<const RecordPair> pairs, Texts& texts) {
  LEITONG_ASSIGN(const auto file, begin_output(run, "pairs", fmt::format("{}.tsv", run.part)));
  LEITONG_TRY(file->write("id_a\tid_b\tmeasure\tscore\tjaccard\tcontainment\n"));
  const auto ends = [](const RecordPair& pair) { return std::array{pair.a, pair.b}; };
  return write_rows(*file, pairs, texts, ends,
                    [](const RecordPair& pair, const std::string& a, const std::string& b,
                       std::string& lines) -> Result<void> {
                      append_tsv_field(a, lines);
                      lines += '\t';
                      append_tsv_field(b, lines);
                      fmt::format_to(std::back_inserter(lines), "\t{}\t{}\t{}\t{}\n",
                                     measure_name(pair.measure), pair.score, pair.jaccard, pair.containment);
                      return {};
                    });
}

}  // namespace

Result<void> keep(const PartRun& run) {
  LEITONG_ASSIGN(const std::int16_t last, last_round(run.plan));
  Contents contents(run.plan, run.context);
  std::vector<Gone> gone;
  for (std::uint32_t range = 0; range < run.plan.parts; ++range)
    LEITONG_TRY(add_gone(run, range, last, contents, gone));
  std::ranges::sort(gone, {}, &Gone::place);
  LEITONG_TRY(write_removed(run, gone, contents.texts()));
  if (run.plan.write_kept) LEITONG_TRY(write_kept(run, gone, contents.texts()));
  LEITONG_ASSIGN(const std::vector<RecordPair> pairs, pairs_of(run, last, contents));
  return write_pairs(run, pairs, contents.texts());
}

}  // namespace leitong::spread
