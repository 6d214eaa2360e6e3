// Two texts side by side, and the decision of the rule in words.
const NEAR_MISS = 1, RELATIVE = 5;  // outcomes of rows that a list holds in addition to its subject
const masksNumbers = () => data.settings.some(([name]) => name === "numbers");
const measureName = (measure) => t("measure_" + measure);

function marginWords(row) {
  if (row.score < 0) return "";
  if (row.measure === 3) return t("identical_words");
  if (row.measure === 9) return t(masksNumbers() ? "masked_copy_words" : "copy_words");
  if (row.measure === 4) return t("estimate_words", {value: decimals(row.score)});
  if (row.margin === null) return t("no_rule_words", {measure: measureName(row.measure), value: decimals(row.score)});
  const {measure, value, bar} = row.margin;
  const said = {measure: measureName(measure), value: decimals(value), margin: decimals(Math.abs(value - bar))};
  if (row.outcome === 1 && value >= bar) return t(row.template > 0 ? "refused_template" : "refused", said);
  if (said.margin === "0.000") return t(value >= bar ? "at" : "below", {...said, margin: "0.001"});
  return t(value > bar ? "above" : "below", said);
}
const overRule = (row) => (row.margin === null ? (row.measure === 4 ? row.score : 2) : row.margin.value - row.margin.bar);

// What the second decision used, or nothing.
function templateWords(row) {
  if (row.template > 0) return t("own_text", {share: percent(row.template, 1), families: number(Math.max(row.families - 2, 0)), own: decimals(row.own)});
  if (row.measure === 7) return t("passage", {n: row.passage});
  if (row.measure === 6) return t("rare_text", {share: percent(row.rare, 1)});
  return null;
}

function sideLabels(row) {
  if (row.outcome === 0) return [t("label_removed"), t("label_kept")];
  if (row.outcome === RELATIVE || (row.outcome === NEAR_MISS && data.kind === 0)) return [t("label_stays"), t("label_stays")];
  return [t("label_document"), t("label_document")];
}
function decision(row) {
  return say(["left_for", data.kind === 0 ? "stays_beside" : "similar_to", "similar_to", "false_positive_of", "false_negative_of", "stays_beside_similar"][row.outcome],
    {id: ident(row.b.id)});
}

// Underlines the characters that differ. `marks` holds the characters and which of them differ.
function differingNodes(text, differs) {
  const nodes = [];
  for (let i = 0; i < text.length;) {
    let end = i;
    while (end < text.length && differs[end] === differs[i]) ++end;
    const run = visible(text.slice(i, end).join(""));
    nodes.push(differs[i] ? h("b", {class: "differs"}, run) : run);
    i = end;
  }
  return nodes;
}
function textNodes(part, marks, stays) {
  const [text, differs] = marks.get(part) ?? [null, null];
  if (part[3] === undefined) return text === null ? visible(part[1]) : differingNodes(text, differs);
  return lostRuns(part, text).map(({kind, from, to, words: run}) => {
    const nodes = text === null ? visible(run) : differingNodes(text.slice(from, to), differs.slice(from, to));
    return kind === null ? nodes : h("del", {class: kind, title: t(kind + (stays ? "_stays_note" : "_note"))}, nodes);
  });
}

function sidePanel(side, label, marks, stays) {
  const sample = side.parts.map((part) => (typeof part[1] === "string" ? part[1] : "")).join("");
  const text = h("div", {class: "text", lang: languageOf(sample), dir: "auto", tabIndex: 0, role: "group", "aria-label": t("text_of", {label})});
  const seen = new Set();
  for (const part of side.parts) {
    const [passage, content] = part;
    const nodes = typeof content === "number" ? [h("bdi", {class: "gap"}, t("left_out", {bytes: bytes(content)}))] : textNodes(part, marks, stays);
    const families = part[2] ?? 0;
    const template = {class: "template", title: t("template_of", {n: families})};
    if (passage === 0) {
      if (families > 0) text.append(h("span", template, nodes));
      else fill(text, {}, nodes);
      continue;
    }
    const mark = h("mark", families > 0 ? template : {class: "p" + (((passage - 1) % 6) + 1)});
    mark.dataset.passage = passage;
    if (!seen.has(passage)) {
      seen.add(passage);
      mark.append(h("button", {type: "button", "aria-label": t("show_passage", {n: passage})}, String(passage)));
    }
    fill(mark, {}, nodes);
    text.append(mark);
  }
  return h("div", {class: "side"},
    h("header", {}, h("span", {class: "soft"}, label), ident(side.id), side.title ? h("span", {class: "title"}, words(side.title)) : null, h("span", {class: "soft"}, words(side.place), " · ", bytes(side.bytes))), text);
}

// The numbers of the passages of two texts.
const passagesOf = (...parts) => [...new Set(parts.flat().map((part) => part[0]).filter((passage) => passage > 0))].sort((x, y) => x - y);

// Two panels that light up and scroll together, below the strip of their passages.
function sideBySide(sides, passages) {
  const box = h("div", {class: "pair"}, sides);
  const light = (event, on) => {
    const mark = event.target.closest("mark");
    if (mark) box.querySelectorAll(`mark[data-passage="${Number(mark.dataset.passage)}"]`).forEach((other) => other.classList.toggle("on", on));
  };
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]])
    box.addEventListener(name, (event) => light(event, on));
  box.addEventListener("click", (event) => {
    const pressed = event.target.closest("mark button");
    if (!pressed) return;
    const other = sides[sides[0].contains(pressed) ? 1 : 0];
    const target = other.querySelector(`mark[data-passage="${Number(pressed.closest("mark").dataset.passage)}"] button`);
    if (target) {
      target.focus({preventScroll: true});
      target.scrollIntoView({block: "nearest"});
    }
  });
  const panes = sides.map((side) => side.querySelector(".text"));
  scrollTogether(panes);
  return [passageStrip(panes, passages), box];
}

function pairPanel(row) {
  const facts = h("p", {class: "scores"}, h("b", {}, marginWords(row)),
    row.jaccard < 0 ? null : h("span", {}, measureName(0) + " ", h("b", {}, decimals(row.jaccard))),
    row.containment < 0 ? null : h("span", {}, measureName(1) + " ", h("b", {}, decimals(row.containment))),
    !row.uncounted ? null : h("span", {}, t(row.uncounted === 1 ? "uncounted_short" : "uncounted_long", {n: data.rule.containment_units[row.uncounted - 1]})),
    templateWords(row) === null ? null : h("span", {}, templateWords(row)),
    row.loss === null ? null : h("span", {}, t("relation_" + row.loss.relation)),
    lossWords(row) === "" ? null : h("span", {class: "loss"}, lossWords(row)), lostLegend(row));
  if (row.a.parts.length + row.b.parts.length === 0)
    return h("div", {class: "panel"}, facts, h("p", {class: "soft"}, t("no_texts")), markButtons(row));
  const labels = sideLabels(row);
  const marks = differences(row.a.parts, row.b.parts);
  const sides = [sidePanel(row.a, labels[0], marks, row.outcome === RELATIVE), sidePanel(row.b, labels[1], marks)];
  const passages = passagesOf(row.a.parts, row.b.parts);
  facts.append(h("span", {}, t("passages", {n: passages.length})));
  const panel = h("div", {class: "panel"}, facts, wholeTexts(row, () => panel.replaceWith(pairPanel(row))), sideBySide(sides, passages), markButtons(row));
  return panel;
}
