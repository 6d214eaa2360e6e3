"use strict";
// Draws the page from the data block. Whatever comes from documents reaches the page through text nodes and nothing else.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const MEASURES = ["Jaccard", "containment", "edit similarity", "identical", "estimate"];
  const PAGE_ROWS = 25;
  const FEW_PAIRS = 100;  // of fewer a percentage would promise too much

  // --- building blocks ---------------------------------------------------------------------------------------------------

  const isAttribute = (name) => name.includes("-") || ["role", "lang", "href", "scope", "viewBox", "for"].includes(name);

  // h("p", {class: "soft"}, "text", node): strings become text nodes.
  function h(tag, properties, ...children) {
    return fill(document.createElement(tag), properties, children);
  }
  function svg(tag, properties, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(properties ?? {})) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }
  function fill(node, properties, children) {
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (name === "class") node.className = value;
      else if (isAttribute(name)) node.setAttribute(name, value);
      else node[name] = value;
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }

  const number = (value) => value.toLocaleString("en-US");
  const score = (value) => value.toFixed(3).replace(/^0/, "");
  const counted = (value, one, many = one + "s") => number(value) + " " + (value === 1 ? one : many);
  const percent = (part, whole) => {
    if (whole === 0) return "0 %";
    const value = (100 * part) / whole;
    if (part > 0 && value < 0.1) return "under 0.1 %";
    return value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, "") + " %";
  };
  // Rounded down, so that only all is 100 %.
  const share = (part, whole) => (part === whole ? "100 %" : (Math.floor((10000 * part) / whole) / 100).toFixed(2) + " %");
  function bytes(value) {
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    let unit = 0;
    for (; value >= 1000 && unit < 4; ++unit) value /= 1000;
    return (unit === 0 ? value : value.toPrecision(3)) + " " + units[unit];
  }
  function duration(seconds) {
    if (seconds < 0.1) return Math.round(seconds * 1000) + " ms";
    if (seconds < 120) return seconds.toPrecision(3) + " s";
    if (seconds < 7200) return (seconds / 60).toFixed(1) + " min";
    return (seconds / 3600).toFixed(1) + " h";
  }

  // The language decides which glyphs a unified ideograph takes, and how a screen reader speaks.
  function language(text) {
    if (/[\u3040-\u30ff]/.test(text)) return "ja";
    if (/[\uac00-\ud7af]/.test(text)) return "ko";
    if (/[\u3400-\u9fff\uf900-\ufaff]/.test(text)) return "zh";
    return "";  // unknown
  }

  // Characters that act instead of being seen (direction overrides, controls, zero widths) are shown by number, so
  // that a text can't disguise itself. Joiners stay: scripts and emoji need them.
  const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/;
  function visible(text) {
    return text.replace(/\r\n?/g, "\n").split(new RegExp("(" + ACTS.source + ")")).filter((part) => part !== "").map((part) => {
      if (!ACTS.test(part)) return document.createTextNode(part);
      const code = part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      return h("span", {class: "acts", title: "the invisible character U+" + code}, "U+" + code);
    });
  }
  const words = (text, className) => h("bdi", {class: className ?? "", lang: language(text)}, visible(text));
  const ident = (text) => words(text, "id");

  // --- overview ----------------------------------------------------------------------------------------------------------

  function lede() {
    const parts = [
      ["kept", data.kept, "kept-fill"],
      ["removed", data.removed, "leave-fill"],
      ["quarantined", data.quarantined, "bad-fill"],
    ].filter((part) => part[1] > 0);
    const bar = h("div", {class: "share", "aria-hidden": "true"}, parts.map(([, count, fillName]) => {
      const piece = h("i", {class: fillName});
      piece.style.flexGrow = String(count / data.records);
      return piece;
    }));
    const legend = h("ul", {class: "legend"}, parts.map(([name, count, fillName]) =>
      h("li", {}, h("i", {class: fillName}), number(count) + " " + name + ", " + percent(count, data.records))));
    const headline = data.removed === 0
      ? ["No near-duplicates among ", h("b", {}, counted(data.records, "document")), "."]
      : ["Of ", h("b", {}, counted(data.records, "document")), ", ", h("b", {class: "leave"}, number(data.removed)),
        data.removed === 1 ? " was a near-duplicate of another." : " were near-duplicates of others."];
    return h("div", {class: "lede", id: "overview"},
      data.title === "" ? null : h("p", {class: "source"}, words(data.title)), h("h1", {}, headline), bar, legend);
  }

  function figures() {
    const figure = (name, value, note) =>
      h("div", {class: "figure"}, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : null));
    const recall = data.recall;
    return h("dl", {class: "figures"},
      figure("Clusters", number(data.clusters), "a kept document and those that left for it"),
      figure("Verified pairs", number(data.pairs), number(data.exact_copies) + " exact copies besides"),
      recall && recall.pairs > 0
        ? figure("Recall, measured", recall.pairs < FEW_PAIRS ? number(recall.direct) + " of " + number(recall.pairs) : share(recall.direct, recall.pairs),
          (recall.pairs < FEW_PAIRS ? "pairs" : number(recall.direct) + " of " + counted(recall.pairs, "pair")) + " of " +
            counted(recall.sampled_documents, "sampled document") +
            (recall.direct < recall.pairs ? "; of the missed both texts stay in " + number(recall.both_stay) : ""))
        : figure("Recall", "not measured", recall ? "the sample held no similar pair" : "no sample was taken"),
      data.kept_bytes > 0 ? figure("Kept", bytes(data.kept_bytes), "of " + bytes(data.bytes) + " read") : figure("Read", bytes(data.bytes)),
      figure("Time", duration(data.seconds), data.seconds > 0 ? (data.bytes / 1e6 / data.seconds).toPrecision(3) + " MB/s" : ""),
      figure("Peak memory", bytes(data.peak_memory)));
  }

  // --- warnings ----------------------------------------------------------------------------------------------------------

  function attention() {
    const items = data.warnings.map((warning) => h("div", {class: "warning"},
      h("p", {}, h("b", {}, words(warning.title))),
      warning.explanation === "" ? null : h("p", {}, words(warning.explanation)),
      warning.examples.length === 0 ? null : h("ul", {}, warning.examples.map((example) => h("li", {}, words(example))))));
    if (data.quarantine_reasons.length > 0) {
      items.push(h("div", {class: "warning"},
        h("p", {}, h("b", {}, counted(data.quarantined, "record") + " could not be read as " +
          (data.quarantined === 1 ? "a document" : "documents"))),
        h("p", {}, "They are in neither output; the rest of the run is not affected."),
        h("ul", {}, data.quarantine_reasons.map(([reason, count]) => h("li", {}, number(count) + " × ", words(reason))))));
    }
    if (items.length === 0) items.push(h("p", {class: "calm"}, "Nothing: every record was read, and no number of this run asks for a second look."));
    return section("attention", "Attention", "Worth your attention", "", items);
  }

  // --- charts ------------------------------------------------------------------------------------------------------------

  // Counts span orders of magnitude and the small ones, at the threshold, matter most: the height is logarithmic.
  function chart(bars, label) {
    const width = 520, height = 190, left = 44, bottom = 24, top = 10;
    const most = Math.max(1, ...bars.map((bar) => bar.count));
    const decades = Math.max(1, Math.ceil(Math.log10(most + 1)));
    const y = (count) => top + (height - bottom - top) * (1 - Math.log10(count + 1) / decades);
    const step = (width - left) / bars.length;
    const picture = svg("svg", {class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label});
    for (let power = 0; power <= decades; ++power) {
      const value = power === 0 ? 0 : 10 ** power;
      const at = y(value === 0 ? 0 : value - 1 + 1e-9);
      picture.append(svg("line", {class: "grid", x1: left, x2: width, y1: at, y2: at}),
        svg("text", {x: left - 8, y: at + 4, "text-anchor": "end"}, value >= 1e6 ? value / 1e6 + "M" : value >= 1e4 ? value / 1e3 + "k" : number(value)));
    }
    bars.forEach((bar, index) => {
      const x = left + index * step;
      const group = svg("g", {});
      group.append(svg("title", {}, bar.name + ": " + number(bar.count)));
      if (bar.count > 0) group.append(svg("rect", {class: bar.kind, x: x + 1, y: y(bar.count), width: Math.max(1, step - 2), height: height - bottom - y(bar.count)}));
      group.append(svg("rect", {x, y: top, width: step, height: height - bottom - top, fill: "transparent"}));
      picture.append(group);
      if (bar.tick) picture.append(svg("text", {x: bar.middle ? x + step / 2 : x, y: height - 7, "text-anchor": "middle"}, bar.tick));
    });
    return {picture, position: (index) => left + index * step, top, floor: height - bottom};
  }

  function histogram(entry) {
    const from = entry.thresholds.length > 0 ? Math.min(...entry.thresholds) : 0;
    const bars = entry.bins.map((count, index) => ({
      count,
      name: index === 20 ? "exactly 1" : score(index / 20) + " to " + score((index + 1) / 20),
      kind: (index + 1) / 20 > from + 1e-6 ? "bar-above" : "bar-below",
      tick: index === 20 ? "1" : index % 4 === 0 ? (index / 20).toFixed(1).replace(/^0(?=\.)/, "").replace(/^\.0$/, "0") : "",
      middle: index === 20,
    }));
    const total = entry.bins.reduce((sum, count) => sum + count, 0);
    const drawn = chart(bars, entry.name + " of " + counted(total, "pair"));
    for (const threshold of entry.thresholds) {
      const x = drawn.position(threshold * 20);
      drawn.picture.append(svg("line", {class: "threshold", x1: x, x2: x, y1: drawn.top - 6, y2: drawn.floor}));
    }
    return h("figure", {}, h("figcaption", {}, entry.name, h("span", {}, " of " + counted(total, "verified pair"))), drawn.picture,
      numbers(["From", "Pairs"], bars.filter((bar) => bar.count > 0).map((bar) => [bar.name, number(bar.count)])));
  }

  function sizes() {
    const bars = data.cluster_sizes.map(([from, to, count]) => {
      const name = from === to ? number(from) : number(from) + "–" + number(to);
      return {count, name: name + " documents", tick: name, middle: true, kind: "bar-above"};
    });
    return h("figure", {}, h("figcaption", {}, "Cluster sizes", h("span", {}, " of " + counted(data.clusters, "cluster"))),
      chart(bars, "How many clusters have how many documents").picture,
      numbers(["Size", "Clusters"], bars.map((bar) => [bar.name, number(bar.count)])));
  }

  // A chart's values for those who can't see it.
  function numbers(head, rows) {
    return h("table", {class: "visually-hidden"},
      h("thead", {}, h("tr", {}, head.map((text) => h("th", {scope: "col"}, text)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((text) => h("td", {}, text))))));
  }

  function scores() {
    const charts = data.histograms.filter((entry) => entry.bins.some((count) => count > 0)).map(histogram);
    if (data.cluster_sizes.length > 0) charts.push(sizes());
    if (charts.length === 0) return null;
    return section("scores", "Scores", "Scores and sizes",
      "Heights are logarithmic; the last bar is exactly 1. Dashed: where the rule begins to call two documents similar. A pair may lie left of one line because the other measure decided.",
      h("div", {class: "columns"}, charts));
  }

  // --- clusters ----------------------------------------------------------------------------------------------------------

  function clusters() {
    const all = data.largest_clusters;
    if (all.length === 0) return null;
    const largest = Math.max(...all.map((cluster) => cluster.size));
    const items = all.map((cluster) => {
      const fillBar = h("i");
      fillBar.style.width = (100 * cluster.size) / largest + "%";
      const left = cluster.size - 1;
      return lazy(h("summary", {},
        h("span", {class: "count"}, number(cluster.size)),
        h("span", {class: "head"}, ident(cluster.id), " ", words(cluster.opening, "opening"),
          h("span", {class: "track", "aria-hidden": "true"}, fillBar))),
      () => h("div", {class: "panel"},
        h("p", {class: "soft"}, "Kept: ", words(cluster.place), ". ",
          cluster.members.length < left ? `${number(cluster.members.length)} of the ${number(left)} that left for it are shown, the least similar ones.`
            : counted(left, "document") + " left for it."),
        h("p", {class: "text"}, words(cluster.opening)),
        table(["Document", "Place", "Measure", "Score", "First words"], cluster.members.map(([id, place, measure, value, opening]) =>
          [ident(id), words(place), MEASURES[measure], score(value), words(opening)]), [3])));
    });
    return section("clusters", "Clusters", all.length < data.clusters ? `The ${all.length} largest clusters` : "The clusters",
      `A cluster is a kept document and those that left for it, each directly similar to it. There are ${number(data.clusters)}.`, items);
  }

  function table(head, rows, numeric) {
    return h("table", {class: "cards"},
      h("thead", {}, h("tr", {}, head.map((text, column) => h("th", {scope: "col", class: numeric.includes(column) ? "number" : ""}, text)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, column) =>
        h("td", {class: numeric.includes(column) ? "number" : "", "data-label": head[column]}, h("span", {}, cell)))))));
  }

  // A <details> whose content is made when it is first opened.
  function lazy(summary, content) {
    summary.append(h("span", {class: "fold", "aria-hidden": "true"}));
    const node = h("details", {}, summary);
    const complete = () => { if (node.childElementCount === 1) node.append(content()); };
    node.addEventListener("toggle", () => { if (node.open) complete(); });
    unfold.set(node, () => { complete(); node.open = true; });
    return node;
  }
  const unfold = new Map();

  // --- pairs side by side ------------------------------------------------------------------------------------------------

  function side(document_, label) {
    const text = h("div", {class: "text", lang: language(document_.parts.map((part) => (typeof part[1] === "string" ? part[1] : "")).join("")), tabIndex: 0,
      role: "group", "aria-label": label + ": text"});
    const seen = new Set();
    for (const [passage, content] of document_.parts) {
      const nodes = typeof content === "number"
        ? [h("span", {class: "gap"}, "… " + bytes(content) + " …")] : visible(content);
      if (passage === 0) {
        text.append(...nodes);
        continue;
      }
      const mark = h("mark", {class: "p" + ((passage - 1) % 6 + 1)});
      mark.dataset.passage = passage;
      if (!seen.has(passage)) {
        seen.add(passage);
        mark.append(h("button", {type: "button", "aria-label": "Shared passage " + passage + ": show it in the other text"}, String(passage)));
      }
      mark.append(...nodes);
      text.append(mark);
    }
    return h("div", {class: "side"},
      h("header", {}, h("span", {class: "soft"}, label), ident(document_.id),
        h("span", {class: "soft"}, words(document_.place), " · ", bytes(document_.bytes))), text);
  }

  function pairPanel(pair, labels) {
    const sides = [side(pair.a, labels[0]), side(pair.b, labels[1])];
    const box = h("div", {class: "pair"}, sides);
    const marks = (passage) => box.querySelectorAll(`mark[data-passage="${Number(passage)}"]`);
    const light = (event, on) => {
      const mark = event.target.closest("mark");
      if (mark) marks(mark.dataset.passage).forEach((other) => other.classList.toggle("on", on));
    };
    box.addEventListener("mouseover", (event) => light(event, true));
    box.addEventListener("mouseout", (event) => light(event, false));
    box.addEventListener("focusin", (event) => light(event, true));
    box.addEventListener("focusout", (event) => light(event, false));
    box.addEventListener("click", (event) => {
      const button = event.target.closest("mark button");
      if (!button) return;
      const other = sides[sides[0].contains(button) ? 1 : 0];
      const target = other.querySelector(`mark[data-passage="${Number(button.closest("mark").dataset.passage)}"] button`);
      if (target) {
        target.focus({preventScroll: true});
        target.scrollIntoView({block: "nearest"});
      }
    });
    const passages = new Set([...pair.a.parts, ...pair.b.parts].map((part) => part[0]).filter((passage) => passage > 0)).size;
    return h("div", {class: "panel"},
      h("p", {class: "scores"},
        h("span", {}, "Jaccard ", h("b", {}, score(pair.jaccard))), h("span", {}, "containment ", h("b", {}, score(pair.containment))),
        h("span", {}, counted(passages, "shared passage")), pair.outcome === "" ? null : h("span", {}, words(pair.outcome))), box);
  }

  function pairList(pairs, labels) {
    return pairs.map((pair) => lazy(h("summary", {},
      h("span", {class: "count"}, score(pair.score), h("small", {}, MEASURES[pair.measure])),
      h("span", {class: "head"}, ident(pair.a.id), h("span", {class: "soft"}, " and "), ident(pair.b.id), " ",
        words(pair.a.parts.filter((part) => typeof part[1] === "string").map((part) => part[1]).join("").slice(0, 160), "opening"))),
    () => pairPanel(pair, labels)));
  }

  function borderline() {
    const removed = pairList(data.least_similar_removed, ["Removed", "Kept"]);
    const kept = pairList(data.most_similar_kept, ["Stays", "Stays"]);
    if (removed.length + kept.length === 0) return null;
    if (removed.length > 0) unfold.get(removed[0])();
    return section("borderline", "Borderline", "Borderline pairs",
      "Where the rule was least sure. If these look right, the rest is. Shared passages have the same number and colour on both sides; what has no colour differs. Long texts are shown in part, with a note wherever something is left out.",
      removed.length === 0 ? null : [h("h3", {}, "The least similar that were removed"), removed],
      kept.length === 0 ? null : [h("h3", {}, "The most similar that both stay"), kept]);
  }

  // --- removed documents, and search -------------------------------------------------------------------------------------

  // Every document that this page knows, once, with what became of it.
  function knownDocuments() {
    const known = new Map();
    const remember = (id, place, status, kept, measure, value) => {
      const key = place + "\n" + id;
      const fresh = {id, place, status, kept, measure, value, search: (id + "\n" + place).toLowerCase()};
      if (!known.has(key)) known.set(key, fresh);
    };
    data.removals.forEach(([id, place, kept, measure, value]) => remember(id, place, "removed", kept, measure, value));
    data.largest_clusters.forEach((cluster) => {
      remember(cluster.id, cluster.place, "kept", null, null, null);
      cluster.members.forEach(([id, place, measure, value]) => remember(id, place, "removed", cluster.id, measure, value));
    });
    data.least_similar_removed.forEach((pair) => {
      remember(pair.a.id, pair.a.place, "removed", pair.b.id, pair.measure, pair.score);
      remember(pair.b.id, pair.b.place, "kept", null, null, null);
    });
    data.most_similar_kept.forEach((pair) => [pair.a, pair.b].forEach((one) => remember(one.id, one.place, "in a borderline pair", null, null, null)));
    return [...known.values()];
  }

  function documents() {
    const known = knownDocuments();
    const removed = known.slice(0, data.removals.length);
    let matches = removed, page = 0, order = {column: 4, up: true};
    const columns = [
      ["Document", (entry) => ident(entry.id), (entry) => entry.id],
      ["Place", (entry) => words(entry.place), null],
      ["Outcome", (entry) => (entry.kept === null ? entry.status : h("span", {}, "left for ", ident(entry.kept))), null],
      ["Measure", (entry) => (entry.measure === null ? "" : MEASURES[entry.measure]), null],
      ["Score", (entry) => (entry.value === null ? "" : score(entry.value)), (entry) => entry.value ?? 2],
    ];
    const body = h("tbody");
    const status = h("p", {class: "soft", role: "status"});
    const before = h("button", {type: "button"}, "Previous"), after = h("button", {type: "button"}, "Next");
    const where = h("span", {class: "soft"});
    const input = h("input", {type: "search", id: "search", autocomplete: "off", spellcheck: false, placeholder: "id or place"});

    const heads = columns.map(([title, , key], column) => {
      const head = h("th", {scope: "col", class: title === "Score" ? "number" : ""});
      if (!key) return fill(head, {}, [title]);
      const button = h("button", {type: "button", title: "Sort by " + title.toLowerCase()}, title);
      button.addEventListener("click", () => {
        order = {column, up: order.column === column ? !order.up : true};
        update();
      });
      return fill(head, {}, [button]);
    });

    function update() {
      const query = input.value.trim().toLowerCase();
      matches = query === "" ? removed.slice() : known.filter((entry) => entry.search.includes(query));
      const key = columns[order.column][2];
      const sign = order.up ? 1 : -1;
      matches.sort((x, y) => (key(x) < key(y) ? -sign : key(x) > key(y) ? sign : 0));
      heads.forEach((head, column) => {
        if (order.column === column) head.setAttribute("aria-sort", order.up ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      page = 0;
      status.replaceChildren(...(query === "" ? [] : matches.length > 0 ? [counted(matches.length, "document") + " found."] : missing(input.value.trim())));
      draw();
    }
    function missing(query) {
      const elsewhere = known.length < data.kept + data.removed;
      return ["Nothing here has “", words(query), "” in its id or place.",
        elsewhere && data.removed_file !== "" ? [" Not every document is in this report; every removed one is in ", words(data.removed_file), "."] : "",
      ].flat();
    }
    function draw() {
      const pages = Math.max(1, Math.ceil(matches.length / PAGE_ROWS));
      body.replaceChildren(...matches.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map((entry) => h("tr", {}, columns.map(([title, cell]) =>
        h("td", {class: title === "Score" ? "number" : "", "data-label": title}, h("span", {}, cell(entry)))))));
      where.textContent = `page ${page + 1} of ${number(pages)}`;
      before.disabled = page === 0;
      after.disabled = page + 1 >= pages;
      pager.hidden = pages === 1;
    }
    const pager = h("div", {class: "pager"}, before, where, after);
    before.addEventListener("click", () => { --page; draw(); });
    after.addEventListener("click", () => { ++page; draw(); });
    input.addEventListener("input", update);
    update();

    const full = data.removed_file === "" ? ["run again with --removed FILE for the full list."] : ["the full list is in ", words(data.removed_file), "."];
    const about = data.removals.length < data.removed
      ? [`${number(data.removals.length)} of ${number(data.removed)} removed documents are in this file: the ${number(data.least_similar_rows)} least similar and an even sample of the others; `, ...full]
      : [data.removed === 1 ? "The removed document." : `All ${number(data.removed)} removed documents.`];
    return section("removed", "Removed", "Removed documents", about,
      h("div", {class: "tools"}, h("label", {for: "search"}, "Find a document"), input, status),
      h("table", {class: "cards", id: "documents"}, h("thead", {}, h("tr", {}, heads)), body), pager);
  }

  // --- how it ran --------------------------------------------------------------------------------------------------------

  function run() {
    const facts = (rows) => h("table", {class: "settings"}, h("tbody", {}, rows.map(([name, value]) =>
      h("tr", {}, h("th", {scope: "row"}, words(name)), h("td", {}, words(value))))));
    const longest = Math.max(...data.stages.map((stage) => stage[1]));
    const stages = h("table", {class: "stages"}, h("tbody", {}, data.stages.map(([name, seconds]) => {
      const piece = h("i");
      piece.style.width = (longest > 0 ? (100 * seconds) / longest : 0) + "%";
      return h("tr", {}, h("th", {scope: "row"}, words(name)), h("td", {class: "number"}, duration(seconds)),
        h("td", {"aria-hidden": "true"}, h("span", {class: "track"}, piece)));
    })));
    return section("run", "Run", "How it ran", "", h("div", {class: "columns"},
      h("div", {}, h("h3", {}, "Settings"), facts(data.settings)),
      h("div", {}, h("h3", {}, "Time by stage"), stages)));
  }

  // --- the page ----------------------------------------------------------------------------------------------------------

  const sections = [];
  function section(id, short, title, about, ...content) {
    sections.push([id, short]);
    return h("section", {id, "aria-labelledby": id + "-title"}, h("h2", {id: id + "-title"}, title),
      about === "" ? null : h("p", {class: "about"}, about), content.flat(2));
  }

  function theme() {
    const button = document.getElementById("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const dark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
    const label = () => { button.textContent = dark() ? "Light" : "Dark"; button.title = "Switch to the " + (dark() ? "light" : "dark") + " theme"; };
    try {  // a page opened from a disk may have no storage
      const stored = localStorage.getItem("leitong-theme");
      if (stored === "dark" || stored === "light") document.documentElement.dataset.theme = stored;
    } catch { /* the system's choice, then */ }
    button.addEventListener("click", () => {
      document.documentElement.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("leitong-theme", document.documentElement.dataset.theme); } catch { /* for this view only */ }
      label();
    });
    system.addEventListener("change", label);
    label();
  }

  theme();
  if (data.title !== "") document.title = data.title.replace(new RegExp(ACTS.source, "g"), "") + " – leitong report";
  document.getElementById("main").append(...[lede(), figures(), attention(), borderline(), scores(), clusters(), documents(), run()].filter(Boolean));
  document.getElementById("nav").append(...sections.map(([id, short]) => h("li", {}, h("a", {href: "#" + id}, short))));
  document.getElementById("footer").append("Made by " + document.querySelector("meta[name=generator]").content + ". This file holds texts of the documents themselves; share it as you would share them.");
  addEventListener("beforeprint", () => document.querySelectorAll("#borderline details").forEach((node) => unfold.get(node)()));
})();
