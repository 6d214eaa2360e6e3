#include "job/outputs.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/try.hpp"
#include "cluster/expand.hpp"
#include "corpus/record_format.hpp"
#include "io/progress_meter.hpp"
#include "io/table_files.hpp"
#include "job/annotations.hpp"
#include "job/row_file.hpp"
#include "job/template_list.hpp"
#include "job/trim_restorable.hpp"
#include "similarity/reason.hpp"
#include "text/unit_place.hpp"

namespace leitong {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_of(const fs::path& path) { return XXH3_64bits(path.c_str(), path.native().size()); }

/// The first document of each source that is no reference.
std::vector<DocId> firsts_of_sources(const Corpus& corpus) {
  std::vector<DocId> firsts;
  std::string_view last;
  for (DocId d = corpus.reference_count(); d < corpus.size(); ++d) {
    const std::string_view path = corpus.source_path(d);
    if (path.data() != last.data()) firsts.push_back(d);
    last = path;
  }
  return firsts;
}

/// Refuses inputs of which two would have the same place in the folder of kept files, or one a place inside
/// the other's: "a/x" and "../a/x", since leading ".." are dropped.
Result<void> check_places(const Corpus& corpus, const std::string& folder) {
  const std::vector<DocId> firsts = firsts_of_sources(corpus);
  std::vector<std::pair<std::uint64_t, DocId>> places;
  for (const DocId d : firsts) places.emplace_back(hash_of(path_below(corpus.source_path(d))), d);
  std::sort(places.begin(), places.end());
  const auto refuse = [&](DocId a, DocId b) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} and {} would have one place in it; name one of the two inputs by its "
                            "absolute path, or write a list of paths into a file instead",
                            folder, corpus.source_path(a), corpus.source_path(b)));
  };
  // Paths of equal hashes are compared: two files of the same path are the same file, named twice.
  const auto normal = [&](DocId d) { return fs::path(corpus.source_path(d)).lexically_normal(); };
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const auto [hash, a] = places[i];
    const auto [next, b] = places[i + 1];
    const bool of_records = !corpus.one_document_a_file();
    if (hash == next && of_records && normal(a) == normal(b))
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: {} is named twice; name it once", folder, corpus.source_path(a)));
    if (hash == next && normal(a) != normal(b) && path_below(normal(a)) == path_below(normal(b)))
      return refuse(a, b);
  }
  fs::path known;  // a folder that has been checked, with all above it
  for (const DocId d : firsts) {
    const fs::path parent = path_below(corpus.source_path(d)).parent_path();
    if (parent == known) continue;
    known = parent;
    for (fs::path above = parent; !above.empty(); above = above.parent_path()) {
      const auto found = std::lower_bound(places.begin(), places.end(), std::pair(hash_of(above), DocId{0}));
      if (found != places.end() && found->first == hash_of(above) &&
          path_below(corpus.source_path(found->second)) == above)
        return refuse(found->second, d);
    }
  }
  return {};
}

/// Kept records are written in the form in which they came, so the name must not mean another format. Lines
/// of text and lists of paths may have any name except that of a table or an archive.
Result<void> check_form(const Corpus& corpus, const std::string& kept) {
  const FormatRegistry& formats = standard_formats();
  const RecordFormat* const named = formats.by_ending(kept);
  const RecordFormat* const read = formats.by_name(corpus.kept_kind());
  if (named == read || named == nullptr || read == nullptr) return {};
  const FormatInfo& other = named->info();
  if (other.is_text() &&
      (other.one_document_a_file || read->info().endings.empty() || read->info().one_document_a_file))
    return {};
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("{}: the kept records are written as they were read, as {}; name the file accordingly, "
                  "for example kept{}",
                  kept, read->info().name,
                  read->info().endings.empty() ? ".txt" : read->info().endings.front()));
}

/// Checks that a folder can hold a file of kept records for each of these sources.
Result<void> check_record_files(const Corpus& corpus, const std::string& folder) {
  for (const DocId d : firsts_of_sources(corpus)) {
    const std::string_view path = corpus.source_path(d);
    if (path == "-")
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: standard input has no name that its records could have in a folder; name a file "
                      "for the kept records",
                      folder));
    if (corpus.place(d).line == 0)
      return fail(
          ErrorCode::unsupported,
          fmt::format("{}: is one document, and other files of the input hold many records; read them in "
                      "two runs",
                      path));
  }
  return {};
}

Corpus::KeptPlaced told_to(KeptPlaces* places) {
  if (places == nullptr) return {};
  return [places](DocId d, const KeptPlace& place) { return places->add(d, place); };
}

