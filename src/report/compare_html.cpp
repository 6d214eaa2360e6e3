#include "report/render_compare.hpp"

#include <fmt/core.h>

#include <iterator>

#include "report/escape.hpp"
#include "report/marked_text.hpp"
#include "similarity/reason.hpp"

namespace leitong {
namespace {

constexpr std::size_t kColourClasses = 6;  // classes p0 .. p5 of the style sheet

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>leitong compare</title>
<style>
:root {
  --ground: #fff; --ink: #1d2226; --quiet: #687078; --line: #d9dde1; --panel: #f6f7f8; --focus: #b3261e;
  --p0: #cdeed6; --p1: #cfe5fa; --p2: #f3dcf3; --p3: #faecc2; --p4: #dcdffa; --p5: #fbdcd2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --ink: #e4e7ea; --quiet: #98a1a9; --line: #333a40; --panel: #1c2024; --focus: #ff8a80;
    --p0: #1f4a2c; --p1: #1b4263; --p2: #55305a; --p3: #554310; --p4: #363c78; --p5: #643021;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1rem; height: 100vh; display: flex; flex-direction: column; gap: .8rem;
  background: var(--ground); color: var(--ink);
  font: 15px/1.6 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif;
}
h1 { margin: 0; font-size: 1.05rem; }
h2 {
  margin: 0; padding: .5rem .8rem; font-size: .9rem; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere;
}
h2 span, dt, .more { color: var(--quiet); font-weight: normal; }
dl { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; margin: 0; }
dt { font-size: .8rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; font-weight: 600; }
main { flex: 1; min-height: 20rem; display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; }
section {
  display: flex; flex-direction: column; min-width: 0; min-height: 0;
  border: 1px solid var(--line); border-radius: 6px; background: var(--panel);
}
.text {
  flex: 1; overflow: auto; padding: .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext;
}
.text a {
  color: inherit; text-decoration: none; border-radius: 3px; padding: .05em .1em;
  unicode-bidi: isolate; scroll-margin: 30vh;
}
.text a:hover, .text a:focus-visible { outline: 1px solid var(--quiet); }
.text a:target { outline: 2px solid var(--focus); }
.text b { font-size: .68em; vertical-align: super; line-height: 0; margin-right: .2em; user-select: none; }
.p0 { background: var(--p0); } .p1 { background: var(--p1); } .p2 { background: var(--p2); }
.p3 { background: var(--p3); } .p4 { background: var(--p4); } .p5 { background: var(--p5); }
@media (max-width: 50rem) {
  body { height: auto; }
  main { grid-template-columns: 1fr; }
  .text { max-height: 70vh; }
}
@media print { body { height: auto; } .text { overflow: visible; max-height: none; } }
</style>
</head>
<body>
)";

template <class... Arguments>
void print(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

void append_figures(const CompareResult& result, std::span<const MethodVerdict> methods,
                    const CorpusVerdict* in_corpus, std::string& out) {
  print(out, "<header>\n<h1>{}</h1>\n", compare_verdict(result));
  if (in_corpus != nullptr) {
    print(out, "<p>{}: ", in_corpus->has_corpus ? "In the corpus" : "Without the base");
    append_html_escaped(in_corpus->reason, out);
    out += "</p>\n";
  }
  out += "<dl>\n";
  const auto figure = [&](std::string_view name, const std::string& value) {
    print(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
  };
  figure("Jaccard", fmt::format("{:.4f}", result.jaccard));
  figure("containment of A in B", fmt::format("{:.4f}", result.a.containment));
  figure("containment of B in A", fmt::format("{:.4f}", result.b.containment));
  figure("edit similarity", result.edit ? fmt::format("{:.4f}", *result.edit) : "not computed: too long");
  if (result.shingle_simhash_distance)
    figure("SimHash of the shingles", fmt::format("{} of 64 bits differ", *result.shingle_simhash_distance));
  figure("common shingles",
         fmt::format("{} of {} and {}", result.shared_shingles, result.a.shingles, result.b.shingles));
  figure(fmt::format("shared passages of {} and more units", least_passage(result)),
         fmt::format("{}", result.passages.size()));
  figure("in passages",
         fmt::format("{:.1f} % of A, {:.1f} % of B", 100 * result.a.coverage, 100 * result.b.coverage));
  figure("not in the other text",
         fmt::format("{} of A, {} of B", exact_percent(result.a.loss), exact_percent(result.b.loss)));
  if (!result.relation.empty()) figure("relation", std::string(result.relation));
  for (const MethodVerdict& verdict : methods) figure(verdict.method, method_verdict_text(verdict));
  out += "</dl>\n</header>\n";
}

/// The length of the shown part of a text, without a broken last character.
std::size_t shown_bytes(std::string_view text) {
  if (text.size() <= kShownBytes) return text.size();
  std::size_t at = kShownBytes - 4;
  while ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80 && at > kShownBytes - 8) --at;
  return at;
}

void append_side(const CompareResult& result, const NamedText& text, Side side, std::string& out) {
  const bool is_a = side == Side::a;
  const ComparedText& figures = is_a ? result.a : result.b;
  const char own = is_a ? 'a' : 'b', other = is_a ? 'b' : 'a';
  print(out, "<section aria-label=\"Text {0}\">\n<h2>{0} &nbsp;", is_a ? 'A' : 'B');
  append_html_escaped(text.name, out);
  print(out, " <span>&nbsp;{}, {}</span></h2>\n<div class=\"text\" tabindex=\"0\">",
        counted(figures.bytes, "byte"), counted(figures.units, "unit"));
  const std::size_t shown = shown_bytes(text.text);
  for (const MarkedStretch& stretch : marked_stretches(shown, result.passages, side)) {
    const std::string_view bytes = text.text.substr(stretch.bytes.begin, stretch.bytes.size());
    if (stretch.passage == 0) {
      append_html_escaped(bytes, out);
      continue;
    }
    print(out, "<a class=\"p{}\" id=\"{}{}\" href=\"#{}{}\"><b>{}</b>",
          (stretch.passage - 1) % kColourClasses, own, stretch.passage, other, stretch.passage,
          stretch.passage);
    append_html_escaped(bytes, out);
    out += "</a>";
  }
  if (shown < text.text.size())
    print(out, "<p class=\"more\">The remaining {} bytes aren't shown.</p>", text.text.size() - shown);
  out += "</div>\n</section>\n";
}

}  // namespace

std::string render_compare_html(const CompareResult& result, const NamedText& a, const NamedText& b,
                                std::span<const MethodVerdict> methods, const CorpusVerdict* in_corpus) {
  std::string out(kHead);
  append_figures(result, methods, in_corpus, out);
  out += "<main>\n";
  append_side(result, a, Side::a, out);
  append_side(result, b, Side::b, out);
  out += "</main>\n</body>\n</html>\n";
  return out;
}

}  // namespace leitong
