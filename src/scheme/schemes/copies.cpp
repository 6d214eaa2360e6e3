// "copies": a digest of the text, which is equal for copies only.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "base/try.hpp"
#include "leitong/digest.hpp"
#include "scheme/scheme.hpp"
#include "text/normalise.hpp"

namespace leitong {
namespace {

constexpr std::array kCopiesParams = {
    word_param("text", "folded", "folded|normal|raw",
               "what the digest is made of: the folded units, the text as leitong normalise prints it, or "
               "the bytes of the text. dedup and pairs always compare the folded units"),
    word_param("digest", "xxh3", "xxh3|md5|sha256|blake2b|blake3", "the kind of digest")};

SchemeContent content_of(const Params& params) {
  if (params.text("text") == "raw") return {};
  return params.text("text") == "normal" ? SchemeContent{normal_table_id(), 0} : content_of_units();
}

class Copies final : public Scheme {
 public:
  explicit Copies(const Params& params)
      : Scheme(content_of(params)),
        kind_(params.choice("digest", digest_names(), &DigestName::kind)),
        raw_(params.text("text") == "raw"),
        normal_(params.text("text") == "normal") {}

  struct Space final : Scratch {
    PodVector<char> normal;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // Appends the digest; appends nothing for a text without units.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    if (document.units.empty()) return;
    PodVector<char>& normal = static_cast<Space&>(scratch).normal;
    std::string_view bytes(reinterpret_cast<const char*>(document.units.data()), document.units.size_bytes());
    if (raw_) bytes = document.text;
    if (normal_) {
      normaliser_(document.text, normal);
      bytes = {normal.data(), normal.size()};
    }
    const Result<std::string> digits =
        digest(kind_, bytes);  // make_copies() has checked that the digest exists
    for (const char* at = digits->data(); at != digits->data() + digits->size(); at += 16) {
      std::uint64_t word = 0;
      std::from_chars(at, at + 16, word, 16);
      words.push_back(word);
    }
  }

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b,
                                                const Rule&) const override {
    const bool equal = std::ranges::equal(a.words, b.words);
    return Likeness{equal, equal ? 1.0 : 0.0, {}};
  }

 private:
  DigestKind kind_;
  bool raw_, normal_;
  Normaliser normaliser_;
};

MadeScheme make_copies(const Params& params, SchemeResources&) {
  LEITONG_TRY(digest(params.choice("digest", digest_names(), &DigestName::kind), ""));
  return std::make_unique<Copies>(params);
}

}  // namespace

SchemeInfo copies_scheme() {
  return {"copies", "copies only: texts that are equal after folding",
          "",       kCopiesParams,
          "digest", kNeedsUnits,
          1,        make_copies};
}

}  // namespace leitong
