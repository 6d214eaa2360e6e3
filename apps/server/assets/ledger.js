// A copy of what an index holds without the texts, by which families, sources and dates are listed. It is read once, and
// later only what came or left since.
const MOST_LEDGER = 500000;  // texts; some 200 bytes each in the browser
const ledgers = new Map();

// The rows of the index by id, the earliest first: {id, verdict, family, source, time}. `said` is told how many were read.
async function ledgerOf(index, said) {
  const texts = indexes.find((each) => each.name === index)?.figures.texts ?? 0;
  if (texts > MOST_LEDGER) throw {detail: t("browse_large", {n: MOST_LEDGER})};
  const ledger = ledgers.get(index) ?? {rows: new Map(), cursor: ""};
  ledgers.delete(index);  // kept again below; a failure begins from the start
  for (let more = true; more;) {
    const answer = await (await ask("GET", `v1/indexes/${index}/changes?limit=10000` + (ledger.cursor === "" ? "" : "&since=" + ledger.cursor))).json();
    for (const change of answer.changes) {
      ledger.rows.delete(change.id);
      if (change.change === "added") ledger.rows.set(change.id, change);
    }
    ledger.cursor = answer.cursor;
    more = answer.more;
    said(ledger.rows.size);
  }
  ledgers.set(index, ledger);
  return ledger.rows;
}

const dayOf = (row) => (row.time === undefined ? "" : new Date(row.time * 1000).toISOString().slice(0, 10));
// How many rows have each value, with their verdicts: [{name, rows, new, near, exact}, ..].
function countsBy(rows, nameOf) {
  const counts = new Map();
  for (const row of rows) {
    const name = nameOf(row);
    if (!counts.has(name)) counts.set(name, {name, rows: 0, new: 0, near: 0, exact: 0});
    const count = counts.get(name);
    ++count.rows;
    ++count[row.verdict === "parts" ? "new" : row.verdict];
  }
  return [...counts.values()];
}
const byName = (x, y) => (x < y ? -1 : x > y ? 1 : 0);

// Families of two texts or more, the largest first: [{id, rows}, ..]. `id` is that of the text that stands for the family.
function familiesOf(rows) {
  const families = new Map();
  for (const row of rows.values())
    if (row.family !== undefined) families.set(row.family, (families.get(row.family) ?? 1) + 1);
  return [...families].map(([id, n]) => ({id, rows: n})).sort((x, y) => y.rows - x.rows || byName(x.id, y.id));
}
const membersOf = (rows, family) => [rows.get(family), ...[...rows.values()].filter((row) => row.family === family)].filter(Boolean);

// Texts that are like an earlier one of a source that is known: [{row, first}, ..].
const likePairs = (rows) => [...rows.values()].filter((row) => row.family !== undefined && rows.has(row.family))
  .map((row) => ({row, first: rows.get(row.family)})).filter(({row, first}) => row.source !== undefined && first.source !== undefined);
// [{source, of, rows}, ..], the largest first.
function flowsOf(rows) {
  const flows = new Map();
  for (const {row, first} of likePairs(rows)) {
    const key = JSON.stringify([row.source, first.source]);
    if (!flows.has(key)) flows.set(key, {source: row.source, of: first.source, rows: 0});
    ++flows.get(key).rows;
  }
  return [...flows.values()].sort((x, y) => y.rows - x.rows || byName(x.source, y.source) || byName(x.of, y.of));
}
