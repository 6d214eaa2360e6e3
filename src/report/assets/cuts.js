// The page of trimming: what was cut most often, and documents with their cuts struck through.
function cutsBar() {
  const parts = [["text_left", data.bytes - data.cut_bytes, "kept-fill"], ["text_cut", data.cut_bytes, "leave-fill"]].filter((part) => part[1] > 0);
  if (parts.length === 0) return null;
  const bar = h("div", {class: "share", "aria-hidden": "true"}, parts.map(([, value, kind]) => {
    const piece = h("i", {class: kind});
    piece.style.flexGrow = String(value / data.bytes);
    return piece;
  }));
  return [bar, h("ul", {class: "legend"}, parts.map(([name, value, kind]) => h("li", {}, h("i", {class: kind}), bytes(value) + " " + t(name) + ", " + percent(value, data.bytes))))];
}

function cutsFigures() {
  return h("dl", {class: "figures"},
    figure(t("cuts"), number(data.cuts), t("cuts_of", {n: data.parts})),
    figure(t("shorter"), number(data.changed), t("shorter_note")),
    figure(t("removed_short"), number(data.removed), t("removed_short_note")),
    figure(t("unchanged"), number(data.kept - data.changed)),
    figure(t("time"), duration(data.seconds), data.bytes > 0 && data.seconds > 0 ? (data.bytes / 1e6 / data.seconds).toPrecision(3) + " MB/s" : ""));
}

function mostCut() {
  if (data.repeated.length === 0) return null;
  const cell = (name, kind, ...content) => h("td", {class: kind, "data-label": t(name)}, h("span", {}, content));
  const line = (part) => {
    const sample = [...part.text].slice(0, 160).join("");
    const whole = sample === part.text && part.bytes === new TextEncoder().encode(part.text).length;
    const text = whole ? h("span", {class: "piece"}, words(part.text.trim()))
      : h("details", {class: "piece"}, h("summary", {}, words(sample.trim() + "…")), words(part.text.trim()),
        part.text.length < part.bytes && part.bytes > new TextEncoder().encode(part.text).length ? h("bdi", {class: "gap"}, t("left_out", {bytes: bytes(part.bytes - new TextEncoder().encode(part.text).length)})) : null);
    return h("tr", {}, cell("times", "number", number(part.times)), cell("in_documents", "number", number(part.documents)), cell("part_text", "", text,
      h("span", {class: "soft under"}, bytes(part.bytes), part.stays === "" ? " · " + t("stays_nowhere") : [" · ", ...say("stays_in", {place: words(part.stays)})],
        part.examples.length === 0 ? null : [" · ", t("cut_out_of") + " ", ...part.examples.flatMap((id, i) => [i > 0 ? t("comma") : null, ident(id)])])));
  };
  const body = h("tbody", {}, data.repeated.slice(0, PAGE_ROWS).map(line));
  const more = data.repeated.length > PAGE_ROWS ? button(t("sources_all", {n: data.repeated.length}), "", () => {
    body.append(...data.repeated.slice(PAGE_ROWS).map(line));
    more.remove();
  }, {class: "more"}) : null;
  return section("repeated", t("repeated"), t("repeated_title"), t("repeated_about"),
    h("table", {class: "cards pieces"}, h("thead", {}, h("tr", {}, ["times", "in_documents", "part_text"].map((name) => h("th", {scope: "col", class: name === "part_text" ? "" : "number"}, t(name))))), body), more);
}

// The text with its cuts struck through.
function cutText(entry) {
  const sample = entry.parts.map((part) => (typeof part[1] === "string" ? part[1] : "")).join("");
  const text = h("div", {class: "text", lang: languageOf(sample), dir: "auto", tabIndex: 0, role: "group", "aria-label": t("text_of", {label: entry.id})});
  for (const [cut, content] of entry.parts) {
    const nodes = typeof content === "number" ? [h("bdi", {class: "gap"}, t("left_out", {bytes: bytes(content)}))] : visible(content);
    if (cut === 0) fill(text, {}, nodes);
    else text.append(h("del", {class: "cut", title: entry.stays[cut - 1] === "" ? t("stays_nowhere") : t("stays_in", {place: plain(entry.stays[cut - 1])})}, nodes));
  }
  return text;
}

function cutDocuments() {
  if (data.shown.length === 0) return null;
  const all = data.changed + data.removed;
  const draw = (entry) => {
    const opening = entry.parts.filter((part) => part[0] === 0 && typeof part[1] === "string").map((part) => part[1]).join(" ").slice(0, 160);
    const summary = h("summary", {}, h("span", {class: "count"}, percent(entry.cut_bytes, entry.bytes), h("small", {}, t("cuts_in", {n: entry.cuts}))),
      h("span", {class: "head"}, ident(entry.id), entry.removed === 1 ? h("span", {class: "soft"}, " " + t("is_removed")) : null, " ", words(opening, "opening")));
    summary.dataset.row = "";
    return lazy(summary, () => h("div", {class: "panel"}, h("p", {class: "soft"}, words(entry.place), " · ", bytes(entry.bytes)), cutText(entry)));
  };
  const searched = (entry) => entry.id + "\n" + entry.place + "\n" + entry.parts.map((part) => (typeof part[1] === "string" ? part[1] : "\n")).join("");
  const about = [data.shown.length >= all ? t("cut_documents_all", {n: all}) : t("cut_documents_some", {shown: data.shown.length, n: all, largest: data.largest}), restIn()];
  const removed = data.shown.some((entry) => entry.removed === 1);
  return section("documents-cut", t("cut_documents"), t("cut_documents_title"), about,
    entryList(data.shown, searched, draw, removed ? [["fate", t("filter_outcome"), [["0", t("is_shorter")], ["1", t("removed")]], (entry, value) => entry.removed === Number(value)]] : []));
}

function cutsPage() {
  const documents = h("b", {}, t("documents", {n: data.documents})), changed = data.changed + data.removed;
  const headline = data.cuts === 0 ? say("lede_no_cuts", {documents})
    : say("lede_cuts", {documents, n: changed, count: h("b", {class: "leave"}, number(changed)), share: percent(data.cut_bytes, data.bytes)});
  return [partsLede(headline, cutsBar()), cutsFigures(), mostCut(), cutDocuments()];
}
