// The table of settings (leitong/settings.hpp).
#include "leitong/settings.hpp"

#include "corpus/record_format.hpp"
#include "dedup/method.hpp"
#include "leitong/trim.hpp"

namespace leitong {
namespace {

constexpr std::string_view kInput = "Input", kSimilar = "What is similar", kDictionaries = "Dictionaries",
                           kStays = "What stays", kResources = "Resources", kOutput = "Output",
                           kNewIndex = "A new index", kAdded = "Documents that are added",
                           kUncounted = "What does not count", kItems = "Items", kFound = "What is found",
                           kCut = "What is cut";

/// Adds rows under one heading.
class Rows {
 public:
  Rows(const SettingFn& each, std::string_view group) : each_(each), group_(group) {}

  /// `rest` is everything in the row except its name, its values and its purpose. The value is stored in
  /// `member`.
  template <class Member>
  void operator()(std::string_view name, std::string_view value, std::string_view help, Member& member,
                  Setting rest = {}) const {
    rest.name = name;
    rest.value = value;
    rest.group = group_;
    rest.help = help;
    if constexpr (std::is_enum_v<Member>) {
      static_assert(sizeof(member) == 1);
      each_(rest, WordNumber{reinterpret_cast<std::uint8_t*>(&member)});
    } else {
      each_(rest, &member);
    }
  }

 private:
  const SettingFn& each_;
  std::string_view group_;
};

std::vector<std::string> kinds() { return standard_formats().names(); }

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.emplace_back(method.name);
  return names;
}

std::vector<std::string> signing_methods() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods())
    if (!method.signature.empty()) names.emplace_back(method.name);
  return names;
}

/// Rows for methods that look at words.
void word_rows(std::vector<std::string>& params, Dictionaries& dictionaries, const SettingFn& each) {
  each_setting(dictionaries, [&](const Setting& setting, const SettingValue& value) {
    if (setting.name != "model") each(setting, value);
  });
  each({.name = "synonyms",
        .value = "FILE",
        .group = kDictionaries,
        .help = "for the methods of the SimHash family: lines of a word, a tab and its canonical word. A "
                "word counts as its canonical one. The same as the parameter synonyms=FILE"},
       ParamValue{&params});
}

void marks_row(std::string_view group, Marks& marks, const SettingFn& each) {
  Rows(each, group)("marks", "fold|keep",
                    "marks and forms of letters that writers may leave out or choose: accents of Latin and "
                    "Greek, Arabic and Hebrew points, tatweel, forms of alef, yeh and kaf, native digits. "
                    "fold: they do not count. keep: texts that differ in them differ",
                    marks);
}

/// Rows that say what the units of a text are, for commands that remove nothing.
void folding_rows(std::string_view group, Folding& folding, const SettingFn& each) {
  marks_row(group, folding.marks, each);
  Rows(each, group)("numbers", "same|masked",
                    "what a number counts. same: its digits, as letters do. masked: nothing, all numbers are "
                    "one, as logs want it",
                    folding.numbers);
}

void resume_row(std::filesystem::path& folder, const SettingFn& each) {
  Rows(each, kResources)("resume", "DIR",
                         "keep finished stages in this folder, which is made if it is missing. After a stop "
                         "or a crash, run the same command again: it continues from the last finished stage "
                         "and gives the same outputs. The folder is emptied when all outputs are written",
                         folder);
}

}  // namespace