WrittenFiles* written_by(KeptPlaces* places) { return places == nullptr ? nullptr : &places->written(); }

/// The place of the longest lost stretch in the text of a document.
Result<ByteRange> longest_place(const Corpus& corpus, DocId document, const Loss& loss,
                                ReadScratch& scratch) {
  if (loss.longest == 0) return ByteRange();
  LEITONG_ASSIGN(const DocumentText read, corpus.read(document, scratch));
  return place_of_units(read.text, loss.longest_at, std::size_t{loss.longest_at} + loss.longest,
                        corpus.folding());
}

}  // namespace

Result<OutputSet> OutputSet::create(const DedupOutputs& names, const RunContext& run) {
  OutputSet set;
  set.names_ = names;
  set.stop_ = run.stop;
  set.run_ = &run;
  LEITONG_ASSIGN(set.resampling_, Resampling::parse(names.resample));
  LEITONG_TRY(
      check_row_files({names.removed, names.kept_similar, names.clusters, names.components, names.pairs}));
  std::error_code unknown;
  if (names.kept.ends_with('/') || fs::is_directory(names.kept, unknown)) {
    LEITONG_ASSIGN(set.kept_folder_, OutputFolder::create(names.kept));
  }
  auto open = [&](const std::string& name, std::unique_ptr<OutputFile>& file) -> Result<void> {
    if (name.empty()) return {};
    LEITONG_ASSIGN(file, OutputFile::create(name, names.force, run.stop));
    return {};
  };
  if (!set.kept_folder_) LEITONG_TRY(open(names.kept, set.kept_));
  LEITONG_TRY(open(names.removed, set.removed_));
  LEITONG_TRY(open(names.kept_similar, set.kept_similar_));
  LEITONG_TRY(open(names.clusters, set.clusters_));
  LEITONG_TRY(open(names.components, set.components_));
  LEITONG_TRY(open(names.pairs, set.pairs_));
  LEITONG_TRY(open(names.templates, set.templates_));
  LEITONG_TRY(open(names.annotated, set.annotated_));
  LEITONG_TRY(open(names.quarantine, set.quarantine_));
  LEITONG_TRY(open(names.report, set.report_));
  LEITONG_TRY(open(names.report_texts, set.report_texts_));
  LEITONG_TRY(open(names.restorable, set.restorable_));
  return set;
}

Result<void> OutputSet::check(const Corpus& corpus) const {
  if (annotated_) {
    LEITONG_TRY(check_form(corpus, names_.annotated));
    LEITONG_TRY(corpus.check_extendable(annotation_fields(), true));
  }
  const bool extends = names_.add_fields || !resampling_.empty();
  if (extends && corpus.one_document_a_file())
    return fail(ErrorCode::unsupported,
                "the input is files that are one document each, which are listed or linked as they are: they "
                "get no fields and are not repeated");
  if (names_.add_fields) LEITONG_TRY(corpus.check_extendable(size_field(), !kept_folder_));
  if (kept_folder_) {
    LEITONG_TRY(check_places(corpus, names_.kept));
    return corpus.one_document_a_file() ? Result<void>{} : check_record_files(corpus, names_.kept);
  }
  if (restorable_)
    LEITONG_TRY(check_places(corpus, "the folder that " + names_.restorable + " is restored to"));
  if (!kept_) return {};
  LEITONG_TRY(check_form(corpus, names_.kept));
  return corpus.one_document_a_file() ? Result<void>{} : corpus.check_copyable();
}

Result<std::uint64_t> OutputSet::write_kept(const Corpus& corpus, const Stays& stays, KeptPlaces* places) {
  if (!kept_folder_ && !kept_) return 0;
  if (corpus.one_document_a_file()) return write_kept_documents(corpus, stays, places);
  if (kept_folder_)
    return write_kept_files(written_by(places), [&](const BeginFile& begin, const WriteFile& write,
                                                    const std::function<Result<void>()>& end) {
      return corpus.copy_kept_by_source(stays, begin, write, told_to(places), end);
    });
  return write_file(kept_, names_.kept, corpus.is_archive(), written_by(places),
                    [&](const WriteFile& write) { return corpus.copy_kept(stays, write, told_to(places)); });
}

