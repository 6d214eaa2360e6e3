// The sections above and below the list.
function lede() {
  const total = data.kind === 3 ? data.trials.length : data.documents - (data.kind === 0 ? data.reference : 0);
  const count = [data.removed, data.pairs + data.copies, data.removed, data.trials.length][data.kind];
  const documents = h("b", {}, t("documents", {n: total}));
  const headline = count === 0 ? say("lede_none", {documents})
    : say(["lede_dedup", "lede_pairs", "lede_cluster", "lede_eval"][data.kind], {documents, n: count, count: h("b", {class: "leave"}, number(count))});
  const parts = [["kept", data.kept, "kept-fill"], ["removed", data.removed, "leave-fill"], ["quarantined", data.quarantined, "bad-fill"]]
    .filter((part) => part[1] > 0);
  const whole = parts.reduce((sum, part) => sum + part[1], 0);
  const bar = h("div", {class: "share", "aria-hidden": "true"}, parts.map(([, value, name]) => {
    const piece = h("i", {class: name});
    piece.style.flexGrow = String(value / whole);
    return piece;
  }));
  const legend = h("ul", {class: "legend"}, parts.map(([name, value, kind]) =>
    h("li", {}, h("i", {class: kind}), number(value) + " " + t(name) + ", " + percent(value, whole))));
  return h("div", {class: "lede", id: "overview"}, data.title === "" ? null : h("p", {class: "source"}, words(data.title)), h("h1", {}, headline), recordsRead(),
    decides && whole > 0 ? [bar, legend] : null, h("p", {class: "paper-note"}, t("paper", {pairs: PAPER_PAIRS, rows: PAGE_ROWS})));
}

// Records and documents differ in number if some records could not be read, or only serve as references.
function recordsRead() {
  if (data.kind > 1 || data.quarantined + data.reference === 0) return null;
  const parts = [["read_quarantined", data.quarantined], ["read_reference", data.reference]].filter(([, n]) => n > 0).map(([name, n]) => t(name, {n}));
  return h("p", {class: "soft"}, t("records_read", {n: data.records, parts: parts.join(t("comma"))}));
}

function figures() {
  if (data.kind === 3) return null;
  const figure = (name, value, note) =>
    h("div", {class: "figure"}, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : null));
  const recall = data.recall;
  return h("dl", {class: "figures"},
    data.kind === 1 ? null : figure(t("clusters"), number(data.clusters), t("clusters_note")),
    ...lossFigures(figure),
    figure(t(data.rule.verified ? "pairs" : "pairs_estimated"), number(data.pairs), t("copies_note", {n: data.copies})),
    data.kind === 2 ? null : recall && recall.pairs > 0
      ? figure(t("recall"), recall.pairs < FEW_PAIRS ? number(recall.direct) + " / " + number(recall.pairs) : share(recall.direct, recall.pairs),
        t("recall_of", {direct: recall.direct, n: recall.pairs, documents: t("documents", {n: recall.sampled_documents})}) +
          (recall.direct < recall.pairs && data.kind === 0 ? t("recall_stay", {n: recall.both_stay}) : "") +
          (data.rule.cosine > 0 ? t("recall_by_texts") : ""))
      : figure(t("recall"), t("not_measured"), t(!recall ? "no_sample" : data.rule.cosine > 0 ? "no_pair_sampled_by_texts" : "no_pair_sampled")),
    data.kind === 2 ? null : data.kept_bytes > 0 ? figure(t("kept_bytes"), bytes(data.kept_bytes), t("of_read", {bytes: bytes(data.bytes)})) : figure(t("read_bytes"), bytes(data.bytes)),
    data.seconds > 0 ? figure(t("time"), duration(data.seconds), data.bytes > 0 ? (data.bytes / 1e6 / data.seconds).toPrecision(3) + " MB/s" : "") : null,
    data.peak_memory > 0 ? figure(t("memory"), bytes(data.peak_memory)) : null);
}

function trialsSection() {
  if (data.trials.length === 0) return null;
  const names = [...new Set(data.trials.flatMap((trial) => [...trial.figures, ...trial.counts].map(([name]) => name)))];
  const value = (trial, name) => {
    const figure = trial.figures.find((entry) => entry[0] === name), count = trial.counts.find((entry) => entry[0] === name);
    return figure ? figure[1].toFixed(4) : count ? number(count[1]) : "";
  };
  return section("figures", t("figures"), t("figures_title"), "", h("div", {class: "scroll"}, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {scope: "col"}, t("result")), data.trials.map((trial) => h("th", {scope: "col", class: "number"}, words(trial.name))))),
    h("tbody", {}, names.map((name) => h("tr", {}, h("th", {scope: "row", lang: "en"}, words(name)), data.trials.map((trial) => h("td", {class: "number"}, value(trial, name)))))))));
}