void each_setting(InputFiles& input, const SettingFn& each) {
  const Rows row(each, kInput);
  row("inputs", "FILE",
      "files to read, folders with all that is in them, and patterns in quotes, such as 'data/*.parquet' or "
      "'crawl/**/*.jsonl'. Formats: JSONL, CSV, TSV, WARC, Parquet, Arrow IPC, dumps of MediaWiki, text with "
      "one document a line, and files that are one document each (.txt .md .html .srt .vtt .pdf .docx .odt); "
      "all may be compressed (gzip, zstd, "
      "bzip2, xz)",
      input.paths, {.unset = "standard input", .flag = "INPUT"});
  row("id_field", "FIELD",
      "the field that holds a record's id, \"a.b\" for a field within a field. A record that has no id is "
      "named by its place, file:line",
      input.id_field);
  row("text_fields", "FIELD",
      "the field that holds a record's text; the texts of several fields are joined, and those of a list "
      "('messages[].content', 'tags[]')",
      input.text_fields, {.flag = "--text-field"});
  row("kind", "",
      "the format of the input. lines: one document a line; text, html: one document a file; office: the "
      "same for PDF, Word (.docx) and OpenDocument texts (.odt); warc: the pages of a WARC or WET archive; "
      "parquet, arrow: rows of a Parquet or Arrow IPC (Feather) file; mediawiki: the pages of an XML dump; "
      "subtitles: what is spoken in a film (.srt .vtt)",
      input.kind, {.unset = "the name and content of each file tell", .words = kinds});
  row("html_part", "all|main",
      "the part of an HTML page that is taken as its text: all that a reader sees, or the main content, "
      "without menus, footers and notices",
      input.html);
  row("encoding", "NAME",
      "the encoding of the whole input, such as GB18030, Big5 or UTF-16LE; needed only if it isn't "
      "recognised",
      input.encoding);
  row("delimiter", "CHARACTER", "what separates the columns of CSV and TSV: one character, or tab",
      input.delimiter, {.unset = "the first lines of each file tell"});
  row("quote", "QUOTE",
      "what encloses values in CSV and TSV: a double quote, or none; with none a quote is a character like "
      "others, and each line is a row",
      input.quote, {.unset = "the first lines of each file tell"});
  row("max_record_bytes", "SIZE", "the largest size of a record; larger ones are quarantined",
      input.max_record_bytes, {.flag = "--max-record"});
  row("max_window_bytes", "SIZE",
      "the most memory that a compressed input may need for unpacking: the window of zstd, the dictionary of "
      "xz",
      input.max_window_bytes, {.flag = "--max-window"});
  row("strict", "",
      "stop with an error at the first record that can't be read, and at the first id that occurs twice",
      input.strict);
}

void each_setting(Dictionaries& dictionaries, const SettingFn& each) {
  const Rows row(each, kDictionaries);
  row("model", "FILE", "a model that leitong dict build has made", dictionaries.model,
      {.unset = "one of jieba's dictionaries",
       .excludes = "user_dict idf stop_words",
       .why = "a model has its words, weights and stop words in it"});
  row("user_dict", "FILE", "more words, one a line, as \"word\", \"word tag\" or \"word frequency tag\"",
      dictionaries.user);
  row("idf", "FILE", "inverse document frequencies, one \"word weight\" a line", dictionaries.idf,
      {.unset = "those of jieba"});
  row("stop_words", "FILE", "words that are never keywords, one a line", dictionaries.stop_words,
      {.unset = "those of jieba"});
}

void each_setting(RemovalSettings& settings, const SettingFn& each) {
  const Rows row(each, kStays);
  row("remove", "lossless|careful|wide|similar",
      "what may be lost. A text is removed only for a similar text that holds nearly all of it. lossless: "
      "but for formats, templates and single letters. careful: but for 5 % of its own text, of which 1 % may "
      "be stretches of 24 units and more, and none of more than 32 units. wide: but for 10 % and 3 %. "
      "similar: everything similar is removed, "
      "whatever is lost",
      settings.remove,
      {.excludes = "verify",
       .why = "without verification no texts are compared, so that losses are unknown"});
  row("loss", "L", "the part of a text's own units that the kept text may lack; reworded units count 0.3",
      settings.loss,
      {.unset = "that of the choice above",
       .high = 1,
       .excludes = "remove verify",
       .why = "limits of one's own take the place of limits with a name, and are of verified pairs"});
  row("loss_run", "R", "the part of the own units that may be lost in stretches of 24 units and more",
      settings.loss_run,
      {.unset = "0.01, or the loss where that is less",
       .high = 1,
       .needs = "loss",
       .why = "it is a part of the loss that may be"});
  row("numbers", "same|text|masked",
      "what a number counts that differs. same: 8 lost units beside the loss, so that questions, notes and "
      "reports that differ in numbers alone stay. text: as much as any reworded text. masked: nothing, "
      "neither for what is similar nor for what leaves, as logs want it",
      settings.numbers);
}

