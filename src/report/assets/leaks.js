// The page of decontamination: the benchmarks, and each item beside the passage that holds it.
function benchmarksSection() {
  const columns = ["benchmark", "items", "leaked", "leaked_share", "doubtful", "leaking_documents", "too_short"];
  const shown = columns.filter((name) => name !== "too_short" || data.benchmarks.some((file) => file[2] > 0));
  const line = ([file, items, tooShort, leaked, doubtful, documents]) => {
    const values = {items: number(items), leaked: number(leaked), leaked_share: percent(leaked, items), doubtful: number(doubtful), leaking_documents: number(documents), too_short: number(tooShort)};
    return h("tr", {}, shown.map((name) => (name === "benchmark" ? h("th", {scope: "row"}, words(file)) : h("td", {class: "number", "data-label": t(name)}, h("span", {}, values[name])))));
  };
  return section("benchmarks", t("benchmarks"), t("benchmarks_title"), t("benchmarks_about"),
    h("table", {class: "cards"}, h("thead", {}, h("tr", {}, shown.map((name) => h("th", {scope: "col", class: name === "benchmark" ? "" : "number"}, t(name))))), h("tbody", {}, data.benchmarks.map(line))));
}

function leaksFigures() {
  return h("dl", {class: "figures"},
    figure(t("leaking"), number(data.leaking), t("leaking_of", {share: percent(data.leaking, data.documents)})),
    figure(t("hits"), number(data.hits), t("hits_note", {n: data.leaks})),
    data.removed > 0 ? figure(t("removed"), number(data.removed)) : null,
    data.cut > 0 ? figure(t("without_sentences"), number(data.cut)) : null);
}

const leakSide = ([id, place, , size, parts]) => ({id, place, parts, bytes: size, title: ""});
function leakPanel(leak) {
  const one = leakSide(leak.document), other = leakSide(leak.item), marks = differences(one.parts, other.parts);
  const facts = h("p", {class: "scores"}, h("b", {}, t(leak.leak === 1 ? "is_leak" : "is_doubt")), h("span", {}, t(leak.equal === 1 ? "leak_equal" : "leak_edited", {share: percent(leak.share, 1)})),
    leak.why === "" ? null : h("span", {}, words(t("why_" + leak.why.replace(/^\d+ /, ""), {n: Number.parseInt(leak.why, 10)}))),
    leak.answers.length === 0 ? null : h("span", {}, t("answers") + " ", ...leak.answers.flatMap((answer, i) => [i > 0 ? t("comma") : null, words(answer)])));
  return h("div", {class: "panel"}, facts, sideBySide([sidePanel(one, t("label_document"), marks), sidePanel(other, t("label_item"), marks)], passagesOf(one.parts, other.parts)));
}

function leaksSection() {
  if (data.shown.length === 0) return null;
  const hits = [...data.shown.filter((leak) => leak.leak === 1), ...data.shown.filter((leak) => leak.leak === 0)];
  const draw = (leak) => {
    const item = leakSide(leak.item), document = leakSide(leak.document);
    const summary = h("summary", {}, h("span", {class: "count"}, percent(leak.share, 1), h("small", {}, t(leak.leak === 1 ? "is_leak" : "is_doubt"))),
      h("span", {class: "head"}, ident(item.id), h("span", {class: "soft"}, " " + t("within") + " "), ident(document.id), " ", words(firstWords(item), "opening")));
    summary.dataset.row = "";
    return lazy(summary, () => leakPanel(leak));
  };
  const searched = (leak) => [leak.document, leak.item].map(([id, place, , , parts]) => id + "\n" + place + "\n" + parts.map((part) => (typeof part[1] === "string" ? part[1] : "\n")).join("")).join("\n");
  const both = data.shown.some((leak) => leak.leak === 1) && data.shown.some((leak) => leak.leak === 0);
  const choices = [["kind", t("filter_outcome"), both ? [["1", t("is_leak")], ["0", t("is_doubt")]] : [], (leak, value) => leak.leak === Number(value)],
    ["benchmark", t("benchmark"), data.benchmarks.map(([file], i) => [String(i), file]), (leak, value) => leak.benchmark === Number(value)]];
  const about = [data.shown.length >= data.hits ? t("hits_all", {n: data.hits}) : t("hits_some", {shown: data.shown.length, n: data.hits}), restIn()];
  return section("leaks", t("leaks"), t("leaks_title"), about, entryList(hits, searched, draw, choices));
}

function leaksPage() {
  const leaked = data.benchmarks.reduce((sum, file) => sum + file[3], 0), items = data.benchmarks.reduce((sum, file) => sum + file[1], 0);
  const documents = h("b", {}, t("documents", {n: data.documents})), all = t("items_of", {n: items});
  const headline = leaked === 0 ? say("lede_no_leaks", {documents, items: all})
    : say("lede_leaks", {documents, items: all, n: leaked, count: h("b", {class: "leave"}, number(leaked)), holding: number(data.leaking)});
  return [partsLede(headline, null), leaksFigures(), benchmarksSection(), leaksSection()];
}
