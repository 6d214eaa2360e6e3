// "edit": the units or characters of the text, compared by their edit similarity, and the runs of these that
// a join needs.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/hash.hpp"
#include "leitong/utf8.hpp"
#include "scheme/edit_runs.hpp"
#include "scheme/scheme.hpp"
#include "similarity/edit.hpp"

namespace leitong {
namespace {

constexpr std::array kEditParams = {
    of_search(fraction_param("threshold", "0.8", 0.3, 1,
                             "least similarity, 1 - distance / symbols of the longer text")),
    word_param("symbols", "units", "units|characters",
               "what is inserted, deleted and replaced: units of comparison, or the text's characters as "
               "they stand")};

class Edit final : public Scheme {
 public:
  Edit(double threshold, bool by_character)
      : Scheme(by_character ? SchemeContent{} : content_of_units()),
        threshold_(threshold),
        q_(edit_run_length(threshold)),
        by_character_(by_character) {}

  struct Space final : Scratch {
    std::vector<Unit> characters;
    std::vector<Unit> padded;
    std::vector<std::uint32_t> runs;
  };
  [[nodiscard]] std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Space>(); }

  // Appends the number of symbols, the symbols, and the runs of q of them that the join needs. A text is
  // padded by q - 1 on either side, so that n symbols make n + q - 1 runs, of which one edit changes at most
  // q (Gravano et al. 2001, section 4.2). The i-th of equal runs is distinguished from the others by i, so
  // the runs form a set.
  void sketch(const DocumentView& document, Scratch& scratch,
              PodVector<std::uint64_t>& words) const override {
    auto& [characters, padded, runs] = static_cast<Space&>(scratch);
    if (by_character_) characters_of(document.text, characters);
    const std::span<const Unit> symbols = by_character_ ? std::span<const Unit>(characters) : document.units;
    if (symbols.empty()) return;
    constexpr Unit kPadding = 0x7FFFFFFEu;
    padded.assign(q_ - 1, kPadding);
    padded.insert(padded.end(), symbols.begin(), symbols.end());
    padded.insert(padded.end(), q_ - 1, kPadding);
    runs.clear();
    for (std::size_t i = 0; i + q_ <= padded.size(); ++i) {
      std::uint64_t hash = 0;
      for (std::size_t j = 0; j < q_; ++j) hash = mix64(hash ^ padded[i + j]);
      runs.push_back(static_cast<std::uint32_t>(hash));
    }
    std::sort(runs.begin(), runs.end());
    words.push_back(symbols.size());
    for (const Unit symbol : symbols) words.push_back(symbol);
    for (std::size_t i = 0, repeated = 0; i < runs.size(); ++i) {
      repeated = i > 0 && runs[i] == runs[i - 1] ? repeated + 1 : 0;
      words.push_back(repeated == 0 ? runs[i]
                                    : static_cast<std::uint32_t>(mix64(runs[i] + (repeated << 32))));
    }
  }

  [[nodiscard]] std::optional<Likeness> compare(const SketchView& a, const SketchView& b,
                                                const Rule&) const override {
    const auto text_of = [](const SketchView& sketch) {
      const auto units = sketch.words.subspan(1, sketch.words[0]);
      return std::vector<Unit>(units.begin(), units.end());
    };
    const double value = edit_similarity(text_of(a), text_of(b));
    return Likeness{value >= threshold_, value, {}};
  }

 private:
  static void characters_of(std::string_view utf8, std::vector<Unit>& characters) {
    characters.clear();
    for (std::size_t at = 0; at < utf8.size();) {
      const DecodedPoint point = decode_utf8(utf8, at);
      characters.push_back(point.code_point);
      at += point.length;
    }
  }

  double threshold_;
  std::size_t q_;
  bool by_character_;
};

/// The threshold affects sketches only through the length of the runs.
std::string edit_parameters(const Params& params) {
  return fmt::format("{} run={}", sketch_parameters(kEditParams, params),
                     edit_run_length(params.number("threshold")));
}

MadeScheme make_edit(const Params& params, SchemeResources&) {
  return std::make_unique<Edit>(params.number("threshold"), params.text("symbols") == "characters");
}

}  // namespace

SchemeInfo edit_scheme() {
  return {"edit",
          "the exact edit similarity, found by shared runs (slow)",
          "Levenshtein 1965; Gravano et al. 2001",
          kEditParams,
          "",
          kNeedsUnits,
          1,
          make_edit,
          edit_parameters};
}

}  // namespace leitong