void each_setting(DedupSettings& settings, const SettingFn& each) {
  const Rows row(each, kSimilar), of_who_stays(each, kStays);
  row("method", "", "the method that finds candidate pairs; leitong methods explains each", settings.method,
      {.words = method_names});
  row("params", "NAME=VALUE", "a parameter of the method; leitong methods lists them. May be repeated",
      settings.params, {.flag = "--param"});
  word_rows(settings.params, settings.dictionaries, each);
  marks_row(kSimilar, settings.marks, each);
  row("preset", "default|strict|reuse",
      "the rule by its purpose. strict: fewer pairs of different works on one subject. reuse: texts of which "
      "a part was copied, that is a containment of at least 0.15 or a common passage with at least 60 "
      "Chinese characters or 120 letters or digits (punctuation and spaces do not count) that are no "
      "template. It is meant for leitong pairs and reports: leitong dedup removes with it every text that "
      "shares a part with one that stays",
      settings.preset,
      {.excludes = "threshold measure strict_match", .why = "a preset is a rule of its own"});
  row("threshold", "T", "call two documents similar if the measure is at least T", settings.threshold,
      {.unset = "their Jaccard is at least 0.35 for short texts, rising to 0.40 for long ones, or their "
                "containment at least 0.70",
       .high = 1});
  row("measure", "jaccard|containment|edit", "the measure that the threshold applies to", settings.measure,
      {.unset = "jaccard", .needs = "threshold", .why = "a measure needs a threshold, such as 0.8"});
  row("strict_match", "", "be stricter with short texts: require a Jaccard of 0.40 instead of 0.35",
      settings.strict_match,
      {.excludes = "threshold measure",
       .why = "a strict match is a variant of the default rule, which a threshold takes the place of"});
  row("template_text", "automatic|ignored|counted",
      "text that many unrelated documents hold (site headers, menus, licences) does not count, and text that "
      "no third document holds counts more; automatic: where the default rule decides",
      settings.template_text);
  row("cosine", "C",
      "two documents are similar, too, if the cosine of their vectors is at least C, such as 0.9",
      settings.cosine,
      {.high = 1, .needs = "vectors", .why = "a cosine is one of vectors, and there are none"});
  row("vector_search", "exact|approximate",
      "how such pairs are found: exact compares every pair, in a time that grows with the square of the "
      "documents; approximate, for many, compares vectors that are near the same ones of a sample, and "
      "measures which share of the pairs it found. It takes 72 bytes of memory for each document",
      settings.vector_search,
      {.needs = "cosine", .why = "an approximate search is one of vectors, and needs a cosine"});
  row("verify", "",
      "use the method's own estimate and do not compare the texts; the pairs are then not verified",
      settings.verify, {.flag = "--no-verify"});
  row("measure_recall", "",
      "do not measure recall on a sample (recall is the share of similar pairs that the run has found)",
      settings.measure_recall, {.flag = "--no-audit"});
  row("recall_sample", "N", "measure recall on so many documents", settings.recall_sample,
      {.unset = "as many as make it known within 0.05, in about a tenth of the time",
       .high = 100'000,
       .excludes = "measure_recall verify",
       .why = "a sample is one of a recall that is measured, on texts that are compared"});
  of_who_stays(
      "keep", "POLICY",
      "which document of a cluster stays: longest, shortest, first, newest:FIELD, oldest:FIELD, max:FIELD, "
      "min:FIELD, source:PATH,PATH.., source:FIELD=VALUE,VALUE.. or covering, the one for which most text "
      "may be removed. Several with commas between them decide one after the other among equals",
      settings.keep);
  each_setting(settings.removal, each);
}

void each_setting(SignSettings& settings, const SettingFn& each) {
  const Rows row(each, kSimilar);
  row("method", "", "the method that makes the signatures; leitong methods explains each", settings.method,
      {.words = signing_methods});
  row("params", "NAME=VALUE", "a parameter of the method; leitong methods lists them. May be repeated",
      settings.params, {.flag = "--param"});
  word_rows(settings.params, settings.dictionaries, each);
  folding_rows(kSimilar, settings.folding, each);
}

