#include "leitong/normalise.hpp"

#include <memory>
#include <optional>
#include <string>

#include "api/text_batches.hpp"
#include "base/try.hpp"
#include "text/normalise.hpp"
#include "text/phrase_simplifier.hpp"

namespace leitong {
namespace {

struct Space {
  std::optional<PhraseSimplifier> phrases;
  std::string simplified;
  PodVector<char> normal;
};

struct Part {
  Strings texts;
  std::size_t cut_short = 0, long_mark_runs = 0;
};

void add(std::string_view text, const Normaliser& normaliser, Space& space, Part& part) {
  // OpenCC ends texts at a NUL character.
  if (space.phrases && text.find('\0') == std::string_view::npos)
    if (Result<std::string> simplified = (*space.phrases)(text))
      text = space.simplified = std::move(*simplified);
  const NormaliseResult result = normaliser(text, space.normal);
  part.cut_short += result.read < text.size();
  part.long_mark_runs += result.cut_marks > 0;
  part.texts.bytes.append(space.normal.data(), space.normal.size());
  part.texts.offsets.push_back(static_cast<std::int64_t>(part.texts.bytes.size()));
}

}  // namespace

Result<NormalisedTexts> normalise(const Context& context, std::span<const std::string_view> texts,
                                  const NormaliseSettings& settings) {
  const Normaliser normaliser({.fold_case = settings.fold_case,
                               .drop_invisible = settings.drop_invisible,
                               .run_space_together = settings.run_space_together,
                               .punctuation = settings.punctuation,
                               .simplify = settings.simplify == Simplify::characters});
  const bool by_phrases = settings.simplify == Simplify::phrases;
  if (by_phrases) LEITONG_TRY(PhraseSimplifier::open());
  LEITONG_ASSIGN(const std::vector<Part> parts,
                 for_chunks<Part>(
                     context, texts,
                     [&] {
                       Space space;
                       if (by_phrases)
                         if (Result<PhraseSimplifier> opened = PhraseSimplifier::open())
                           space.phrases.emplace(std::move(*opened));
                       return space;
                     },
                     [&](const TextChunk& chunk, Space& space, Part& part) -> Result<void> {
                       for (const std::string_view text : chunk.texts) add(text, normaliser, space, part);
                       return {};
                     }));
  NormalisedTexts all;
  std::size_t bytes = 0;
  for (const Part& part : parts) bytes += part.texts.bytes.size();
  all.texts.bytes.reserve(bytes);
  all.texts.offsets.reserve(texts.size() + 1);
  for (const Part& part : parts) {
    const auto shift = static_cast<std::int64_t>(all.texts.bytes.size());
    all.texts.bytes += part.texts.bytes;
    for (std::size_t i = 1; i < part.texts.offsets.size(); ++i)
      all.texts.offsets.push_back(shift + part.texts.offsets[i]);
    all.cut_short += part.cut_short;
    all.long_mark_runs += part.long_mark_runs;
  }
  return all;
}

}  // namespace leitong
