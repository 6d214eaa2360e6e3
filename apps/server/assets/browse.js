// The whole index in lists: families and their members, who copies whom, sources, dates, the newest texts.
const LIST_ROWS = 20;
const LISTS = ["families", "copies", "sources", "days", "newest"];
const LIST_OF = {family: "families", pair: "families", source: "sources", day: "days"};
// What is shown: the parts of its address after the index, its page, and what was found, or a note in its place.
const browsed = {parts: null, page: 1, rows: null, pair: null, found: null, note: ""};

const here = (...parts) => [asked.index, ...parts];
const textLink = (id) => link(ident(id), here("text", id));
const sourceLink = (source) => link(source === "" ? t("no_source") : ident(source), here("source", source));

// The parts of the views: a title, the heads of the columns, all lines, and the cells of one line. A head is [word, class].
function familiesView(rows) {
  return {about: t("families_about"), none: t("largest_none"), heads: [["members", "number"], ["family_first", "id-cell"], ["opening", ""]],
    lines: familiesOf(rows), cells: ({id, rows: n}) => [link(number(n), here("family", id), 1, {"aria-label": t("family_open", {n, id})}), link(ident(id), here("family", id)), openingCell(id)]};
}
function familyView(rows, id) {
  return {title: say("family_title", {id: ident(id)}), about: t("family_about"), none: t("nobody"),
    heads: [["id", "id-cell"], ["arrival", ""], ["source", ""], ["date", ""], ["measure_0", "number"], ["evidence", ""]], lines: membersOf(rows, id),
    cells: (row) => [textLink(row.id), t("arrived_" + row.verdict), sourceOf(row), dayOf(row), row.id === id ? "–" : jaccardCell(row.id, id),
      row.id === id ? t("stands") : link(t("side_by_side"), here("pair", row.id, id))]};
}
function copiesView(rows) {
  return {about: t("who_about"), none: t("who_none"), heads: [["source", ""], ["of_source", ""], ["texts", "number"], ["evidence", ""]], lines: flowsOf(rows),
    cells: ({source, of, rows: n}) => [sourceLink(source), sourceLink(of), number(n), link(t("pairs_open", {n}), here("copies", source, of))]};
}
function pairsView(rows, source, of) {
  return {title: say("pairs_title", {source: ident(source), of: ident(of)}), none: t("who_none"), heads: [["text_of_source", "id-cell"], ["like", "id-cell"], ["date", ""], ["measure_0", "number"], ["evidence", ""]],
    lines: likePairs(rows).filter(({row, first}) => row.source === source && first.source === of),
    cells: ({row, first}) => [textLink(row.id), textLink(first.id), dayOf(row), jaccardCell(row.id, first.id), link(t("side_by_side"), here("pair", row.id, first.id))]};
}
const countHeads = (name) => [[name, ""], ["texts", "number"], ["fresh", "number"], ["near", "number"], ["exact", "number"]];
const countCells = (count) => [count.rows, count.new, count.near, count.exact].map((n) => number(n));
function sourcesView(rows) {
  return {about: t("sources_list_about"), none: t("list_none"), heads: countHeads("source"), lines: countsBy(rows.values(), (row) => row.source ?? "").sort((x, y) => y.rows - x.rows || byName(x.name, y.name)),
    cells: (count) => [sourceLink(count.name), ...countCells(count)]};
}
function daysView(rows) {
  return {about: t("days_about"), none: t("list_none"), heads: countHeads("date"), lines: countsBy(rows.values(), dayOf).sort((x, y) => byName(y.name, x.name)),
    cells: (count) => [link(count.name === "" ? t("no_date") : count.name, here("day", count.name)), ...countCells(count)]};
}
const sourceOf = (row) => (row.source === undefined ? "" : sourceLink(row.source));
function textsView(rows, wanted, title, about) {
  return {title, about, none: t("list_none"), heads: [["id", "id-cell"], ["arrival", ""], ["source", "id-cell"], ["date", "day"], ["opening", ""]], lines: [...rows.values()].filter(wanted).reverse(),
    cells: (row) => [textLink(row.id), row.family === undefined ? t("arrived_" + row.verdict) : link(t("arrived_" + row.verdict), here("family", row.family)), sourceOf(row), dayOf(row), openingCell(row.id)]};
}
function viewOf(rows, [kind, one = "", other = ""]) {
  switch (kind) {
    case "families": return familiesView(rows);
    case "family": return familyView(rows, one);
    case "copies": return browsed.parts.length > 1 ? pairsView(rows, one, other) : copiesView(rows);
    case "sources": return sourcesView(rows);
    case "source": return textsView(rows, (row) => (row.source ?? "") === one, one === "" ? t("no_source") : say("source_title", {source: ident(one)}));
    case "days": return daysView(rows);
    case "day": return textsView(rows, (row) => dayOf(row) === one, one === "" ? t("no_date") : t("day_title", {day: one}));
    case "newest": return textsView(rows, () => true, undefined, t("newest_about"));
    default: return null;
  }
}