void each_setting(DedupOutputs& outputs, const SettingFn& each) {
  const Rows row(each, kOutput);
  row("kept", "FILE",
      "the kept records, unchanged and in the order of the input; with -o DIR/ a new folder that has one "
      "file for each input file. For folders of documents: a list of the kept paths, or with -o DIR/ a new "
      "folder of links to the kept files",
      outputs.kept, {.flag = "-o,--output"});
  row("removed", "FILE",
      "JSONL, or Parquet or Arrow by the name: each removed document, the kept document that it is similar "
      "to, the deciding measure and score, and what the kept document lacks of it",
      outputs.removed);
  row("kept_similar", "FILE",
      "JSONL, or Parquet or Arrow by the name: each document that stays although it is similar to one that "
      "stays, with the text that only it has",
      outputs.kept_similar);
  row("clusters", "FILE",
      "TSV, or Parquet or Arrow by the name: id, cluster, and the id of the document that is kept in its "
      "place. "
      "A cluster is a document with the documents that are similar to it",
      outputs.clusters);
  row("components", "FILE",
      "TSV, or Parquet or Arrow by the name: id and component. A component is all documents that similar "
      "pairs join, directly or by a chain of pairs",
      outputs.components);
  row("pairs", "FILE",
      "TSV, or Parquet or Arrow by the name: every similar pair with its scores, to be read by leitong "
      "cluster and leitong eval",
      outputs.pairs);
  row("templates", "FILE",
      "TSV: the passages that count as templates, with the number of families and sites and an example. "
      "Templates are looked for only in documents of pairs that a template may decide",
      outputs.templates);
  row("annotate", "FILE",
      "all records, none removed, each with the fields cluster, cluster_size, kept, kept_id, measure and "
      "score added; for JSONL, CSV, TSV, Parquet and Arrow. A record that has one of them already is an "
      "error before anything is compared",
      outputs.annotated);
  row("add_fields", "", "give each kept record the field cluster_size, in the same way", outputs.add_fields,
      {.needs = "kept",
       .excludes = "restorable",
       .why = "it is a field of the kept records, which a restorable file needs unchanged"});
  row("resample", "N:K",
      "write a kept record K times if its cluster has N documents or more, up to the next N; in rising order "
      "with commas between them: 1:1,2:2,3:3,5:5,100:8,1000:1",
      outputs.resample,
      {.needs = "kept",
       .excludes = "restorable",
       .why = "it repeats kept records, which a restorable file needs unchanged"});
  row("quarantine", "FILE", "JSONL: the records that could not be read, each with its place and the reason",
      outputs.quarantine);
  row("restorable", "FILE",
      "the removed records, each as its difference to the kept one: leitong restore makes the whole input "
      "again from this file and the kept records",
      outputs.restorable);
  row("report", "FILE.html",
      "one HTML page with the figures of the run and its evidence, both texts side by side. A reader can "
      "mark pairs as right or wrong and export the marks as gold labels",
      outputs.report);
  row("report_texts", "FILE",
      "a file beside the report with the whole texts of every pair: the page shows parts of long texts, and "
      "the whole texts after a reader has opened this file in it",
      outputs.report_texts, {.needs = "report", .why = "they are the texts of the pairs of the report"});
  row("write_index", "DIR",
      "a new folder with an online index of the kept documents, for leitong check and later runs",
      outputs.index);
  row("null_separated", "",
      "end each path in a list of kept files with a zero byte instead of a line feed, as find -print0 does",
      outputs.null_separated, {.flag = "--null"});
  row("copy_files", "", "with -o DIR/: copy the kept files instead of making hard links", outputs.copy_files,
      {.flag = "--copy"});
  row("force", "", "replace files that exist (a folder has to be new or empty)", outputs.force);
}

