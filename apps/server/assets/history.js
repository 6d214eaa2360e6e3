// The activity over hours and days. A server keeps no history, so the browser does, while the page is open: an address that
// is always open in one tab has all of it. What is missing stays a gap.
const SPANS = [["now", 0, MOST_SAMPLES - 1], ["hours", 60, 180], ["days", 900, 672]];  // name, seconds of a slot, slots
// Of each slot: [number, requests, seconds, median time, texts, memory].
const HISTORY_OF = {hours: "history-hours", days: "history-days"};
let span = "now";

function kept(name) {
  try {
    const rows = JSON.parse(remembered(HISTORY_OF[name]) ?? "[]");
    return Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === 6) ? rows : [];
  } catch {
    return [];
  }
}

// Adds what happened between two samples to the slot of the present time, and drops what is too old.
function noteHistory(before, after, seconds) {
  for (const [name, width, slots] of SPANS.slice(1)) {
    const number = Math.floor(seconds / width), rows = kept(name).filter((row) => row[0] > number - slots && row[0] <= number);
    let row = rows[rows.length - 1];
    if (row?.[0] !== number) rows.push(row = [number, 0, 0, null, 0, 0]);
    row[1] += Math.max(0, after.requests - before.requests);
    row[2] += (after.at - before.at) / 1000;
    row[3] = median(before, after) ?? row[3];
    row[4] = after.texts;
    row[5] = after.memory;
    remember(HISTORY_OF[name], JSON.stringify(rows));
  }
}

// The values of each slot up to the present one; null where the page was not open.
function historyOf(name, valueOf) {
  const [, width, slots] = SPANS.find((each) => each[0] === name), last = Math.floor(Date.now() / 1000 / width), values = new Array(slots).fill(null);
  for (const row of kept(name)) if (row[0] > last - slots && row[0] <= last) values[row[0] - last + slots - 1] = valueOf(row);
  return values;
}

function spanButtons() {
  return h("div", {class: "spans", role: "group", "aria-label": t("spans")}, SPANS.map(([name]) => button(t("span_" + name), "", () => {
    span = name;
    drawPlots();
    document.getElementById("spans").replaceChildren(spanButtons());
    document.getElementById("span-about").textContent = t("span_about_" + span);
  }, {"aria-pressed": String(span === name), id: "span-" + name})));
}
