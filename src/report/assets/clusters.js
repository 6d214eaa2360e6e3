// Clusters: a kept document and those that left for it, each with its evidence.
const CLUSTER_PAGE = 20, CLUSTER_MEMBERS = 100;
const clusterList = {page: 0};
const keyOf = (id, place) => id + "\n" + place;
const memberOf = (row) => ({id: row.a.id, place: row.a.place, measure: row.measure, score: row.score, first: firstWords(row.a), row});

// The largest clusters, which the run chose, and all others of which rows are in the page, the largest first.
function allClusters() {
  const leaving = new Map(), groups = new Map();
  for (const row of rows.filter((each) => each.outcome === 0)) {
    leaving.set(keyOf(row.a.id, row.a.place), row);
    const kept = keyOf(row.b.id, row.b.place);
    if (!groups.has(kept)) groups.set(kept, []);
    groups.get(kept).push(row);
  }
  const largest = data.largest_clusters.map(({id, place, title, opening, size, members}) => {
    const listed = members.map(([member, where, measure, score, words_, name = ""]) =>
      ({id: member, place: where, measure, score, first: name || words_, row: leaving.get(keyOf(member, where)) ?? null}));
    const known = new Set(listed.map((each) => keyOf(each.id, each.place))), key = keyOf(id, place);
    const more = (groups.get(key) ?? []).map(memberOf).filter((each) => !known.has(keyOf(each.id, each.place)));
    groups.delete(key);
    return {id, place, first: title || opening, opening, size, members: [...listed, ...more]};
  });
  const others = [...groups.values()].map((of) => ({id: of[0].b.id, place: of[0].b.place, first: firstWords(of[0].b), opening: "", size: of.length + 1, members: of.map(memberOf)}));
  return [...largest, ...others.sort((x, y) => y.size - x.size)];
}

// The line of a member, and below it both texts, which are drawn when they are first opened.
function memberNodes(member) {
  const columns = ["document", "first_words", "measure", "score"];
  const cell = (name, ...content) => h("td", {class: name === "score" ? "number" : "", "data-label": t(name)}, h("span", {}, content));
  const rest = [cell("first_words", words(member.first, "opening")), cell("measure", measureName(member.measure)), cell("score", member.score < 0 ? "" : decimals(member.score))];
  const place = h("span", {class: "soft place"}, words(member.place));
  if (member.row === null) return [h("tr", {}, h("th", {scope: "row"}, ident(member.id), place), rest)];
  const texts = h("tr", {class: "texts", hidden: true}, h("td", {colspan: columns.length}));
  const toggle = button(ident(member.id), t("open_row"), () => {
    const open = texts.hidden;
    texts.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
    line.classList.toggle("open", open);
    if (open && texts.firstChild.childElementCount === 0) texts.firstChild.append(pairPanel(member.row));
  }, {class: "toggle", "aria-expanded": "false"});
  const line = h("tr", {}, h("th", {scope: "row"}, toggle, place), rest);
  return [line, texts];
}
function membersTable(members) {
  const body = h("tbody");
  const more = button("", "", () => add(), {class: "more"});
  let shown = 0;
  const add = () => {
    body.append(...members.slice(shown, shown + CLUSTER_MEMBERS).flatMap(memberNodes));
    shown = Math.min(members.length, shown + CLUSTER_MEMBERS);
    more.textContent = t("members_more", {n: members.length - shown});
    more.hidden = shown === members.length;
  };
  add();
  return [h("table", {class: "cards members"}, h("thead", {}, h("tr", {}, ["document", "first_words", "measure", "score"].map((name) =>
    h("th", {scope: "col", class: name === "score" ? "number" : ""}, t(name))))), body), more];
}

function clusterNode(cluster, largest) {
  const fillBar = h("i"), left = cluster.size - 1, shown = Math.min(CLUSTER_MEMBERS, cluster.members.length);
  fillBar.style.width = (100 * cluster.size) / largest + "%";
  return lazy(h("summary", {}, h("span", {class: "count"}, number(cluster.size)),
    h("span", {class: "head"}, ident(cluster.id), " ", words(cluster.first, "opening"), h("span", {class: "track", "aria-hidden": "true"}, fillBar))),
  () => h("div", {class: "panel"},
    h("p", {class: "soft"}, cluster.place === "" ? null : say("kept_at", {place: words(cluster.place)}), " ",
      shown < left ? t("left_some", {n: left, shown}) : t("left_all", {n: left}), cluster.members.some(({row}) => row === null) ? " " + t("members_without") : null),
    cluster.opening === "" ? null : h("p", {class: "text"}, words(cluster.opening)), membersTable(cluster.members)));
}

function clusters() {
  const all = allClusters();
  if (all.length === 0) return null;
  const largest = Math.max(...all.map((cluster) => cluster.size)), pages = Math.ceil(all.length / CLUSTER_PAGE);
  const place = h("div"), where = h("span", {class: "soft"});
  const turn = (by) => () => {
    clusterList.page += by;
    draw();
  };
  const before = button(t("previous"), "", turn(-1)), after = button(t("next"), "", turn(1));
  const draw = () => {
    clusterList.page = Math.max(0, Math.min(pages - 1, clusterList.page));
    place.replaceChildren(...all.slice(clusterList.page * CLUSTER_PAGE, (clusterList.page + 1) * CLUSTER_PAGE).map((cluster) => clusterNode(cluster, largest)));
    where.textContent = t("page_of", {page: clusterList.page + 1, pages});
    before.disabled = clusterList.page === 0;
    after.disabled = clusterList.page + 1 === pages;
  };
  draw();
  return section("clusters", t("clusters"), all.length < data.clusters ? t("clusters_some", {n: all.length, all: data.clusters}) : t("clusters_all"),
    [t("clusters_about", {n: data.clusters}), all.length < data.clusters ? " " + t("clusters_some_note", {n: data.largest_clusters.length}) : null], place,
    pages > 1 ? h("div", {class: "pager"}, before, where, after) : null);
}