void each_setting(TrimSettings& settings, const SettingFn& each) {
  const Rows row(each, kCut);
  row("part", "line|paragraph|sentence|passage|template",
      "what is compared and cut. Parts are equal whatever their case, width, punctuation and white space, in "
      "traditional or simplified characters. passage: any run of so many units, wherever it begins. "
      "template: text that many unrelated documents hold, of which families of documents are counted",
      settings.part);
  row("kept_part", "first|none",
      "which of several equal parts stays: the first one in the order of the input, or none (menus and other "
      "frames of pages)",
      settings.kept_part, {.flag = "--keep"});
  row("least_documents", "N", "cut only what at least N documents hold", settings.least_documents,
      {.low = 1, .high = 4294967294.0, .flag = "--documents"});
  row("least_units", "N",
      "the units that a part needs to be cut. A unit is a Chinese character, or two letters or digits. "
      "Passages have 8 to 1000",
      settings.least_units, {.unset = "100 for passages, 1 for other parts", .high = 1e9, .flag = "--least"});
  row("border", "sentence|word|character",
      "where cuts of passages and templates begin and end, as far as each repeated run can be broken there: "
      "at ends of "
      "sentences, between words, or anywhere between two characters",
      settings.border);
  row("least_left", "N", "remove a document if parts of it are cut and fewer than N units are left",
      settings.least_left, {.low = 1, .high = 1e9});
}

void each_setting(TrimOutputs& outputs, const SettingFn& each) {
  const Rows row(each, kOutput);
  row("trimmed", "FILE",
      "the records in the order of the input, without what was cut of their texts and otherwise byte for "
      "byte, in the format of the input; with -o DIR/ a new folder that has one file for each input file",
      outputs.trimmed, {.flag = "-o,--output"});
  row("spans", "FILE",
      "JSONL, or a table if the name ends in .parquet or .arrow: each cut with its place in bytes and "
      "characters, how many documents hold it, and the place that stays",
      outputs.spans);
  row("with_text", "", "write the text that was cut into the rows of the spans", outputs.with_text,
      {.needs = "spans", .why = "the text that was cut stands in the rows of the spans"});
  row("too_short", "FILE", "JSONL: the documents that were removed since too little was left of them",
      outputs.too_short, {.flag = "--removed"});
  row("quarantine", "FILE", "JSONL: the records that could not be read, each with its place and the reason",
      outputs.quarantine);
  row("restorable", "FILE",
      "the cut text: leitong restore makes the whole input again from this file and the trimmed records",
      outputs.restorable, {.needs = "trimmed", .why = "it holds what the trimmed records lack"});
  row("report", "FILE.html",
      "one HTML page: what was cut most often, with counts and examples, and documents with their cuts "
      "struck through",
      outputs.report);
  row("force", "", "replace files that exist", outputs.force);
}

void each_setting(TrimJob& job, const SettingFn& each) {
  const Rows row(each, kCut);
  each_setting(job.input, each);
  each_setting(job.settings, each);
  row("base", "FILE",
      "the text of these files, such as a handout, a question sheet or a licence, is never cut, and does not "
      "count as part of a passage. May be repeated",
      job.base);
  each_setting(job.outputs, each);
  resume_row(job.resume_folder, each);
}

