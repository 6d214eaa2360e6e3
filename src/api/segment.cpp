#include "leitong/segment.hpp"

#include <fmt/core.h>

#include <utility>

#include "api/text_batches.hpp"
#include "base/pool.hpp"
#include "base/try.hpp"
#include "feature/keywords.hpp"
#include "text/jieba_cutter.hpp"
#include "text/phrases.hpp"
#include "text/script_mix.hpp"
#include "text/segment/model_store.hpp"

namespace leitong {

namespace {

// Takes some hundred KB each, so it is kept for later batches, of which small ones would otherwise allocate
// it each time.
struct CutSpace {
  CutScratch cut;
  PodVector<std::uint32_t> starts;
  PodVector<Token> tokens;
};
struct KeywordSpace {
  KeywordScratch scratch;
  std::vector<Keyword> found;
};

}  // namespace

struct Segmenter::Impl {
  JiebaCutter cutter;
  KeywordExtractor keywords, keywords_of_all_scripts;
  std::shared_ptr<const Phrases> phrases;  // null: there are none
  mutable Pool<CutSpace> cut_spaces = {};
  mutable Pool<KeywordSpace> keyword_spaces = {};
};

namespace {

constexpr std::size_t kLongestText = UINT32_MAX;

Result<void> check_lengths(std::span<const std::string_view> texts) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i].size() > kLongestText)
      return fail(ErrorCode::limit, fmt::format("text {} has 4 GiB or more; cut it into parts", i));
  return {};
}

void cut(const JiebaCutter& cutter, const Phrases* phrases, std::string_view text,
         const SegmentSettings& settings, CutSpace& space, std::vector<Word>& words) {
  if (settings.mode == SegmentMode::mix) {
    space.starts.clear();
    cut_scripts(cutter, settings.all_scripts ? Scripts::all : Scripts::jieba, text, settings.hmm, space.cut,
                space.starts);
    if (phrases != nullptr) phrases->join(text, space.starts);
    space.starts.push_back(static_cast<std::uint32_t>(text.size()));
    for (std::size_t i = 0; i + 1 < space.starts.size(); ++i)
      words.push_back({space.starts[i], space.starts[i + 1]});
    return;
  }
  space.tokens.clear();
  if (settings.mode == SegmentMode::full)
    cutter.cut_full(text, space.cut, space.tokens);
  else
    cutter.cut_for_search(text, settings.hmm, space.cut, space.tokens);
  for (const Token& token : space.tokens) words.push_back({token.begin, token.end});
}

}  // namespace

Segmenter::Segmenter(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Result<Segmenter> Segmenter::open(const Context& context, const Dictionaries& dictionaries,
                                  const std::filesystem::path& phrases) {
  LEITONG_ASSIGN(const auto model, open_segment_model({dictionaries, context.settings().data_folder}));
  LEITONG_ASSIGN(KeywordExtractor keywords, KeywordExtractor::open(model));  // also compares the checksums
  LEITONG_ASSIGN(KeywordExtractor of_all_scripts, KeywordExtractor::open(model, Scripts::all));
  std::shared_ptr<const Phrases> read;
  if (!phrases.empty()) {
    LEITONG_ASSIGN(Phrases of_file, Phrases::read(phrases));
    read = std::make_shared<const Phrases>(std::move(of_file));
    keywords.use(read);
    of_all_scripts.use(read);
  }
  return Segmenter(std::shared_ptr<const Impl>(
      new Impl{JiebaCutter(model), std::move(keywords), std::move(of_all_scripts), std::move(read)}));
}

Result<Lists<Word>> Segmenter::segment(const Context& context, std::span<const std::string_view> texts,
                                       const SegmentSettings& settings) const {
  if (settings.all_scripts && settings.mode != SegmentMode::mix)
    return fail(
        ErrorCode::invalid_argument,
        "words of all scripts are one way through a text, and the modes full and search list several; "
        "choose the mode mix");
  if (impl_->phrases != nullptr && settings.mode != SegmentMode::mix)
    return fail(ErrorCode::invalid_argument,
                "a phrase joins words of one way through a text, and the modes full and search list several; "
                "choose the mode mix");
  LEITONG_TRY(check_lengths(texts));
  return for_chunks<Lists<Word>>(
             context, texts, [&] { return Pool<CutSpace>::Lease(impl_->cut_spaces); },
             [&](const TextChunk& chunk, const auto& space, Lists<Word>& out) -> Result<void> {
               for (const std::string_view text : chunk.texts) {
                 cut(impl_->cutter, impl_->phrases.get(), text, settings, *space, out.values);
                 end_list(out);
               }
               return {};
             })
      .map(joined<Word>);
}

Result<Lists<Keyword>> Segmenter::keywords(const Context& context, std::span<const std::string_view> texts,
                                           std::size_t count, bool all_scripts) const {
  LEITONG_TRY(check_lengths(texts));
  const KeywordExtractor& extractor = all_scripts ? impl_->keywords_of_all_scripts : impl_->keywords;
  return for_chunks<Lists<Keyword>>(
             context, texts, [&] { return Pool<KeywordSpace>::Lease(impl_->keyword_spaces); },
             [&](const TextChunk& chunk, const auto& lease, Lists<Keyword>& out) -> Result<void> {
               KeywordSpace& space = *lease;
               for (const std::string_view text : chunk.texts) {
                 extractor.extract(text, count, space.scratch, space.found);
                 out.values.insert(out.values.end(), space.found.begin(), space.found.end());
                 end_list(out);
               }
               return {};
             })
      .map(joined<Keyword>);
}

std::string_view Segmenter::tag(std::string_view word) const {
  const std::string_view of_phrase =
      impl_->phrases == nullptr ? std::string_view() : impl_->phrases->tag(word);
  return of_phrase.empty() ? impl_->cutter.tag(word) : of_phrase;
}

}  // namespace leitong
