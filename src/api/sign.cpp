#include "leitong/sign.hpp"

#include "api/text_batches.hpp"
#include "base/try.hpp"
#include "job/sign.hpp"

namespace leitong {

struct Signer::Impl {
  TextSketcher sketcher;
};

Result<Signer> Signer::open(const Context& context, const SignSettings& settings) {
  const auto resources = resources_of(context, {settings.dictionaries});
  LEITONG_ASSIGN(TextSketcher sketcher,
                 open_signing(settings.method, settings.params, *resources, settings.folding));
  return Signer(std::make_shared<const Impl>(std::move(sketcher)));
}

const SchemeId& Signer::id() const noexcept { return impl_->sketcher.scheme().id(); }

unsigned Signer::fingerprint_bits() const noexcept { return impl_->sketcher.scheme().fingerprint_bits(); }

Result<Signatures> Signer::sign(const Context& context, std::span<const std::string_view> texts) const {
  struct Space {
    TextSketcher::Workspace sketcher;
    PodVector<std::uint64_t> words;
  };
  return for_chunks<Signatures>(
             context, texts,
             [&] {
               return Space{impl_->sketcher.new_workspace(), {}};
             },
             [&](const TextChunk& chunk, Space& space, Signatures& out) -> Result<void> {
               for (const std::string_view text : chunk.texts) {
                 space.words.clear();
                 impl_->sketcher.sketch(text, space.sketcher, space.words);
                 out.values.insert(out.values.end(), space.words.begin(), space.words.end());
                 end_list(out);
               }
               return {};
             })
      .map(joined<std::uint64_t>);
}

}  // namespace leitong
