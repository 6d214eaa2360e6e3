// What one text has and the other one lacks: in words, in the text, and the similar texts that stay because of it.
const FEW_RELATIVES = 20;

const partWords = (part) => (part === "nearly all" ? t("nearly_all") : part.startsWith("less") ? t("hardly_any") : part);
// The sentences are those in the tables of removed documents and of similar ones that stay.
function lossWords(row) {
  const loss = row.loss;
  if (row.outcome === RELATIVE)
    return loss === null ? t("stays_others_left") : loss.renamed ? t("stays_name") : t("stays_own", {part: partWords(loss.own)});
  if (loss === null) return "";
  if (loss.held === "100 %") return t("holds_all");
  return t("holds", {part: partWords(loss.held)}) + (loss.reworded === "" ? "" : t("holds_reworded", {part: partWords(loss.reworded)})) +
    (loss.longest > 0 ? t("holds_longest", {n: loss.longest}) : "");
}
const lossCell = (row) => (row.loss === null ? lossWords(row) : [partWords(row.loss.own), h("span", {class: "soft under loss"}, lossWords(row))]);

// Cuts the text of a part where something lost or reworded begins and ends. `characters` are what a reader sees as one
// character each, or null. None of them is cut, and `from` and `to` count them.
function lostRuns(part, characters) {
  const whole = part[1], bounds = part[3], runs = [];
  const starts = [];  // start of each character, and the end
  if (characters !== null) {
    let at = 0;
    for (const character of characters) {
      starts.push(at);
      at += character.length;
    }
    starts.push(at);
  }
  let at = 0, from = 0;
  const add = (kind, place, isBegin) => {
    let to = from, end = place;
    if (characters !== null) {
      while (starts[to] < place) ++to;
      if (isBegin && starts[to] > place) to = Math.max(from, to - 1);
      end = starts[to];
    }
    if (end > at) runs.push({kind, from, to, words: whole.slice(at, end)});
    at = Math.max(at, end);
    from = to;
  };
  for (let i = 0; i < bounds.length; i += 3) {
    add(null, bounds[i], true);
    add(bounds[i + 2] === 1 ? "reworded" : "lost", bounds[i + 1], false);
  }
  add(null, whole.length, false);
  return runs;
}

// The legend of the marks that a row has.
function lostLegend(row) {
  const bounds = row.a.parts.flatMap((part) => part[3] ?? []);
  const kinds = new Set();
  for (let i = 0; i < bounds.length; i += 3) kinds.add(bounds[i + 2] === 1 ? "reworded" : "lost");
  if (kinds.size === 0) return null;
  return h("span", {}, ["lost", "reworded"].filter((kind) => kinds.has(kind)).map((kind) => [h("del", {class: kind}, t("legend_" + kind)), " "]));
}

function lossFigures(figure) {
  if (data.by_losses !== 1) return [];
  return [figure(t("relatives"), number(data.relatives), t("relatives_note")),
    data.removed_units > 0 ? figure(t("lost_text"), percent(data.lost_units, data.removed_units), t("lost_text_note")) : null];
}

function relativesSection() {
  if (data.relatives === 0) return null;
  const all = rows.filter((row) => row.outcome === RELATIVE);
  const share = (row) => (row.loss === null ? 2 : row.loss.share);
  const sorted = [...all].sort((x, y) => share(x) - share(y) || x.index - y.index);
  const about = [t("relatives_about"), " ", t(all.length < data.relatives ? "relatives_some" : "relatives_all", {n: data.relatives, shown: all.length})];
  const more = sorted.length === 0 ? null
    : button(t("relatives_list", {n: all.length}), "", () => showRows({outcome: String(RELATIVE)}, {column: "loss", up: true}));
  return section("relatives", t("relatives"), t("relatives_title"), about,
    h("div", {}, sorted.slice(0, FEW_RELATIVES).map((row) => rowEntry(row, row.loss === null ? "" : partWords(row.loss.own), t("own_part")))), more);
}
