// Charts of distributions: of scores, and of the sizes of clusters.
// The height is logarithmic, since counts span orders of magnitude, and the small ones at the threshold matter most.
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
    name: index === 20 ? t("exactly_one") : t("range", {from: (index / 20).toFixed(2), to: ((index + 1) / 20).toFixed(2)}),
    kind: (index + 1) / 20 > from + 1e-6 ? "bar-above" : "bar-below",
    tick: index === 20 ? "1" : index % 4 === 0 ? (index === 0 ? "0" : (index / 20).toFixed(1)) : "",
    middle: index === 20,
  }));
  const total = entry.bins.reduce((sum, count) => sum + count, 0);
  const drawn = chart(bars, t("chart_label", {measure: measureName(entry.measure), n: total}));
  for (const threshold of entry.thresholds) {
    const x = drawn.position(threshold * 20);
    drawn.picture.append(svg("line", {class: "threshold", x1: x, x2: x, y1: drawn.top - 6, y2: drawn.floor}));
  }
  return h("figure", {}, h("figcaption", {}, measureName(entry.measure), h("span", {}, " " + t("chart_of", {n: total}))), drawn.picture,
    numbers([t("from"), t("pairs")], bars.filter((bar) => bar.count > 0).map((bar) => [bar.name, number(bar.count)])));
}

function sizes() {
  const bars = data.cluster_sizes.map(([from, to, count]) => {
    const name = from === to ? number(from) : number(from) + "–" + number(to);
    return {count, name, tick: name, middle: true, kind: "bar-above"};
  });
  return h("figure", {}, h("figcaption", {}, t("cluster_sizes"), h("span", {}, " " + t("cluster_sizes_of", {n: data.clusters}))),
    chart(bars, t("cluster_sizes_label")).picture,
    numbers([t("size"), t("clusters")], bars.map((bar) => [bar.name, number(bar.count)])));
}

// The values of a chart, for readers who cannot see it.
function numbers(head, rows) {
  return h("table", {class: "visually-hidden"},
    h("thead", {}, h("tr", {}, head.map((text) => h("th", {scope: "col"}, text)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((text) => h("td", {}, text))))));
}

function scores() {
  const charts = data.histograms.filter((entry) => entry.bins.some((count) => count > 0)).map(histogram);
  if (data.cluster_sizes.length > 0) charts.push(sizes());
  if (charts.length === 0) return null;
  return section("scores", t("scores"), t("scores_title"), t("scores_about"),
    h("div", {class: "columns"}, charts));
}