Result<std::uint64_t> OutputSet::write_file(std::unique_ptr<OutputFile>& file, std::string_view name,
                                            bool is_archive, WrittenFiles* written,
                                            const std::function<Result<void>(const WriteFile& write)>& copy) {
  std::uint64_t bytes = 0;
  LEITONG_TRY(copy([&](std::string_view part) -> Result<void> {
    bytes += part.size();
    if (written != nullptr) written->wrote(part);
    LEITONG_TRY(file->write(part));
    return is_archive ? file->end_member() : Result<void>{};
  }));
  if (bytes == 0 && table_form_of_name(name)) file.reset();
  return bytes;
}

Result<std::uint64_t> OutputSet::write_kept_documents(const Corpus& corpus, const Stays& stays,
                                                      KeptPlaces* places) {
  std::uint64_t bytes = 0, stored = 0;
  std::optional<RowFile> list;
  if (!kept_folder_) {
    LEITONG_ASSIGN(list, RowFile::open(*kept_, {}, {}));
  }
  for (DocId d = corpus.reference_count(); d < corpus.size(); ++d) {
    if (!stays(d)) continue;
    const std::string_view path = corpus.source_path(d);
    bytes += corpus.file_bytes(d);
    if (const auto size = corpus.stored_bytes(d); size && places != nullptr) {
      places->written().begin_file(path, stored);
      LEITONG_TRY(places->add(d, {0, *size, true}));
      stored += *size;
    }
    if (!list) {
      LEITONG_TRY(kept_folder_->add_file(path, path_below(path), names_.copy_files));
      continue;
    }
    list->text().append(path).push_back(names_.null_separated ? '\0' : '\n');
    names_with_line_feeds_ += !names_.null_separated && path.find('\n') != std::string_view::npos;
    LEITONG_TRY(list->end_row());
  }
  if (list) LEITONG_TRY(list->finish());
  return bytes;
}

Result<std::uint64_t> OutputSet::write_kept_files(WrittenFiles* written, const CopyFiles& copy) {
  std::uint64_t bytes = 0;
  std::unique_ptr<OutputFile> file;
  bool has_members = false;
  const auto begin = [&](std::string_view path, bool is_archive) -> Result<void> {
    LEITONG_ASSIGN(const fs::path place, kept_folder_->place_of(path_below(path)));
    LEITONG_ASSIGN(file, OutputFile::create(place, false, stop_, {.within_folder = true}));
    has_members = is_archive;
    if (written != nullptr) written->begin_file(path, bytes);
    return {};
  };
  const auto write = [&](std::string_view part) -> Result<void> {
    bytes += part.size();
    if (written != nullptr) written->wrote(part);
    LEITONG_TRY(file->write(part));
    return has_members ? file->end_member() : Result<void>{};
  };
  const auto end = [&] {
    if (written != nullptr) written->end_file();
    return file->commit();
  };
  LEITONG_TRY(copy(begin, write, end));
  return bytes;
}

Result<void> OutputSet::write_removed(const Corpus& corpus, const IdTable& ids, const Outcome& outcome,
                                      std::string_view method, bool own_text) {
  if (!removed_) return {};
  std::optional<RemovalReasons> reasons;
  const bool by_losses = outcome.found.settlement.by_losses();
  if (own_text || by_losses) {
    LEITONG_ASSIGN(reasons, RemovalReasons::read(outcome));
  }
  LEITONG_ASSIGN(RowFile rows,
                 RowFile::open(*removed_, names_.removed,
                               removed_columns(true, reasons.has_value(),
                                               by_losses ? LossColumns::with_places : LossColumns::none)));
  const auto scratch = corpus.new_scratch();
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (outcome.found.settlement.stays(d)) continue;
    const auto [measure, score] = outcome.reason(d);
    RemovedRow row{.id = ids[d],
                   .kept = ids[outcome.found.settlement.kept[d]],
                   .cluster = outcome.cluster[d],
                   .measure = measure,
                   .score = score,
                   .place = corpus.place_name(d),
                   .kept_place = corpus.place_name(outcome.found.settlement.kept[d]),
                   .method = method};
    if (reasons) row.reason = reasons->of(d);
    if (by_losses) {
      row.loss = reasons->loss(d).value_or(Loss());
      row.relation = outcome.relation[d];
      LEITONG_ASSIGN(row.longest, longest_place(corpus, d, *row.loss, *scratch));
    }
    LEITONG_TRY(write_row(rows, row));
  }
  return rows.finish();
}

