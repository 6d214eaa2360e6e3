#include "job/resume.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/try.hpp"
#include "job/vectors.hpp"
#include "leitong/version.hpp"

namespace leitong {

Result<std::string> about_run(const DedupOptions& options, const SchemeId& scheme, std::uint64_t memory,
                              const Corpus& corpus) {
  std::string about;
  const auto line = [&](std::string_view name, const auto& value) {
    fmt::format_to(std::back_inserter(about), "{}\t{}\n", name, value);
  };
  const InputOptions& input = options.input;
  const Rule& rule = options.find.rule;
  line("version", library_info().version);
  line("scheme", scheme_text(scheme));
  line("method", options.find.method);
  line("parameters", fmt::format("{}", fmt::join(options.find.params, " ")));
  line("measure", rule.measure ? measure_name(*rule.measure) : "default rule");
  line("threshold", rule.threshold);
  line("least Jaccard of short texts", rule.jaccard_short);
  line("least Jaccard of long texts", rule.jaccard_long);
  line("least containment", rule.containment);
  line("units of a passage", rule.passage_units);
  line("rare text", rule.rare_text);
  line("units of a shingle", rule.shingle_units);
  line("verification", options.find.verify);
  line("template text", static_cast<int>(options.find.templates));
  line("field of the site", options.site_field);
  if (!options.vectors.empty()) {
    LEITONG_ASSIGN(const std::string vectors, about_vectors(options.vectors));
    line("vectors", vectors);
    line("least cosine", options.find.cosine);
    line("search of vectors", vector_search_name(options.find.vector_search));
  }
  line("measure of recall", options.find.audit);
  line("what is kept", to_string(options.keep));
  line("what may be lost", options.find.remove.loss);
  line("of it in long stretches", options.find.remove.run);
  line("losses of all pairs", !options.outputs.pairs.empty());
  line("memory", memory);
  line("kind", input.kind.empty() ? "by name or content" : input.kind);
  line("encoding", input.encoding.empty() ? "detected" : input.encoding);
  line("field of the id", input.id_field);
  line("fields of the text", fmt::format("{}", fmt::join(input.text_fields, ",")));
  line("part of HTML pages", input.html == HtmlPart::all ? "all" : "main");
  line("other fields", fmt::format("{}", fmt::join(input.extra_fields, ",")));
  line("largest record", input.max_record_bytes);
  line("strict", input.strict);
  LEITONG_ASSIGN(const std::string files, corpus.list_input());
  return about + files;
}

}  // namespace leitong
