// The reader's judgements, and the labels that are made of them.
const marks = new Map();  // index of a row to a boolean: true if the two are the same
const markPlaces = new Map();  // index of a row to the pairs of buttons that show it
const MARKS_NAME = "marks-" + fingerprint();

// Distinguishes this report from others in the same browser; it is not a protection.
function fingerprint() {
  const ends = rows.length === 0 ? [] : [rows[0].a.place, rows[rows.length - 1].b.place];
  let hash = 2166136261;
  for (const character of JSON.stringify([data.title, data.records, data.pairs, data.all_rows, rows.length, data.seconds, ends]))
    hash = Math.imul(hash ^ character.codePointAt(0), 16777619);
  return (hash >>> 0).toString(16);
}

const claimed = (row) => row.outcome !== NEAR_MISS && row.outcome !== 4;
const judged = (row) => (marks.has(row.index) ? marks.get(row.index) : null);
// True where "right" would be ambiguous: it could mean the result or the truth, that the two are similar or that both stay.
const speaksOfTruth = (row) => data.kind === 3 || row.outcome === RELATIVE;

function setMark(row, same) {
  if (same === null || judged(row) === same) marks.delete(row.index);
  else marks.set(row.index, same);
  remember(MARKS_NAME, marks.size === 0 ? null : JSON.stringify([...marks]));
  showMarks(row.index);
}
function showMarks(index) {
  const shown = (markPlaces.get(index) ?? []).filter(([node]) => node.isConnected);
  markPlaces.set(index, shown);
  for (const [, show] of shown) show();
  markSummary();
}

// The two buttons of a row. A press on the active one removes the mark.
function markButtons(row) {
  const named = (same) => t(speaksOfTruth(row) ? (same ? "same" : "different") : same === claimed(row) ? "right" : "wrong");
  const order = speaksOfTruth(row) || claimed(row) ? [true, false] : [false, true];
  const buttons = order.map((same) => button(named(same), t(same ? "mark_same" : "mark_different"), () => setMark(row, same), {class: same === order[0] ? "yes" : "no"}));
  const show = () => buttons.forEach((node, i) => node.setAttribute("aria-pressed", String(judged(row) === order[i])));
  if (!markPlaces.has(row.index)) markPlaces.set(row.index, []);
  show();
  const node = h("span", {class: "marks", role: "group", "aria-label": t("mark")}, buttons);
  markPlaces.get(row.index).push([node, show]);
  return node;
}
// What the keys for "right" and "wrong" mean for a row.
const rightMark = (row) => (speaksOfTruth(row) ? true : claimed(row));

// Fields of a TSV file as leitong reads them.
const tsvField = (text) => text.replace(/[\\\t\n\r]/g, (character) => ({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})[character]);
const exportable = (row) => row.a.whole && row.b.whole && row.a.id !== row.b.id;

// Rows of two ids and 1 (the same) or 0: judged pairs, as `leitong eval --gold` and `leitong tune --gold` read them. Each
// pair of ids occurs once, with the mark that is later in the list.
function labels() {
  const lines = new Map();
  for (const [index, same] of [...marks].sort((x, y) => x[0] - y[0])) {
    const row = rows[index];
    if (!exportable(row)) continue;
    const pair = [tsvField(row.a.id), tsvField(row.b.id)];
    lines.set([...pair].sort().join("\t"), pair.join("\t") + "\t" + (same ? 1 : 0) + "\n");
  }
  return [...lines.values()].join("");
}
function exportLabels() {
  const text = labels();
  if (text === "") return;
  const address = URL.createObjectURL(new Blob([text], {type: "text/tab-separated-values"}));
  const link = h("a", {href: address});
  link.download = "labels.tsv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

let markSummary = () => {};
function marksBar() {
  const status = h("p", {class: "soft", role: "status"});
  const save = button(t("export"), "", exportLabels);
  let sure = false;
  const clear = button(t("clear"), "", () => {
    if (!sure) {
      sure = true;
      clear.textContent = t("clear_sure");
      return;
    }
    const marked = [...marks.keys()];
    marks.clear();
    remember(MARKS_NAME, null);
    marked.forEach(showMarks);
  });
  markSummary = () => {
    const same = [...marks.values()].filter(Boolean).length;
    const skipped = [...marks.keys()].filter((index) => !exportable(rows[index])).length;
    status.textContent = marks.size === 0 ? t("marks_none")
      : t("marks", {n: marks.size, same, different: marks.size - same}) + (skipped > 0 ? " " + t("marks_skipped", {n: skipped}) : "");
    save.disabled = marks.size === skipped;
    clear.hidden = marks.size === 0;
    clear.textContent = t("clear");
    sure = false;
  };
  markSummary();
  return h("div", {class: "tools", id: "marks"}, status, save, clear);
}

function restoreMarks() {
  try {
    for (const [index, same] of JSON.parse(remembered(MARKS_NAME) ?? "[]"))
      if (Number.isInteger(index) && index >= 0 && index < rows.length && typeof same === "boolean") marks.set(index, same);
  } catch { /* not ours */ }
}
