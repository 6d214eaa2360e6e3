// Which source copies from which: the question that teachers and editors ask first.
const FEW_FLOWS = 8;
let allFlows = false;
const sourceName = (name) => (name === "" ? h("span", {class: "soft"}, t("source_none")) : words(name));

function sourcesSection() {
  const {flows, by, field, all} = data.sources;
  if (flows.length === 0) return null;
  const pairs = data.kind === 1;
  if (flows.length === 1 && flows[0][0] === flows[0][1] && flows[0][3] >= data.documents - data.reference)
    return section("sources", t("sources"), t("sources_title"), "", h("p", {class: "calm"}, say(by === 2 ? "sources_one_value" : "sources_one", {name: sourceName(flows[0][0]), field: words(field)})));
  const most = Math.max(...flows.map((flow) => flow[2]));
  const line = ([from, to, documents, of]) => {
    const piece = h("i");
    piece.style.width = (100 * documents) / most + "%";
    const known = rows.some((row) => (row.a.source === from && row.b.source === to) || (pairs && row.a.source === to && row.b.source === from));
    const cell = (label, kind, ...content) => h("td", {class: kind, "data-label": label}, h("span", {}, content));
    return h("tr", {},
      cell(t(pairs ? "source_a" : "source_from"), "", sourceName(from)),
      cell(t(pairs ? "source_b" : "source_to"), "", h("span", {"aria-hidden": "true", class: "soft"}, pairs ? "↔ " : "→ "), from === to ? [sourceName(to), h("span", {class: "soft"}, " (" + t("source_same") + ")")] : sourceName(to)),
      cell(t(pairs ? "source_pairs" : "source_documents"), "number", number(documents)),
      pairs ? null : cell(t("source_share"), "number", percent(documents, of)),
      h("td", {class: "bar-cell"}, h("span", {class: "track", "aria-hidden": "true"}, piece), known ? button(t("source_show"), "", () => showFlow(from, to), {class: "quiet"}) : null));
  };
  const body = h("tbody", {}, flows.slice(0, allFlows ? flows.length : FEW_FLOWS).map(line));
  const more = flows.length > FEW_FLOWS && !allFlows ? button(t("sources_all", {n: flows.length}), "", () => {
    allFlows = true;
    body.append(...flows.slice(FEW_FLOWS).map(line));
    more.remove();
  }) : null;
  return section("sources", t("sources"), t("sources_title"),
    [t(pairs ? "sources_about_pairs" : "sources_about"), " ", say("sources_by_" + by, {field: words(field)})],
    h("table", {class: "cards"}, h("thead", {}, h("tr", {}, [[pairs ? "source_a" : "source_from", ""], [pairs ? "source_b" : "source_to", ""],
      [pairs ? "source_pairs" : "source_documents", "number"], pairs ? null : ["source_share", "number"]].filter(Boolean)
      .map(([name, kind]) => h("th", {scope: "col", class: kind}, t(name))), h("td"))), body),
    more, all > flows.length ? h("p", {class: "soft"}, t("sources_more", {n: all - flows.length})) : null);
}
