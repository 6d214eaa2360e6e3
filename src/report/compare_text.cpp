#include "report/render_compare.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "leitong/utf8.hpp"
#include "report/escape.hpp"
#include "report/marked_text.hpp"
#include "similarity/rule.hpp"

namespace leitong {
namespace {

// Colours that can be distinguished on light and dark backgrounds; neighbouring numbers differ.
constexpr std::array<std::string_view, 6> kColours = {"\x1b[32m", "\x1b[36m", "\x1b[35m",
                                                      "\x1b[33m", "\x1b[34m", "\x1b[31m"};
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kReset = "\x1b[0m";
constexpr std::size_t kShownDigits = 64;  // of a signature

/// The shown parts of a stretch: [0, head) and from tail_begin on. Nothing is hidden if it has at most
/// `whole` characters.
struct Ends {
  std::size_t head, tail_begin, hidden;
};

Ends ends_of(std::string_view stretch, std::size_t whole) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < stretch.size(); at += decode_utf8(stretch, at).length) starts.push_back(at);
  if (starts.size() <= whole) return {stretch.size(), stretch.size(), 0};
  const std::size_t end = whole / 2;
  return {starts[end], starts[starts.size() - end], starts.size() - 2 * end};
}

class Rendering {
 public:
  Rendering(const CompareResult& result, const CompareTextOptions& options)
      : result_(result), options_(options) {}

  void summary(const NamedText& a, const NamedText& b);
  void text(std::string_view letter, const NamedText& text, Side side);
  std::string take() { return std::move(out_); }

 private:
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }
  void colour(std::string_view sequence) {
    if (options_.colour) out_ += sequence;
  }
  void heading(std::string_view letter, std::string_view name);
  void stretch(std::string_view bytes);
  void signature(std::string_view letter, const std::optional<std::string>& digits,
                 const std::optional<std::string>& lacks);

  const CompareResult& result_;
  const CompareTextOptions& options_;
  std::string out_;
};

void Rendering::heading(std::string_view letter, std::string_view name) {
  colour(kBold);
  out_ += letter;
  out_ += "  ";
  append_terminal_safe(name, out_);
  colour(kReset);
}

void Rendering::summary(const NamedText& a, const NamedText& b) {
  const auto line = [&](std::string_view letter, std::string_view name, const ComparedText& text) {
    heading(letter, name);
    print("  ({}, {}, {})\n", counted(text.bytes, "byte"), counted(text.units, "unit"),
          counted(text.shingles, "distinct shingle"));
  };
  line("A", a.name, result_.a);
  line("B", b.name, result_.b);
  print("\n{}\n\n", compare_verdict(result_));
  print("jaccard      {:.4f}  {} common\n", result_.jaccard,
        result_.shared_shingles == 1 ? "1 shingle is"
                                     : fmt::format("{} shingles are", result_.shared_shingles));
  print("containment  {:.4f}  of A in B\n", result_.a.containment);
  print("             {:.4f}  of B in A\n", result_.b.containment);
  if (result_.edit) {
    print("edit         {:.4f}  over units\n", *result_.edit);
  } else {
    out_ += "edit         not computed: the texts are too long\n";
  }
  if (result_.shingle_simhash_distance)
    print(
        "simhash      {}  of 64 bits differ in the SimHash of the shingles (the method simhash signs "
        "words)\n",
        *result_.shingle_simhash_distance);
  print("loss         {:.4f}  of A is not in B\n", result_.a.loss);
  print("             {:.4f}  of B is not in A\n", result_.b.loss);
  if (!result_.relation.empty()) print("relation     {}\n", result_.relation);
  print("passages     {}  of {} and more units; they cover {:.1f} % of A, {:.1f} % of B\n",
        result_.passages.size(), least_passage(result_), 100 * result_.a.coverage, 100 * result_.b.coverage);
  if (options_.in_corpus != nullptr)
    print("\n{}: {}\n", place_of(*options_.in_corpus), options_.in_corpus->reason);
  for (const MethodVerdict& verdict : options_.methods) {
    print("\n{}: {}\n", verdict.method, method_verdict_text(verdict));
    signature("A", verdict.signature_a, verdict.lacks_a);
    signature("B", verdict.signature_b, verdict.lacks_b);
  }
}