Result<void> OutputSet::write_kept_similar(const Corpus& corpus, const IdTable& ids, const Outcome& outcome) {
  if (!kept_similar_) return {};
  LEITONG_ASSIGN(const Relatives relatives, Relatives::read(outcome));
  const PodVector<std::uint32_t>& units = outcome.found.table.units;
  LEITONG_ASSIGN(RowFile rows, RowFile::open(*kept_similar_, names_.kept_similar, staying_columns()));
  const auto scratch = corpus.new_scratch();
  for (DocId d = 0; d < outcome.documents(); ++d) {
    if (!outcome.is_relative(d)) continue;
    StayingRow row{.id = ids[d], .place = corpus.place_name(d), .cluster = outcome.cluster[d]};
    if (const Relatives::Nearest* const nearest = relatives.of(d)) {
      row.relative = ids[nearest->document];
      row.reason = staying_words(nearest->loss);
      row.loss = nearest->loss;
      row.relation = relation_of(row.loss, units[d], units[nearest->document]);
      LEITONG_ASSIGN(row.longest, longest_place(corpus, d, row.loss, *scratch));
    } else if (std::ranges::binary_search(outcome.found.kept_for_value, d)) {
      row.reason = "stays: one of the cluster stays for each value of the field";
    } else {
      row.reason = "stays: the texts that it is similar to left for others";
    }
    LEITONG_TRY(write_row(rows, row));
  }
  return rows.finish();
}

Result<void> OutputSet::write_clusters(const IdTable& ids, const Outcome& outcome) {
  if (!clusters_) return {};
  const Settlement& settlement = outcome.found.settlement;
  LEITONG_ASSIGN(RowFile rows, RowFile::open(*clusters_, names_.clusters,
                                             number_columns("cluster", settlement.by_losses())));
  return write_numbers(rows, ids, outcome.cluster, &settlement);
}

Result<void> OutputSet::write_components(const IdTable& ids, const Outcome& outcome) {
  if (!components_) return {};
  LEITONG_ASSIGN(RowFile rows, RowFile::open(*components_, names_.components, number_columns("component")));
  return write_numbers(rows, ids, outcome.component_numbers());
}

Result<void> OutputSet::write_pairs(const IdTable& ids, const Outcome& outcome, bool own_text) {
  if (!pairs_) return {};
  const PodVector<std::uint32_t>& units = outcome.found.table.units;
  const PairStore& found = *outcome.found.pairs;
  PairStore expanded(outcome.documents(), found.run());
  LEITONG_TRY(expand(found, outcome.found.copies, expanded, outcome.found.copies_apart));
  const PairsVersion version{
      .own_text = own_text, .losses = outcome.found.has_all_losses, .numbers = outcome.found.folding.numbers};
  LEITONG_ASSIGN(RowFile rows, RowFile::open(*pairs_, names_.pairs, pair_columns(version)));
  begin_pairs(rows, version);
  constexpr std::size_t kAtOnce = std::size_t{1} << 14;
  std::vector<std::pair<VerifiedPair, PairLosses>> some;
  const auto row_of = [&](std::size_t i) -> PairRow {
    const auto& [pair, losses] = some[i];
    return {std::string(ids[pair.a]),
            std::string(ids[pair.b]),
            pair,
            units[pair.a],
            units[pair.b],
            std::nullopt,
            losses};
  };
  LEITONG_TRY(expanded.for_each([&](const VerifiedPair& pair, const PairLosses& losses) -> Result<void> {
    some.emplace_back(pair, losses);
    if (some.size() < kAtOnce) return {};
    Result<void> written = write_rows(rows, some.size(), row_of, version, stop_);
    some.clear();
    return written;
  }));
  LEITONG_TRY(write_rows(rows, some.size(), row_of, version, stop_));
  return rows.finish();
}

