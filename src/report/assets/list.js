// The list of rows: filters, search, sorting, pages, and the texts of each row below it.
const NO_FILTER = {query: "", outcome: "", measure: "", source: "", low: "", high: "", marked: "", trial: "", flow: null};
const list = {filter: {...NO_FILTER}, order: {column: "margin", up: true}, page: 0, open: new Set(), shown: [], draw: () => {}, update: () => {}};

const folded = (text) => text.normalize("NFKC").toLowerCase();
function searchText(row) {
  if (row.search === null) {
    const side = (one) => one.id + "\n" + one.place + "\n" + one.parts.map((part) => (typeof part[1] === "string" ? part[1] : "\n")).join("");
    row.search = folded(side(row.a) + "\n" + side(row.b));
  }
  return row.search;
}

function matching(filter) {
  const query = folded(filter.query.trim()), source = folded(filter.source.trim());
  const low = filter.low === "" ? -1 : Number(filter.low), high = filter.high === "" ? 2 : Number(filter.high);
  return rows.filter((row) => {
    const label = judged(row);
    return (filter.outcome === "" ? !decides || isListed(row) : row.outcome === Number(filter.outcome)) &&
      (filter.measure === "" || row.measure === Number(filter.measure)) &&
      (filter.trial === "" || row.trial === Number(filter.trial)) &&
      row.score >= low && row.score <= high &&
      (source === "" || folded(row.a.source).includes(source) || folded(row.b.source).includes(source)) &&
      (filter.flow === null || (row.a.source === filter.flow[0] && row.b.source === filter.flow[1]) ||
        (data.kind === 1 && row.a.source === filter.flow[1] && row.b.source === filter.flow[0])) &&
      (filter.marked === "" || (filter.marked === "no" ? label === null : filter.marked === "yes" ? label !== null
        : label !== null && (label === rightMark(row)) === (filter.marked === "right"))) &&
      (query === "" || searchText(row).includes(query));
  });
}

const COLUMNS = [
  ["document", (row) => row.a.id],
  ["decision", (row) => row.b.id],
  ["score", (row) => row.score],
  ["margin", overRule],
  ...(data.by_losses === 1 ? [["loss", (row) => (row.loss === null ? 2 : row.loss.share)]] : []),
];
const FALLING = new Set(["loss"]);  // the first press shows the largest first

function select(name, label, options, current, change) {
  const node = h("select", {id: "filter-" + name}, options.map(([value, text]) => h("option", {value, selected: value === current}, plain(text))));
  node.addEventListener("change", () => change(node.value));
  return h("label", {}, h("span", {}, label), node);
}
function field(name, label, properties, current, change) {
  const node = h("input", {id: "filter-" + name, autocomplete: "off", spellcheck: false, value: current, ...properties});
  node.addEventListener("input", () => change(node.value));
  return h("label", {}, h("span", {}, label), node);
}

function filters() {
  const filter = list.filter;
  const set = (name) => (value) => { filter[name] = value; list.update(); };
  const present = (values) => [...new Set(values)].sort((x, y) => x - y);
  const measures = present(rows.map((row) => row.measure)), outcomes = present([...rows.map((row) => row.outcome), ...(decides ? [0] : [])]);
  const search = h("input", {type: "search", id: "search", autocomplete: "off", spellcheck: false, value: filter.query});
  search.addEventListener("input", () => set("query")(search.value));
  const some = (values, prefix) => [["", t("any")], ...values.map((value) => [String(value), t(prefix + value)])];
  const known = [...new Set(data.sources.flows.flatMap((flow) => [flow[0], flow[1]]))];
  return h("div", {class: "filters", role: "search"},
    h("label", {class: "wide"}, h("span", {}, t("search")), search),
    data.trials.length > 1 ? select("trial", t("filter_method"), [["", t("any")], ...data.trials.map((trial, i) => [String(i), trial.name])], filter.trial, set("trial")) : null,
    outcomes.length > 1 ? select("outcome", t("filter_outcome"), decides ? outcomes.map((value) => [value === 0 ? "" : String(value), t("outcome_" + value)])
      : some(outcomes, "outcome_"), filter.outcome, set("outcome")) : null,
    measures.length > 1 ? select("measure", t("filter_measure"), some(measures, "measure_"), filter.measure, set("measure")) : null,
    field("low", t("filter_score"), {type: "number", min: 0, max: 1, step: 0.01}, filter.low, set("low")),
    field("high", t("filter_score_to"), {type: "number", min: 0, max: 1, step: 0.01}, filter.high, set("high")),
    known.length > 0 ? [field("source", t("filter_source"), {type: "text", list: "known-sources"}, filter.source, set("source")),
      h("datalist", {id: "known-sources"}, known.map((name) => h("option", {value: name})))] : null,
    select("marked", t("filter_marked"), [["", t("any")], ["no", t("marked_no")], ["yes", t("marked_yes")],
      ["right", t(data.kind === 3 ? "same" : "right")], ["wrong", t(data.kind === 3 ? "different" : "wrong")]], filter.marked, set("marked")));
}