void each_setting(DedupJob& job, const SettingFn& each) {
  const Rows row(each, kSimilar), of_input(each, kInput), of_who_stays(each, kStays),
      of_outputs(each, kOutput);
  each_setting(job.input, each);
  of_input("references", "FILE",
           "documents that are never removed and never written; documents of the input that are similar to "
           "them are removed",
           job.input.reference_paths, {.flag = "--reference"});
  of_input("reference_indexes", "DIR",
           "an online index, in the folder DIR, whose texts are references, too: documents of the input that "
           "it has seen are removed. The index is only read",
           job.reference_indexes, {.flag = "--reference-index"});
  each_setting(job.settings, each);
  row("site_field", "FIELD",
      "the field with the site of a record (a URL, a host name or any other value): text that many pages of "
      "one site share is a template there, and text that different sites share is a reprint",
      job.site_field);
  row("base", "FILE",
      "the text of these files, such as a handout, a question sheet or a licence, does not count, however "
      "few documents hold it",
      job.base);
  row("within", "FIELD",
      "compare only documents that have the same value in this field, such as a snapshot or a language; "
      "those without a value are compared with each other. Templates still depend on all documents",
      job.within);
  row("across", "FIELD",
      "never compare documents that have the same value in this field, such as versions by one author; a "
      "document without a value is compared with all",
      job.across);
  row("vectors", "FILE.npy|FIELD",
      "vectors (embeddings) of the documents, with a cosine: a NumPy file with one row for each record in "
      "the order of the input (references first), or the field of a record that holds an array of numbers",
      job.vectors,
      {.needs = "cosine",
       .why = "vectors need a cosine from which on two documents are similar, such as 0.9"});
  of_who_stays("keep_each", "FIELD",
               "of each cluster keep one document for every value that its documents have in this field; no "
               "value counts as one, too",
               job.keep_each);
  each_setting(job.outputs, each);
  of_outputs("source_field", "FIELD",
             "the field that names a record's source (site, author, class), for the report's table of who "
             "copies whom",
             job.source_field, {.unset = "the name of its file"});
  of_outputs("title_field", "FIELD", "the field of a record's title, which the report shows beside its id",
             job.title_field, {.unset = "the first words"});
  resume_row(job.resume_folder, each);
}

void each_setting(ContextSettings& context, const SettingFn& each) {
  const Rows row(each, kResources);
  row("threads", "N", "number of threads; the result is the same for any number", context.threads,
      {.unset = "0: one for each core", .high = 4096});
  row("memory", "SIZE",
      "use at most this much memory, such as 4G; what does not fit is kept in temporary files",
      context.memory, {.unset = "what helps, with buffers up to half of the free memory"});
  row("work_folder", "DIR", "folder for temporary files", context.work_folder,
      {.unset = "that of the system", .flag = "--work"});
}

void each_setting(online::Settings& index, const SettingFn& each) {
  const Rows row(each, kNewIndex), of_all(each, {}), of_resources(each, kResources);
  of_all("durability", "sync|everysec|none",
         "when additions count as done: when they are on the disk; within a second and a half; or "
         "when the system has them",
         index.durability);
  of_resources("postings_in_memory", "N",
               "postings that an index keeps in memory before they become a file: 40 bytes each",
               index.postings_in_memory, {.low = 1000, .high = 100'000'000});
  row("scheme", "NAME",
      "how texts are compared: default; reuse, which also finds the texts that hold a passage of another "
      "one, in an index in a folder; or by the distance of a fingerprint: simhash, p-simhash, e-simhash, ..",
      index.scheme, {.unset = "default"});
  row("params", "NAME=VALUE", "a parameter of the scheme, such as distance=3", index.params,
      {.flag = "--param"});
  word_rows(index.params, index.dictionaries, each);
  folding_rows(kNewIndex, index.folding, each);
  row("keep_texts", "", "keep only fingerprints and digests; texts cannot be shown or exported then",
      index.keep_texts, {.flag = "--no-texts"});
}

void each_setting(online::FileDetails& details, const SettingFn& each) {
  const Rows row(each, kAdded), of_input(each, kInput), of_outputs(each, kOutput),
      of_checks(each, kUncounted);
  row("source", "NAME",
      "the source of the documents, such as the name of a crawl: all texts of a source can be shown or "
      "removed at once",
      details.source);
  row("source_field", "FIELD", "the field with the source", details.source_field);
  row("time_field", "FIELD", "the field with the date: 2026-11-22T08:30:00Z, or seconds since 1970",
      details.time_field);
  row("expires_field", "FIELD", "the field with the time from which leitong index expire removes a document",
      details.expires_field);
  each({.name = "keep_days",
        .value = "N",
        .group = kAdded,
        .help = "documents without such a time expire N days after their date, or after today",
        .high = 1e6},
       DaysValue{&details.keep_seconds});
  of_input("fingerprint_field", "FIELD",
           "records have fingerprints in this field instead of texts, in the digits of leitong sign and by "
           "the scheme of the index. If there is a FILE.scheme beside FILE, it must name this scheme",
           details.fingerprint_field);
  of_outputs("quarantine", "FILE",
             "JSONL: the records that could not be read, each with its place and the reason",
             details.quarantine);
  of_outputs("force", "", "replace a quarantine FILE that exists", details.force);
  of_checks("base", "FILE",
            "the text of these files, such as a handout, a question sheet or a licence, does not count, "
            "however few documents hold it",
            details.base);
}

