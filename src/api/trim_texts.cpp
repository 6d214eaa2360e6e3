// Trimming of texts in memory (leitong/trim.hpp).
#include <utility>

#include "api/text_batches.hpp"
#include "base/try.hpp"
#include "corpus/memory_documents.hpp"
#include "io/run_context.hpp"
#include "job/repeated_parts.hpp"
#include "job/template_cuts.hpp"
#include "job/trimmed_documents.hpp"
#include "leitong/settings.hpp"
#include "leitong/trim.hpp"

namespace leitong {
namespace {

TrimmedText trimmed_text(const TrimmedDocument& document) {
  TrimmedText text{document.document, document.removed, {}};
  for (std::size_t i = 0; i < document.cuts.size(); ++i) {
    const Cut& cut = document.cuts[i];
    TextCut made{cut.bytes, cut.units, cut.documents, document.document, {}};
    if (cut.kept) {
      made.kept_text = cut.kept->document;
      made.kept_bytes = document.kept_parts[i].bytes;
    }
    text.cuts.push_back(made);
  }
  return text;
}

Result<std::vector<TrimmedText>> all_of(CutDocuments& documents) {
  std::vector<TrimmedText> all;
  for (;;) {
    LEITONG_ASSIGN(const TrimmedDocument* document, documents.next());
    if (document == nullptr) return all;
    if (document->removed || !document->cuts.empty()) all.push_back(trimmed_text(*document));
  }
}

Result<std::vector<TrimmedText>> trim(const Context& context, std::span<const std::string_view> texts,
                                      const TrimSettings& settings,
                                      std::span<const std::string_view> base_texts) {
  LEITONG_TRY(check_settings(settings));
  LEITONG_ASSIGN(const std::size_t least, least_units(settings));
  LEITONG_TRY(check_texts(texts));
  LEITONG_TRY(check_texts(base_texts));
  BaseParts base(settings.part, least);
  for (const std::string_view text : base_texts) base.add(text);
  base.finish();
  RunContext run(context);
  LEITONG_TRY(check_trim_memory(run));
  MemoryDocuments source(texts);
  if (settings.part == TextPart::template_text) {
    if (!base_texts.empty())
      return fail(ErrorCode::invalid_argument, "a base is text that is never cut; templates have none",
                  "base");
    LEITONG_ASSIGN(const PairResult templates, find_templates(source, nullptr, run));
    TemplateCuts documents(run, source, settings, *templates.marks, CutDocuments::Places::parts, {});
    return all_of(documents);
  }
  RepeatedParts parts(settings, least, base, nullptr, run);
  LEITONG_TRY(parts.read(source));
  LEITONG_TRY(parts.group(source));
  TrimmedDocuments documents(run, source, settings, least, parts.groups(), CutDocuments::Places::parts, {});
  return all_of(documents);
}

}  // namespace

Result<std::vector<TrimmedText>> trim_texts(const Context& context, std::span<const std::string_view> texts,
                                            const TrimSettings& settings,
                                            std::span<const std::string_view> base) {
  return on_threads(context, [&] { return trim(context, texts, settings, base); });
}

std::string without_cuts(std::string_view text, std::span<const TextCut> cuts) {
  std::string left;
  std::size_t at = 0;
  for (const TextCut& cut : cuts) {
    left += text.substr(at, cut.bytes.begin - at);
    at = cut.bytes.end;
  }
  return left += text.substr(at);
}

}  // namespace leitong