// Cells that are filled when the server has answered. Each holds what it needs; the lines of one page are read together.
const openingCell = (id) => {
  const cell = words("…", "opening");
  cell.dataset.opening = id;
  return cell;
};
async function fillOpenings(place) {
  const cells = [...place.querySelectorAll("[data-opening]")];
  if (cells.length === 0) return;
  const stored = await post(`v1/indexes/${asked.index}/get`, cells.map((cell) => ({id: cell.dataset.opening})));
  stored.forEach(({text = ""}, i) => cells[i].replaceWith(words([...text.slice(0, 300)].slice(0, 120).join("").replace(/\s+/g, " "), "opening")));
}
const jaccardCell = (id, other) => {
  const cell = h("span", {}, "…");
  cell.dataset.pair = JSON.stringify([id, other]);
  return cell;
};
async function fillPairs(place) {
  for (const cell of place.querySelectorAll("[data-pair]")) {
    const [id, other] = JSON.parse(cell.dataset.pair);
    cell.textContent = decimals((await post(`v1/indexes/${asked.index}/compare`, {id, other_id: other})).jaccard);
  }
}

// Two texts of the index side by side.
async function readPair(id, other) {
  const [a, b] = await post(`v1/indexes/${asked.index}/get`, [{id}, {id: other}]);
  if (!a.found || !b.found) throw {detail: t("nobody")};
  const compared = await post(`v1/indexes/${asked.index}/compare`, {id, other_id: other});
  return {compared, a, b};
}
function pairNodes({compared: answer, a, b}) {
  const place = (stored) => [stored.source, dayOf(stored)].filter(Boolean).join(", ");
  const row = rowOf(answer, {id: a.id, place: place(a), text: a.text}, {id: b.id, place: place(b), text: b.text});
  return [h("h3", {}, say("pair_title", {a: textLink(a.id), b: textLink(b.id)})),
    h("p", {class: "soft"}, link(t("family_whole"), here("family", b.family ?? b.id))), compared(row)];
}

async function browse(parts, page) {
  Object.assign(browsed, {parts, page, rows: null, pair: null, found: null, note: t("reading")});
  const wanted = parts;
  drawBrowse();
  document.getElementById("browse").scrollIntoView();
  try {
    if (parts[0] === "pair") browsed.pair = await readPair(parts[1] ?? "", parts[2] ?? "");
    else if (parts[0] === "search") {
      // One text more says that there is a next page.
      browsed.found = await searchFor(asked.index, parts[1] ?? "", page * LIST_ROWS + 1, (n) => {
        browsed.note = t("search_reading", {n});
        if (browsed.parts === wanted) drawBrowse();
      });
    } else {
      const rows = await ledgerOf(asked.index, (n) => {
        browsed.note = t("reading_of", {n});
        if (browsed.parts === wanted) drawBrowse();
      });
      if (browsed.parts !== wanted) return;  // another view was opened meanwhile
      browsed.rows = rows;
    }
    browsed.note = "";
  } catch (error) {
    browsed.note = error.detail ?? t("unreachable");
  }
  if (browsed.parts !== wanted) return;
  drawBrowse();
  document.getElementById("browse").scrollIntoView();
}

function pagerOf(pages, more) {
  if (pages < 2) return null;
  const at = Math.min(browsed.page, pages), step = (to, word) => (to < 1 || to > pages ? h("span", {class: "soft"}, t(word)) : link(t(word), here(...browsed.parts), to));
  return h("nav", {class: "pager", "aria-label": t("pages")}, step(at - 1, "previous"), h("span", {}, more ? t("page_open", {page: at}) : t("page_of", {page: at, pages})), step(at + 1, "next"));
}
function listNodes(view) {
  if (view === null) return h("p", {class: "failed"}, t("address_broken"));
  const pages = Math.max(1, Math.ceil(view.lines.length / LIST_ROWS)), at = Math.min(browsed.page, pages);
  return [view.title === undefined ? null : h("h3", {}, view.title), view.about === undefined ? null : h("p", {class: "soft"}, view.about),
    view.lines.length === 0 ? h("p", {}, view.none) : rowsTable(view.heads, view.lines.slice((at - 1) * LIST_ROWS, at * LIST_ROWS).map(view.cells)), pagerOf(pages, view.more)];
}
function drawBrowse() {
  const place = document.getElementById("browsed");
  document.getElementById("lists").replaceChildren(...LISTS.map((name) =>
    h("li", {}, link(t("list_" + name), here(name), 1, (LIST_OF[browsed.parts?.[0]] ?? browsed.parts?.[0]) === name ? {"aria-current": "page"} : {}))));
  if (browsed.parts === null) return place.replaceChildren();
  const words_ = document.getElementById("search-words");
  if (browsed.parts[0] === "search" && words_ !== document.activeElement) words_.value = browsed.parts[1] ?? "";
  const shown = browsed.pair !== null ? pairNodes(browsed.pair) : browsed.found !== null ? listNodes(searchView(browsed.found)) : browsed.rows !== null ? listNodes(viewOf(browsed.rows, browsed.parts)) : null;
  place.replaceChildren(...[browsed.note === "" ? null : h("p", {class: "soft", role: "status"}, browsed.note), shown].flat(Infinity).filter(Boolean));
  Promise.all([fillOpenings(place), fillPairs(place)]).catch(() => { /* the cells keep their dots: the server went away */ });
}

function rowsTable(heads, rows) {
  return h("div", {class: "scroll"}, h("table", {class: "cards"}, h("thead", {}, h("tr", {}, heads.map(([name, kind]) => h("th", {scope: "col", class: kind}, t(name))))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, i) => h("td", {class: heads[i][1], "data-label": t(heads[i][0])}, cell)))))));
}
function browseSection() {
  return section("browse", t("browse"), t("browse_title"), t("browse_about"), searchForm(), h("ul", {id: "lists", class: "lists"}), h("div", {id: "browsed"}));
}
