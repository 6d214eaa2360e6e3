// The data of the page in the form that the other parts use.
const data = JSON.parse(document.getElementById("data").textContent);
const PAGE_ROWS = 25;
const PAPER_PAIRS = 6;
const FEW_PAIRS = 100;  // of fewer pairs a percentage would seem too precise

// What b lacks of a: the lost part, the sentences for what is there, lost and reworded, and the units of the longest lost stretch.
const lossOf = (loss) => (loss === null ? null : {share: loss[0], held: loss[1], own: loss[2], reworded: loss[3], longest: loss[4], renamed: loss[5] === 1, relation: loss[6]});
const decides = data.kind === 0 || data.kind === 2;
const isListed = (row) => row.outcome !== NEAR_MISS && row.outcome !== RELATIVE;

// What tells a reader which document it is, where an id does not: its title, or its first words.
function firstWords({title, parts}) {
  if (title !== "") return title;
  const text = parts.map((part) => (typeof part[1] === "string" ? part[1] : " ")).join("").slice(0, 240);
  return [...text.replace(/\s+/g, " ").trim()].slice(0, 60).join("");
}

// The rows of all blocks in one list: the block of the run, and one for each result that was compared with the truth.
const rows = [];
(data.found ? [data.found, ...data.trials.map((trial) => trial.errors)] : []).forEach((block, number) => {
  const side = ([id, place, source, bytes, parts, whole, title = ""]) => ({id, place, source: source < 0 ? "" : block.sources[source], bytes, parts, whole: whole === 1, title});
  for (const [outcome, measure, score, jaccard, containment, marginMeasure, value, bar, borderline, a, b, template = 0, families = 0, rare = 0, own = 0, passage = 0, loss = null, uncounted = 0] of block.rows)
    rows.push({index: rows.length, trial: number - 1, outcome, measure, score, jaccard, containment,
      margin: marginMeasure < 0 ? null : {measure: marginMeasure, value, bar}, borderline: borderline === 1, a: side(a), b: side(b), template, families, rare, own, passage, loss: lossOf(loss), uncounted, whole: null, search: null});
});
(data.found?.whole ?? []).forEach((range, i) => { rows[i].whole = range; });