void each_setting(online::Wanted& wanted, const SettingFn& each) {
  const Rows row(each, kOutput), of_checks(each, kUncounted);
  of_checks(
      "exclude", "quotations|bibliography|same_source",
      "what does not count: what stands in quotation marks beside its source, the list of sources at the "
      "end, or parts of texts with the document's own source. Several with commas between them",
      wanted.exclude);
  row("passages", "", "say which passages a document shares with its match", wanted.passages);
  row("matches", "N", "name up to N similar texts that represent families, including the match",
      wanted.matches, {.low = 1, .high = 8});
}

void each_setting(LeakSettings& settings, const SettingFn& each) {
  const Rows row(each, kFound);
  row("share", "S",
      "find an item if this share of its shingles (pairs of neighbouring units, numbers masked) is in one "
      "window of the document",
      settings.share,
      {.unset = "0.9 for items of up to 12 shingles, falling to 0.7 for items of 60 and more",
       .high = 1,
       .excludes = "ngram",
       .why = "n-grams decide in place of a share"});
  row("ngram", "N",
      "find an item if the document holds N words of it in a row, as papers count them (13 is usual); a Han "
      "character, kana or hangul syllable is a word",
      settings.ngram, {.unset = "the share decides", .high = 10'000});
  row("common", "N",
      "an item that more than N documents hold is common text, such as a famous quotation: a doubt and no "
      "leak",
      settings.common);
}

void each_setting(DecontaminateJob& job, const SettingFn& each) {
  const Rows of_items(each, kItems), of_outputs(each, kOutput);
  each_setting(job.input, each);
  of_items(
      "against", "FILE",
      "files and folders of benchmarks, in the formats of the input; a record is an item. May be repeated",
      job.against);
  of_items("against_fields", "FIELD",
           "the field of an item's question, and the fields of its answers. With answers, a question is a "
           "leak if an answer stands near it, and otherwise a doubt",
           job.against_fields);
  each_setting(job.settings, each);
  of_outputs(
      "action", "list|remove|cut",
      "list: documents with leaks are only listed. remove: they are left out of the kept records. cut: "
      "they lose the sentences that hold leaks",
      job.action);
  of_outputs("kept", "FILE",
             "the records without leaks, unchanged and in the order of the input; with -o DIR/ a new folder "
             "that has one file for each input file",
             job.kept, {.flag = "-o,--output"});
  of_outputs("hits", "FILE",
             "JSONL: a row for each document and each item that it holds, with the passage and its place",
             job.hits);
  of_outputs("quarantine", "FILE",
             "JSONL: the records that could not be read, each with its place and the reason", job.quarantine);
  of_outputs("report", "FILE.html",
             "one HTML page: a table of the benchmarks, and each item that was found beside the passage of "
             "its document",
             job.report);
  of_outputs("force", "", "replace files that exist (a folder has to be new or empty)", job.force);
}

std::vector<Setting> all_settings() {
  std::vector<Setting> all;
  const SettingFn add = [&](const Setting& setting, const SettingValue&) {
    for (const Setting& known : all)
      if (known.name == setting.name) return;
    all.push_back(setting);
  };
  DedupJob job;
  each_setting(job, add);
  Dictionaries dictionaries;
  each_setting(dictionaries, add);
  ContextSettings context;
  each_setting(context, add);
  online::Settings index;
  each_setting(index, add);
  online::FileDetails details;
  each_setting(details, add);
  online::Wanted wanted;
  each_setting(wanted, add);
  DecontaminateJob decontamination;
  each_setting(decontamination, add);
  TrimJob trim;
  each_setting(trim, add);
  return all;
}

}  // namespace leitong