Result<std::uint64_t> OutputSet::write(const Corpus& corpus, const Outcome& outcome, std::string_view method,
                                       bool own_text) {
  std::optional<KeptPlaces> places;
  if (restorable_) places.emplace(outcome, run_->work);
  // The kept documents are asked for in their order.
  ProgressMeter meter(*run_, "writing", corpus.size(), "documents");
  const auto stays = [&](DocId d) {
    meter.add();
    return outcome.found.settlement.stays(d);
  };
  const bool extends = names_.add_fields || !resampling_.empty();
  LEITONG_ASSIGN(
      const std::uint64_t kept_bytes,
      extends ? write_extended(corpus, outcome) : write_kept(corpus, stays, places ? &*places : nullptr));
  if (annotated_ || removed_ || kept_similar_ || clusters_ || components_ || pairs_ || restorable_) {
    LEITONG_ASSIGN(const std::vector<bool> paired, outcome.found.paired());
    LEITONG_ASSIGN(const IdTable ids, IdTable::read(corpus, paired, stop_));
    LEITONG_TRY(write_annotated(corpus, ids, outcome));
    LEITONG_TRY(write_removed(corpus, ids, outcome, method, own_text));
    LEITONG_TRY(write_kept_similar(corpus, ids, outcome));
    LEITONG_TRY(write_clusters(ids, outcome));
    LEITONG_TRY(write_components(ids, outcome));
    LEITONG_TRY(write_pairs(ids, outcome, own_text));
    if (places) {
      const bool documents = corpus.one_document_a_file();
      const KeptForm form = documents      ? (kept_folder_ ? KeptForm::documents : KeptForm::list)
                            : kept_folder_ ? KeptForm::folder
                                           : KeptForm::file;
      const std::uint64_t all = documents ? places->bytes() : kept_bytes;
      LEITONG_TRY(write_restorable(corpus, outcome, ids, *places, {form, names_.null_separated, all},
                                   *restorable_, *run_));
    }
  }
  if (templates_) {
    LEITONG_ASSIGN(const std::string list, list_templates(corpus, outcome.found));
    LEITONG_TRY(templates_->write(list));
  }
  LEITONG_TRY(write_quarantined(corpus));
  return kept_bytes;
}

Result<std::uint64_t> OutputSet::write(const Corpus& corpus, const Stays& stays) {
  LEITONG_ASSIGN(const std::uint64_t kept_bytes, write_kept(corpus, stays, nullptr));
  LEITONG_TRY(write_quarantined(corpus));
  return kept_bytes;
}

Result<void> OutputSet::check_cut(const Corpus& corpus) const {
  if (kept_folder_) {
    LEITONG_TRY(check_places(corpus, names_.kept));
    LEITONG_TRY(check_record_files(corpus, names_.kept));
  }
  if (restorable_)
    LEITONG_TRY(check_places(corpus, "the folder that " + names_.restorable + " is restored to"));
  if (kept_) LEITONG_TRY(check_form(corpus, names_.kept));
  return kept_ || kept_folder_ ? corpus.check_cuttable(!kept_folder_) : Result<void>{};
}

Result<void> OutputSet::write_cut(const Corpus& corpus, const Corpus::CutRecord& cut) {
  std::optional<TrimmedPlaces> places;
  if (restorable_) places.emplace(run_->work);
  const auto cut_or_remove = [&](DocId document) -> Result<Corpus::RecordCut> {
    Result<Corpus::RecordCut> record = cut(document);
    if (places && record && !record->keep) LEITONG_TRY(places->removed(document));
    return record;
  };
  Corpus::CutPlaced placed;
  if (places)
    placed = [&](DocId document, const KeptPlace& place, std::span<const TextEdit> edits) {
      return places->wrote(document, place, edits);
    };
  WrittenFiles* const written = places ? &places->written() : nullptr;
  std::uint64_t bytes = 0;
  if (kept_folder_) {
    LEITONG_ASSIGN(bytes, write_kept_files(written, [&](const BeginFile& begin, const WriteFile& write,
                                                        const std::function<Result<void>()>& end) {
                     return corpus.copy_cut_by_source(cut_or_remove, begin, write, placed, end);
                   }));
  } else if (kept_) {
    LEITONG_ASSIGN(bytes,
                   write_file(kept_, names_.kept, corpus.is_archive(), written, [&](const WriteFile& write) {
                     return corpus.copy_cut(cut_or_remove, write, placed);
                   }));
  } else {
    for (DocId document = 0; document < corpus.size(); ++document) LEITONG_TRY(cut(document));
  }
  if (places)
    LEITONG_TRY(write_trim_restorable(corpus, *places, kept_folder_ ? KeptForm::folder : KeptForm::file,
                                      bytes, *restorable_, *run_));
  return write_quarantined(corpus);
}

Result<void> OutputSet::write_quarantined(const Corpus& corpus) {
  if (!quarantine_) return {};
  return write_quarantine(corpus, [&](std::string_view block) { return quarantine_->write(block); });
}

Result<void> OutputSet::commit(std::initializer_list<Staged*> also) {
  std::vector<Staged*> all = {kept_.get(),       removed_.get(), kept_similar_.get(), clusters_.get(),
                              components_.get(), pairs_.get(),   templates_.get(),    annotated_.get(),
                              quarantine_.get(), report_.get(),  report_texts_.get(), restorable_.get(),
                              kept_folder_.get()};
  all.insert(all.end(), also);
  return commit_all(all, stop_);
}

}  // namespace leitong
