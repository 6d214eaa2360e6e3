// The table of settings (leitong/settings.hpp).
#include "leitong/settings.hpp"

#include "corpus/record_format.hpp"
#include "dedup/method.hpp"

namespace leitong {
namespace {

constexpr std::string_view kInput = "Input", kSimilar = "What is similar", kDictionaries = "Dictionaries",
                           kStays = "What stays", kResources = "Resources", kOutput = "Output",
                           kNewIndex = "A new index", kAdded = "Documents that are added";

/// Takes a row and the member that has its value.
class Rows {
 public:
  explicit Rows(const SettingFn& each) : each_(each) {}

  template <class Member>
  void operator()(const Setting& setting, Member& member) const {
    if constexpr (std::is_enum_v<Member>) {
      static_assert(sizeof(member) == 1);
      each_(setting, WordNumber{reinterpret_cast<std::uint8_t*>(&member)});
    } else {
      each_(setting, &member);
    }
  }

 private:
  const SettingFn& each_;
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

/// Of methods that look at words.
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

}  // namespace

void each_setting(InputFiles& input, const SettingFn& each) {
  const Rows row(each);
  row({.name = "inputs",
       .value = "FILE",
       .group = kInput,
       .help =
           "files to read, folders with all that is in them, and patterns in quotes, such as "
           "'data/*.parquet' or 'crawl/**/*.jsonl'. Formats: JSONL, CSV, TSV, WARC, Parquet, Arrow IPC, "
           "text with one document a line, and files that are one document each (.txt .md .html); all may "
           "be compressed (gzip, zstd, bzip2, xz)",
       .unset = "standard input",
       .flag = "INPUT"},
      input.paths);
  row({.name = "id_field",
       .value = "FIELD",
       .group = kInput,
       .help =
           "the field that holds a record's id, \"a.b\" for a field within a field. A record that has no id "
           "is named by its place, file:line"},
      input.id_field);
  row({.name = "text_fields",
       .value = "FIELD",
       .group = kInput,
       .help = "the field that holds a record's text; the texts of several fields are joined",
       .flag = "--text-field"},
      input.text_fields);
  row({.name = "kind",
       .group = kInput,
       .help =
           "the format of the input. lines: one document a line; text, html: one document a file; warc: the "
           "pages of a WARC or WET archive; parquet, arrow: rows of a Parquet or Arrow IPC (Feather) file",
       .unset = "the name and content of each file tell",
       .words = kinds},
      input.kind);
  row({.name = "html_part",
       .value = "all|main",
       .group = kInput,
       .help =
           "the part of an HTML page that is taken as its text: all that a reader sees, or the main content, "
           "without menus, footers and notices"},
      input.html_part);
  row({.name = "encoding",
       .value = "NAME",
       .group = kInput,
       .help = "the encoding of the whole input, such as GB18030, Big5 or UTF-16LE; needed only if it "
               "isn't recognised"},
      input.encoding);
  row({.name = "max_record_bytes",
       .value = "SIZE",
       .group = kInput,
       .help = "the largest size of a record; larger ones are quarantined",
       .flag = "--max-record"},
      input.max_record_bytes);
  row({.name = "max_window_bytes",
       .value = "SIZE",
       .group = kInput,
       .help = "the most memory that a compressed input may need for unpacking: the window of zstd, the "
               "dictionary of xz",
       .flag = "--max-window"},
      input.max_window_bytes);
  row({.name = "strict",
       .group = kInput,
       .help = "stop with an error at the first record that can't be read, and at the first id that "
               "occurs twice"},
      input.strict);
}

void each_setting(Dictionaries& dictionaries, const SettingFn& each) {
  const Rows row(each);
  row({.name = "model",
       .value = "FILE",
       .group = kDictionaries,
       .help = "a model that leitong dict build has made",
       .unset = "one of jieba's dictionaries",
       .excludes = "user_dict idf stop_words",
       .why = "a model has its words, weights and stop words in it"},
      dictionaries.model);
  row({.name = "user_dict",
       .value = "FILE",
       .group = kDictionaries,
       .help = "more words, one a line, as \"word\", \"word tag\" or \"word frequency tag\""},
      dictionaries.user);
  row({.name = "idf",
       .value = "FILE",
       .group = kDictionaries,
       .help = "inverse document frequencies, one \"word weight\" a line",
       .unset = "those of jieba"},
      dictionaries.idf);
  row({.name = "stop_words",
       .value = "FILE",
       .group = kDictionaries,
       .help = "words that are never keywords, one a line",
       .unset = "those of jieba"},
      dictionaries.stop_words);
}

void each_setting(DedupSettings& settings, const SettingFn& each) {
  const Rows row(each);
  row({.name = "method",
       .group = kSimilar,
       .help = "the method that finds candidate pairs; leitong methods explains each",
       .words = method_names},
      settings.method);
  row({.name = "params",
       .value = "NAME=VALUE",
       .group = kSimilar,
       .help = "a parameter of the method; leitong methods lists them. May be repeated",
       .flag = "--param"},
      settings.params);
  word_rows(settings.params, settings.dictionaries, each);
  row({.name = "preset",
       .value = "default|strict|reuse",
       .group = kSimilar,
       .help = "the rule by its purpose. strict: fewer pairs of different works on one subject. reuse: "
               "texts of which a part was copied, that is a containment of at least 0.15 or a common "
               "passage with at least 60 Chinese characters or 120 letters or digits (punctuation and "
               "spaces do not count) that are no template. It is meant for leitong pairs and reports: "
               "leitong dedup removes with it every text that shares a part with one that stays",
       .excludes = "threshold measure strict_match",
       .why = "a preset is a rule of its own"},
      settings.preset);
  row({.name = "threshold",
       .value = "T",
       .group = kSimilar,
       .help = "call two documents similar if the measure is at least T",
       .unset = "their Jaccard is at least 0.35 for short texts, rising to 0.40 for long ones, or their "
                "containment at least 0.70",
       .high = 1},
      settings.threshold);
  row({.name = "measure",
       .value = "jaccard|containment|edit",
       .group = kSimilar,
       .help = "the measure that the threshold applies to",
       .unset = "jaccard",
       .needs = "threshold",
       .why = "a measure needs a threshold, such as 0.8"},
      settings.measure);
  row({.name = "strict_match",
       .group = kSimilar,
       .help = "be stricter with short texts: ask for a Jaccard of 0.40 instead of 0.35",
       .excludes = "threshold measure",
       .why = "a strict match is a variant of the default rule, which a threshold takes the place of"},
      settings.strict_match);
  row({.name = "template_text",
       .value = "automatic|ignored|counted",
       .group = kSimilar,
       .help =
           "text that many unrelated documents hold (site headers, menus, licences) does not count, and text "
           "that no third document holds counts more; automatic: where the default rule decides"},
      settings.template_text);
  row({.name = "cosine",
       .value = "C",
       .group = kSimilar,
       .help = "two documents are similar, too, if the cosine of their vectors is at least C, such as 0.9",
       .high = 1,
       .needs = "vectors",
       .why = "a cosine is one of vectors, and there are none"},
      settings.cosine);
  row({.name = "vector_search",
       .value = "exact|approximate",
       .group = kSimilar,
       .help =
           "how such pairs are found: exact compares every pair, in a time that grows with the square of the "
           "documents; approximate, for many, compares vectors that are near the same ones of a sample, and "
           "tells which share of the pairs it found. It takes 72 bytes of memory for each document",
       .needs = "cosine",
       .why = "an approximate search is one of vectors, and needs a cosine"},
      settings.vector_search);
  row({.name = "verify",
       .group = kSimilar,
       .help =
           "believe the method's own estimate and do not compare the texts; the pairs are then not proven",
       .flag = "--no-verify"},
      settings.verify);
  row({.name = "measure_recall",
       .group = kSimilar,
       .help =
           "do not measure recall on a sample (recall is the share of similar pairs that the run has found)",
       .flag = "--no-audit"},
      settings.measure_recall);
  row({.name = "keep",
       .value = "POLICY",
       .group = kStays,
       .help = "which document of a cluster stays: longest, first, newest:FIELD, max:FIELD or "
               "source:PATH,PATH.."},
      settings.keep);
}

void each_setting(SignSettings& settings, const SettingFn& each) {
  const Rows row(each);
  row({.name = "method",
       .group = kSimilar,
       .help = "the method that makes the signatures; leitong methods explains each",
       .words = signing_methods},
      settings.method);
  row({.name = "params",
       .value = "NAME=VALUE",
       .group = kSimilar,
       .help = "a parameter of the method; leitong methods lists them. May be repeated",
       .flag = "--param"},
      settings.params);
  word_rows(settings.params, settings.dictionaries, each);
}

void each_setting(DedupOutputs& outputs, const SettingFn& each) {
  const Rows row(each);
  row({.name = "kept",
       .value = "FILE",
       .group = kOutput,
       .help = "the kept records, unchanged and in the order of the input; with -o DIR/ a new folder that "
               "has one file for each input file. For folders of documents: a list of the kept paths, or "
               "with -o DIR/ a new folder of links to the kept files",
       .flag = "-o,--output"},
      outputs.kept);
  row({.name = "removed",
       .value = "FILE",
       .group = kOutput,
       .help = "JSONL, or Parquet or Arrow by the name: each removed document, the kept document that it "
               "is similar to, and the deciding measure and score"},
      outputs.removed);
  row({.name = "clusters",
       .value = "FILE",
       .group = kOutput,
       .help = "TSV, or Parquet or Arrow by the name: id and cluster. A cluster is a kept document with "
               "the documents that were removed for it"},
      outputs.clusters);
  row({.name = "components",
       .value = "FILE",
       .group = kOutput,
       .help = "TSV, or Parquet or Arrow by the name: id and component. A component is all documents that "
               "similar pairs join, directly or by a chain of pairs"},
      outputs.components);
  row({.name = "pairs",
       .value = "FILE",
       .group = kOutput,
       .help =
           "TSV, or Parquet or Arrow by the name: every similar pair with its scores, to be read by leitong "
           "cluster and leitong eval"},
      outputs.pairs);
  row({.name = "templates",
       .value = "FILE",
       .group = kOutput,
       .help =
           "TSV: the passages that count as templates, with the number of families and sites and an example. "
           "Templates are looked for only in documents of pairs that a template may decide"},
      outputs.templates);
  row({.name = "quarantine",
       .value = "FILE",
       .group = kOutput,
       .help = "JSONL: the records that could not be read, each with its place and the reason"},
      outputs.quarantine);
  row({.name = "report",
       .value = "FILE.html",
       .group = kOutput,
       .help = "one HTML page with the figures of the run and its evidence, both texts side by side. A "
               "reader can mark pairs as right or wrong and export the marks as gold labels"},
      outputs.report);
  row({.name = "write_index",
       .value = "DIR",
       .group = kOutput,
       .help = "a new folder with an online index of the kept documents, which leitong check and later "
               "runs ask"},
      outputs.index);
  row({.name = "null_separated",
       .group = kOutput,
       .help =
           "end each path in a list of kept files with a zero byte instead of a line feed, as find -print0 "
           "does",
       .flag = "--null"},
      outputs.null_separated);
  row({.name = "copy_files",
       .group = kOutput,
       .help = "with -o DIR/: copy the kept files instead of making hard links",
       .flag = "--copy"},
      outputs.copy_files);
  row({.name = "force",
       .group = kOutput,
       .help = "replace files that exist (a folder has to be new or empty)"},
      outputs.force);
}

void each_setting(DedupJob& job, const SettingFn& each) {
  const Rows row(each);
  each_setting(job.input, each);
  row({.name = "references",
       .value = "FILE",
       .group = kInput,
       .help =
           "documents that are never removed and never written; documents of the input that are similar to "
           "them are removed",
       .flag = "--reference"},
      job.input.reference_paths);
  row({.name = "reference_indexes",
       .value = "DIR",
       .group = kInput,
       .help =
           "an online index, in the folder DIR, whose texts are references, too: documents of the input that "
           "it has seen are removed. The index is only read",
       .flag = "--reference-index"},
      job.reference_indexes);
  each_setting(job.settings, each);
  row({.name = "site_field",
       .value = "FIELD",
       .group = kSimilar,
       .help = "where a record names its site (url, host or any other field): what many pages of one site "
               "hold is a template there, and what different sites share is a reprint"},
      job.site_field);
  row({.name = "vectors",
       .value = "FILE.npy|FIELD",
       .group = kSimilar,
       .help = "vectors (embeddings) of the documents, with a cosine: a NumPy file with one row for each "
               "record in the order of the input (references first), or the field of a record that holds "
               "an array of numbers",
       .needs = "cosine",
       .why = "vectors need a cosine from which on two documents are similar, such as 0.9"},
      job.vectors);
  each_setting(job.outputs, each);
  row({.name = "source_field",
       .value = "FIELD",
       .group = kOutput,
       .help = "the field that names a record's source (site, author, class), for the report's table of "
               "who copies whom",
       .unset = "the name of its file"},
      job.source_field);
  row({.name = "resume",
       .value = "DIR",
       .group = kResources,
       .help = "keep finished stages in this folder, which is made if it is missing. After a stop or a "
               "crash, run the same command again: it continues from the last finished stage and gives "
               "the same outputs. The folder is emptied when all outputs are written"},
      job.resume_folder);
}

void each_setting(ContextSettings& context, const SettingFn& each) {
  const Rows row(each);
  row({.name = "threads",
       .value = "N",
       .group = kResources,
       .help = "number of threads; the result is the same for any number",
       .unset = "0: one for each core",
       .high = 4096},
      context.threads);
  row({.name = "memory",
       .value = "SIZE",
       .group = kResources,
       .help = "use at most this much memory, such as 4G; what does not fit is kept in temporary files",
       .unset = "128M and 600 bytes for each document"},
      context.memory);
  row({.name = "work_folder",
       .value = "DIR",
       .group = kResources,
       .help = "folder for temporary files",
       .unset = "that of the system",
       .flag = "--work"},
      context.work_folder);
}

void each_setting(online::Settings& index, const SettingFn& each) {
  const Rows row(each);
  row({.name = "durability",
       .value = "sync|everysec|none",
       .help =
           "when additions count as done: when they are on the disk; within a second and a half; or when the "
           "system has them"},
      index.durability);
  row({.name = "postings_in_memory",
       .value = "N",
       .group = kResources,
       .help = "postings that an index keeps in memory before they become a file: 40 bytes each",
       .low = 1000,
       .high = 100'000'000},
      index.postings_in_memory);
  row({.name = "scheme",
       .value = "NAME",
       .group = kNewIndex,
       .help = "what texts are compared by: default, or a fingerprint, whose distance decides: simhash, "
               "p-simhash, e-simhash, ..",
       .unset = "default"},
      index.scheme);
  row({.name = "params",
       .value = "NAME=VALUE",
       .group = kNewIndex,
       .help = "a parameter of the scheme, such as distance=3",
       .flag = "--param"},
      index.params);
  word_rows(index.params, index.dictionaries, each);
  row({.name = "keep_texts",
       .group = kNewIndex,
       .help = "keep fingerprints and digests alone; texts cannot be shown or exported then",
       .flag = "--no-texts"},
      index.keep_texts);
}

void each_setting(online::FileDetails& details, const SettingFn& each) {
  const Rows row(each);
  row({.name = "source",
       .value = "NAME",
       .group = kAdded,
       .help = "where they come from, such as the name of a crawl: what is known of a source can be shown "
               "or removed at once"},
      details.source);
  row({.name = "source_field", .value = "FIELD", .group = kAdded, .help = "the source stands in this field"},
      details.source_field);
  row({.name = "time_field",
       .value = "FIELD",
       .group = kAdded,
       .help = "the date stands in this field: 2026-11-22T08:30:00Z, or seconds since 1970"},
      details.time_field);
  row({.name = "expires_field",
       .value = "FIELD",
       .group = kAdded,
       .help = "the time from which leitong index expire takes a document out stands in this field"},
      details.expires_field);
  row({.name = "keep_days",
       .value = "N",
       .group = kAdded,
       .help = "documents without such a time expire N days after their date, or after today",
       .high = 1e6},
      details.keep_days);
  row({.name = "fingerprint_field",
       .value = "FIELD",
       .group = kInput,
       .help =
           "records hold fingerprints in this field in place of texts, in the digits of leitong sign; for an "
           "index by their scheme. FILE.scheme beside a FILE has to name it"},
      details.fingerprint_field);
  row({.name = "quarantine",
       .value = "FILE",
       .group = kOutput,
       .help = "JSONL: the records that could not be read, each with its place and the reason"},
      details.quarantine);
  row({.name = "force", .group = kOutput, .help = "replace a quarantine FILE that exists"}, details.force);
}

void each_setting(online::Wanted& wanted, const SettingFn& each) {
  const Rows row(each);
  row({.name = "passages", .group = kOutput, .help = "say which passages a document shares with its match"},
      wanted.passages);
  row({.name = "matches",
       .value = "N",
       .group = kOutput,
       .help = "name up to N similar texts that stand for families, the match among them",
       .low = 1,
       .high = 8},
      wanted.matches);
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
  return all;
}

}  // namespace leitong