void Rendering::signature(std::string_view letter, const std::optional<std::string>& digits,
                          const std::optional<std::string>& lacks) {
  if (lacks) print("  {}  lacks {}\n", letter, *lacks);
  if (!digits) return;
  const std::string_view shown = std::string_view(*digits).substr(0, kShownDigits);
  print("  {}  {}{}\n", letter, shown,
        shown.size() < digits->size() ? fmt::format(".. ({} digits)", digits->size()) : "");
}

void Rendering::stretch(std::string_view bytes) {
  const Ends ends = ends_of(bytes, options_.whole);
  append_terminal_safe(bytes.substr(0, ends.head), out_);
  if (ends.hidden == 0) return;
  print(" [.. {} characters ..] ", ends.hidden);
  append_terminal_safe(bytes.substr(ends.tail_begin), out_);
}

void Rendering::text(std::string_view letter, const NamedText& text, Side side) {
  out_ += '\n';
  heading(letter, text.name);
  out_ += '\n';
  for (const MarkedStretch& marked : marked_stretches(text.text.size(), result_.passages, side)) {
    const std::string_view bytes = text.text.substr(marked.bytes.begin, marked.bytes.size());
    if (marked.passage == 0) {
      colour(kDim);
      stretch(bytes);
    } else {
      colour(kColours[(marked.passage - 1) % kColours.size()]);
      print("[{}: ", marked.passage);
      stretch(bytes);
      out_ += ']';
    }
    colour(kReset);
  }
  if (out_.back() != '\n') out_ += '\n';
}

}  // namespace

std::string_view place_of(const CorpusVerdict& verdict) noexcept {
  return verdict.has_corpus ? "in the corpus" : "without the base";
}

std::string counted(std::size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::size_t least_passage(const CompareResult& result) noexcept {
  std::size_t least = result.passage_units;
  for (const Passage& passage : result.passages) least = std::min<std::size_t>(least, passage.units);
  return least;
}

std::string compare_verdict(const CompareResult& result) {
  if (result.similar_by == "identical")
    return "The same text, but perhaps for case, width, white space or traditional characters";
  if (result.similar_by == "copy" && result.folding.numbers == NumberUnits::masked)
    return result.other_signs
               ? "Copies: they differ in numbers, marks and signs only; some of these signs are text"
               : "Copies: they differ in numbers, marks and signs only, and in no sign that is text";
  if (result.similar_by == "copy")
    return result.other_signs ? "Copies: they differ in signs only, of which some are text"
                              : "Copies: they differ in marks and signs only, and in no sign that is text";
  if (result.similar_by == "jaccard") return "Similar: their Jaccard is high enough for the default rule";
  if (result.similar_by == "containment")
    return "Similar: most of the shorter text is in the longer one (containment by the default rule)";
  const Rule rule;
  const std::size_t n = std::min(result.a.shingles, result.b.shingles);
  if (std::max(result.a.containment, result.b.containment) < rule.containment)
    return "Not similar: Jaccard and containment are too low for the default rule";
  return fmt::format(
      "Not similar: Jaccard is too low for the default rule, and containment does not count {}",
      n < rule.containment_min ? fmt::format("below {} shingles", rule.containment_min)
                               : fmt::format("beside a text of more than {} shingles", rule.containment_max));
}

std::string method_verdict_text(const MethodVerdict& verdict) {
  std::string text =
      fmt::format("{}; {:.4f}", verdict.similar ? "similar" : "not similar", verdict.similarity);
  if (verdict.distance) text += fmt::format(", {} bits differ", *verdict.distance);
  return text;
}

std::string render_compare_text(const CompareResult& result, const NamedText& a, const NamedText& b,
                                const CompareTextOptions& options) {
  Rendering rendering(result, options);
  rendering.summary(a, b);
  rendering.text("A", a, Side::a);
  rendering.text("B", b, Side::b);
  return rendering.take();
}

}  // namespace leitong