function attention() {
  const items = data.warnings.map(({code, details, examples}) => {
    const values = {...details, n: Number(details.count ?? 0)};
    return h("div", {class: "warning"}, h("p", {}, h("b", {}, words(t("warn_" + code, values)))),
      Object.hasOwn(WORDS, "warn_" + code + "_note") ? h("p", {}, words(t("warn_" + code + "_note", values))) : null,
      examples.length === 0 ? null : h("ul", {}, examples.map((example) => h("li", {}, words(example)))));
  });
  if (data.quarantine_reasons.length > 0) items.push(unreadableNode());
  if (items.length === 0) {
    if (data.kind === 3) return null;
    items.push(h("p", {class: "calm"}, t("attention_none")));
  }
  return section("attention", t("attention"), t("attention_title"), "", items);
}

function unreadableNode() {
  return h("div", {class: "warning"}, h("p", {}, h("b", {}, t("unreadable", {n: data.quarantined}))), h("p", {}, t("unreadable_note")),
    h("ul", {}, data.quarantine_reasons.map(([reason, count]) => h("li", {}, number(count) + " × ", reason === "*" ? t("other_reasons") : words(reason)))));
}
// The section of a page that has no other warnings.
function unreadable() {
  return data.quarantine_reasons.length === 0 ? null : section("attention", t("attention"), t("attention_title"), "", unreadableNode());
}

// A <details> element whose content is made when it is first opened.
function lazy(summary, content) {
  summary.append(h("span", {class: "fold", "aria-hidden": "true"}));
  const node = h("details", {}, summary);
  const complete = () => { if (node.childElementCount === 1) node.append(content()); };
  node.addEventListener("toggle", () => { if (node.open) complete(); });
  unfold.set(node, () => { complete(); node.open = true; });
  return node;
}
const unfold = new Map();

// A row that unfolds, with a figure and the first words of its text.
function rowEntry(row, figure, name) {
  const opening = row.a.parts.map((part) => (typeof part[1] === "string" ? part[1] : "")).join("").slice(0, 160);
  const summary = h("summary", {}, h("span", {class: "count"}, figure, h("small", {}, name)),
    h("span", {class: "head"}, ident(row.a.id), h("span", {class: "soft"}, " " + t("and") + " "), ident(row.b.id), " ", words(row.a.title || opening, "opening")));
  summary.dataset.row = row.index;
  return lazy(summary, () => pairPanel(row));
}

function borderline() {
  const entry = (row) => rowEntry(row, decimals(row.score), measureName(row.measure));
  const sorted = (outcome) => rows.filter((row) => row.borderline && (row.outcome === NEAR_MISS) === outcome).sort((x, y) => overRule(x) - overRule(y));
  const found = sorted(false).map(entry), kept = sorted(true).reverse().map(entry);
  if (found.length + kept.length === 0) return null;
  if (found.length > 0) unfold.get(found[0])();
  return section("borderline", t("borderline"), t("borderline_title"), [t("borderline_about"), data.by_losses === 1 ? " " + t("borderline_lost") : ""],
    found.length === 0 ? null : [h("h3", {}, t(data.kind === 0 ? "least_removed" : "least_similar")), h("div", {}, found)],
    kept.length === 0 ? null : [h("h3", {}, t("most_kept")), h("div", {}, kept)]);
}

function ruleWords() {
  const {cosine} = data.rule;
  return cosine > 0 ? t("rule_or_cosine", {rule: ruleOfTexts(), cosine: decimals(cosine)}) : ruleOfTexts();
}

function ruleOfTexts() {
  const {verified, measure, threshold} = data.rule;
  if (!verified) return t("rule_estimate");
  if (measure >= 0) return t("rule_one", {measure: measureName(measure), threshold: decimals(threshold)});
  return t("rule_default", {short: decimals(data.rule.jaccard_short), long: decimals(data.rule.jaccard_long), containment: decimals(data.rule.containment), min: data.rule.containment_min});
}

function runSection() {
  const settings = data.settings.map(([name, value]) => [t("setting_" + name), value === "*" ? t(name === "threads" ? "value_threads_*" : "value_strict_*") : words(value)]);
  if (data.kind < 2) settings.push([t("setting_similar"), ruleWords()]);
  const facts = h("table", {class: "settings"}, h("tbody", {}, settings.map(([name, value]) => h("tr", {}, h("th", {scope: "row"}, words(name)), h("td", {}, value)))));
  const timed = data.stages ?? [], longest = Math.max(...timed.map((stage) => stage[1]));
  const stages = h("table", {class: "stages"}, h("tbody", {}, timed.map(([name, seconds]) => {
    const piece = h("i");
    piece.style.width = (longest > 0 ? (100 * seconds) / longest : 0) + "%";
    return h("tr", {}, h("th", {scope: "row"}, words(t("stage_" + name))), h("td", {class: "number"}, duration(seconds)),
      h("td", {"aria-hidden": "true"}, h("span", {class: "track"}, piece)));
  })));
  return section("run", t("run"), t("run_title"), "", h("div", {class: "columns"}, h("div", {}, h("h3", {}, t("settings")), facts),
    timed.length === 0 ? null : h("div", {}, h("h3", {}, t("stages")), stages)));
}