// The title or the first words, below an id.
const firstLine = (side) => (firstWords(side) === "" ? null : h("span", {class: "soft first"}, words(firstWords(side))));
function rowNodes(row) {
  const open = list.open.has(row.index);
  const id = "row-" + row.index;
  const toggle = button(ident(row.a.id), t("open_row"), () => toggleRow(row, !list.open.has(row.index)), {class: "toggle", "aria-expanded": String(open), "aria-controls": id});
  toggle.dataset.row = row.index;
  const cell = (name, ...content) => h("td", {class: name === "score" ? "number" : "", "data-label": t(name)}, h("span", {}, content));
  const head = h("tr", {class: open ? "open" : ""},
    h("th", {scope: "row"}, toggle, firstLine(row.a), h("span", {class: "soft place"}, words(row.a.place))),
    cell("decision", data.trials.length > 1 ? words(data.trials[row.trial].name + ": ") : null, decision(row), firstLine(row.b)),
    cell("score", row.score < 0 ? null : [decimals(row.score), h("span", {class: "soft under"}, measureName(row.measure))]),
    cell("margin", marginWords(row)), data.by_losses === 1 ? cell("loss", lossCell(row)) : null, cell("mark", markButtons(row)));
  const texts = h("tr", {class: "texts", id, hidden: !open}, h("td", {colspan: COLUMNS.length + 1}, open ? pairPanel(row) : null));
  return [head, texts];
}
function toggleRow(row, open) {
  if (open) list.open.add(row.index);
  else list.open.delete(row.index);
  const toggle = document.querySelector(`#documents [data-row="${row.index}"]`), texts = document.getElementById("row-" + row.index);
  if (!toggle) return;
  toggle.setAttribute("aria-expanded", String(open));
  toggle.closest("tr").classList.toggle("open", open);
  texts.hidden = !open;
  if (open && texts.firstChild.childElementCount === 0) texts.firstChild.append(pairPanel(row));
}

function rowsAbout() {
  const shown = rows.filter(isListed).length;
  const about = [shown >= data.all_rows ? t("rows_all", {n: data.all_rows})
    : data.kind === 3 ? t("rows_errors_some", {shown, n: data.all_rows}) : t(data.by_losses === 1 ? "rows_some_lost" : "rows_some", {shown, n: data.all_rows, least: data.least_rows})];
  if (shown < data.all_rows && data.rows_file !== "") about.push(" ", say("rows_file", {file: words(data.rows_file)}));
  if (rows.some((row) => row.a.parts.length > 0)) about.push(" ", t("rows_texts", {bytes: bytes(data.text_bytes)}));
  return about;
}

function rowsSection() {
  if (rows.length === 0) return null;
  // If no document left, the only rows are near misses and relatives.
  const body = h("tbody"), status = h("p", {class: "soft", role: "status"});
  const where = h("span", {class: "soft"}), chip = h("span", {class: "chip"});
  const before = button(t("previous"), "", () => list.turn(-1)), after = button(t("next"), "", () => list.turn(1));
  const pager = h("div", {class: "pager"}, before, where, after);
  const reset = button(t("reset"), "", () => {
    list.filter = {...NO_FILTER};
    tools.replaceWith(tools = filters());
    list.update();
    document.getElementById("search").focus();
  });
  const heads = COLUMNS.map(([name]) => h("th", {scope: "col", class: name === "score" ? "number" : ""},
    button(t(name), t("sort_by", {column: t(name)}), () => {
      list.order = {column: name, up: list.order.column === name ? !list.order.up : !FALLING.has(name)};
      list.update();
    })));
  let tools = filters();

  list.update = () => {
    const key = COLUMNS.find(([name]) => name === list.order.column)[1], sign = list.order.up ? 1 : -1;
    list.shown = matching(list.filter).sort((x, y) => {
      const one = key(x), other = key(y);
      return one < other ? -sign : one > other ? sign : x.index - y.index;
    });
    heads.forEach((head, column) => {
      if (COLUMNS[column][0] === list.order.column) head.setAttribute("aria-sort", list.order.up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    list.page = 0;
    const {flow, ...others} = list.filter;
    const filtered = flow !== null || Object.values(others).some((value) => value !== "");
    const all = rows.filter(isListed).length >= data.all_rows;
    status.replaceChildren(...(!filtered ? [] : list.shown.length > 0 ? [t("found", {n: list.shown.length})]
      : all || data.rows_file === "" ? [t("missing")] : say("missing_more", {file: words(data.rows_file)})));
    chip.replaceChildren(...(flow === null ? [] : say("flow_filter", {from: sourceName(flow[0]), to: sourceName(flow[1])})));
    reset.hidden = !filtered;
    list.draw();
  };
  list.draw = () => {
    const pages = Math.max(1, Math.ceil(list.shown.length / PAGE_ROWS));
    body.replaceChildren(...list.shown.slice(list.page * PAGE_ROWS, (list.page + 1) * PAGE_ROWS).flatMap(rowNodes));
    where.textContent = t("page_of", {page: list.page + 1, pages});
    before.disabled = list.page === 0;
    after.disabled = list.page + 1 >= pages;
    pager.hidden = pages === 1;
  };
  list.turn = (by) => {
    const pages = Math.max(1, Math.ceil(list.shown.length / PAGE_ROWS));
    if (list.page + by < 0 || list.page + by >= pages) return false;
    list.page += by;
    list.draw();
    return true;
  };
  list.update();
  const name = data.kind === 3 ? "rows_errors" : data.kind === 1 ? "rows_pairs" : "rows_removed";
  return section("removed", t(name), t(name + "_title"), rowsAbout(), marksBar(), tools, h("div", {class: "tools"}, status, chip, reset),
    h("table", {class: "cards", id: "documents"}, h("thead", {}, h("tr", {}, heads, h("th", {scope: "col"}, t("mark")))), body), pager);
}
const showFlow = (from, to) => showRows({flow: [from, to]});
function showRows(filter, order) {
  list.filter = {...NO_FILTER, ...filter};
  list.order = order ?? list.order;
  build();
  document.getElementById("removed").scrollIntoView();
  document.querySelector("#documents .toggle")?.focus({preventScroll: true});
}
