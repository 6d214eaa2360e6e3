// A list of entries that unfold, with a search, choices and pages: documents with cuts, and items in documents.
const ENTRY_PAGE = 50;

// searched(entry): the text that the search looks at. draw(entry): a node. choices: [[name, label, options, fits(entry, value)], ..].
function entryList(entries, searched, draw, choices) {
  const texts = new Map(), chosen = new Map();
  const textOf = (entry) => {
    if (!texts.has(entry)) texts.set(entry, folded(searched(entry)));
    return texts.get(entry);
  };
  let query = "", page = 0, shown = entries;
  const place = h("div"), where = h("span", {class: "soft"}), status = h("p", {class: "soft", role: "status"});
  const pages = () => Math.max(1, Math.ceil(shown.length / ENTRY_PAGE));
  const turn = (by) => {
    if (page + by < 0 || page + by >= pages()) return false;
    page += by;
    show();
    return true;
  };
  const before = button(t("previous"), "", () => turn(-1)), after = button(t("next"), "", () => turn(1));
  const pager = h("div", {class: "pager"}, before, where, after);
  const show = () => {
    place.replaceChildren(...shown.slice(page * ENTRY_PAGE, (page + 1) * ENTRY_PAGE).map(draw));
    where.textContent = t("page_of", {page: page + 1, pages: pages()});
    before.disabled = page === 0;
    after.disabled = page + 1 === pages();
    pager.hidden = pages() === 1;
  };
  const update = () => {
    const wanted = folded(query.trim());
    shown = entries.filter((entry) => choices.every(([name, , , fits]) => (chosen.get(name) ?? "") === "" || fits(entry, chosen.get(name))) &&
      (wanted === "" || textOf(entry).includes(wanted)));
    page = 0;
    status.textContent = shown.length === entries.length ? "" : shown.length > 0 ? t("found", {n: shown.length}) : t("missing");
    show();
  };
  const search = h("input", {type: "search", id: "search", autocomplete: "off", spellcheck: false});
  search.addEventListener("input", () => {
    query = search.value;
    update();
  });
  const selects = choices.filter(([, , options]) => options.length > 1).map(([name, label, options]) =>
    select(name, label, [["", t("any")], ...options], "", (value) => {
      chosen.set(name, value);
      update();
    }));
  list.turn = turn;
  update();
  return [h("div", {class: "filters", role: "search"}, h("label", {class: "wide"}, h("span", {}, t("search")), search), selects), status, place, pager];
}

// The documents that were read, and records that are none.
function partsRead() {
  return data.quarantined === 0 ? null : h("p", {class: "soft"}, t("records_read", {n: data.documents + data.quarantined, parts: t("read_quarantined", {n: data.quarantined})}));
}
function partsLede(headline, bar) {
  return h("div", {class: "lede", id: "overview"}, data.title === "" ? null : h("p", {class: "source"}, words(data.title)), h("h1", {}, headline), partsRead(), bar);
}
const figure = (name, value, note) => h("div", {class: "figure"}, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : null));
const restIn = () => (data.rows_file === "" ? null : [" ", ...say("rows_file", {file: words(data.rows_file)})]);
