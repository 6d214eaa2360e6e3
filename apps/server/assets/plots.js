// The activity of the server: samples of /metrics as small plots, and the indexes with their figures.
const MOST_SAMPLES = 60, EVERY_MS = 2000;
const samples = [];

// Parses Prometheus' text format into {"name": [[labels, value], ..]}.
function parseMetrics(text) {
  const found = new Map();
  for (const [, name, labels, value] of text.matchAll(/^(\w+)(?:\{([^}]*)\})? (\S+)$/gm)) {
    if (!found.has(name)) found.set(name, []);
    found.get(name).push([Object.fromEntries([...(labels ?? "").matchAll(/(\w+)="([^"]*)"/g)].map((pair) => [pair[1], pair[2]])), Number(value)]);
  }
  return found;
}
const sum = (found, name, wanted = () => true) => (found.get(name) ?? []).filter(([labels]) => wanted(labels)).reduce((total, [, value]) => total + value, 0);
// The requests that this page makes regularly are left out.
const counts = (labels) => !["metrics", "list_indexes", "page", "page_script", "page_style", "health"].includes(labels.operation);

function sample(text) {
  const found = parseMetrics(text), buckets = new Map();
  for (const [labels, value] of found.get("leitong_request_seconds_bucket") ?? [])
    if (counts(labels)) buckets.set(Number(labels.le.replace("+Inf", "Infinity")), (buckets.get(Number(labels.le.replace("+Inf", "Infinity"))) ?? 0) + value);
  samples.push({at: performance.now(), requests: sum(found, "leitong_requests_total", counts), buckets, texts: sum(found, "leitong_index_texts"),
    memory: sum(found, "process_resident_memory_bytes")});
  if (samples.length > MOST_SAMPLES) samples.shift();
  if (samples.length > 1) noteHistory(samples[samples.length - 2], samples[samples.length - 1], Date.now() / 1000);
}

// The median time of the requests between two samples, by the histogram; null without requests.
function median(before, after) {
  const bounds = [...after.buckets.keys()].sort((a, b) => a - b);
  const upTo = (bound) => after.buckets.get(bound) - (before.buckets.get(bound) ?? 0);
  const all = bounds.length === 0 ? 0 : upTo(bounds[bounds.length - 1]);
  if (all <= 0) return null;
  let low = 0, below = 0;
  for (const bound of bounds) {
    const n = upTo(bound);
    if (n >= all / 2) return 1000 * (bound === Infinity ? low : low + ((bound - low) * (all / 2 - below)) / Math.max(n - below, 1e-9));
    low = bound;
    below = n;
  }
  return null;
}

function series(of) {
  return samples.slice(1).map((after, i) => of(samples[i], after));
}

// `slots`: places from the left to the right edge.
function plot(name, values, shown, slots) {
  const width = 100, height = 40, known = values.filter((value) => value !== null), most = Math.max(...known, 1e-9);
  const x = (i) => width - (values.length - 1 - i) * (width / (slots - 1)), y = (value) => height - 1 - (value / most) * (height - 4);
  // Each run of known values is a line of its own; a single one is as wide as its slot.
  let line = "", area = "";
  for (let i = 0; i < values.length;) {
    let end = i;
    while (end < values.length && values[end] !== null) ++end;
    if (end > i) {
      const right = end - i > 1 ? x(end - 1) : Math.min(width, x(i) + 0.6);
      const points = values.slice(i, end).map((value, k) => `${x(i + k).toFixed(2)} ${y(value).toFixed(2)}`).join("L") + (end - i > 1 ? "" : `L${right.toFixed(2)} ${y(values[i]).toFixed(2)}`);
      line += "M" + points;
      area += `M${points}L${right.toFixed(2)} ${height}L${x(i).toFixed(2)} ${height}Z`;
    }
    i = end + 1;
  }
  const now = known.length === 0 ? "–" : shown(known[known.length - 1]);
  return h("figure", {class: "plot"}, h("figcaption", {}, t("plot_" + name), h("b", {}, now)),
    svg("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `${t("plot_" + name)}: ${now}`}, line === "" ? "" :
      svg("path", {class: "area", d: area}), svg("path", {d: line})));
}

const short = (value) => (value >= 100 ? number(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
function drawPlots() {
  const place = document.getElementById("plots");
  if (place === null) return;
  const whole = (value) => number(Math.round(value)), slots = SPANS.find((each) => each[0] === span)[2];
  const [rate, latency, texts, memory] = span === "now"
    ? [series((before, after) => (1000 * Math.max(0, after.requests - before.requests)) / (after.at - before.at)), series(median), samples.map((each) => each.texts), samples.map((each) => each.memory / 1e6)]
    : [(row) => row[1] / Math.max(row[2], 1e-9), (row) => row[3], (row) => row[4], (row) => row[5] / 1e6].map((valueOf) => historyOf(span, valueOf));
  place.replaceChildren(plot("rate", rate, short, slots), plot("latency", latency, short, slots), plot("texts", texts, number, slots), plot("memory", memory, whole, slots));
}

function indexTable() {
  const columns = ["texts", "new", "near", "exact"];
  return h("table", {class: "cards"}, h("thead", {}, h("tr", {}, h("th", {scope: "col"}, t("index")), ["texts", "fresh", "near", "exact", "size"].map((name) => h("th", {scope: "col", class: "number"}, t(name))))),
    h("tbody", {}, indexes.map((index) => h("tr", {}, h("th", {scope: "row"}, ident(index.name)),
      columns.map((name, i) => h("td", {class: "number", "data-label": t(["texts", "fresh", "near", "exact"][i])}, number(index.figures[name]))),
      h("td", {class: "number", "data-label": t("size")}, bytes(index.figures.store_bytes + index.figures.segment_bytes))))));
}

function nowSection() {
  return section("now", t("now"), t("now_title"), "", h("div", {id: "spans"}, spanButtons()), h("p", {class: "soft", id: "span-about"}, t("span_about_" + span)), h("div", {class: "plots", id: "plots"}), h("h3", {}, t("indexes")), h("div", {class: "scroll", id: "indexes"}, indexTable()));
}
