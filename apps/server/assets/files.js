// Many files at once: what they share with each other and with the index. The files stay in this tab, so their addresses
// hold for as long as it is open.
const MOST_FILES = 200;
const SHARED_RUN = 10;  // characters of the normal forms; two texts without a common run of them are not compared
// files: {name, read, form, answer, failure, partners, added}; pairs: {a, b, compared}: the numbers of two files, or of a
// file and {id, text} of the index.
const dropped = {files: [], pairs: [], index: "", source: "", author: "", note: "", parts: [], page: 1, run: 0};
const idOf = (file) => (dropped.author.trim() === "" ? "" : dropped.author.trim() + "/") + file.name;

const runsOf = (form) => {
  const runs = new Set();
  for (let at = 0; at + SHARED_RUN <= form.length; ++at) runs.add(form.slice(at, at + SHARED_RUN));
  return runs;
};
const meet = (x, y) => (x.size > y.size ? meet(y, x) : [...x].some((run) => y.has(run)));
// What a pair is sorted by: the larger part of either text that the other one has.
const mostShared = ({compared}) => Math.max(compared.a.containment, compared.b.containment);

async function readFile(file) {
  file.read = await textOf(file.blob);
  delete file.blob;
  const normal = await post("v1/normalise", {texts: [file.read.text], simplify: "characters", fold_case: true, punctuation: "space"});
  file.form = runsOf(normal.texts[0].replace(/\s+/g, ""));
  file.answer = (await post(`v1/indexes/${dropped.index}/check?matches=5`, {text: file.read.text}));
  const like = [file.answer.match, ...(file.answer.others ?? []), ...(file.answer.parts ?? [])].filter(Boolean);
  for (const {id} of like) {
    const stored = await post(`v1/indexes/${dropped.index}/get`, {id});
    if (stored.found && stored.text !== "") dropped.pairs.push({a: dropped.files.indexOf(file), b: {id, text: stored.text}, compared: await post("v1/compare", {a: file.read.text, b: stored.text})});
  }
}
async function compareFiles(current) {
  const {files} = dropped;
  for (let i = 0; i < files.length && current(); ++i) {
    sayOfFiles(t("files_comparing", {n: i + 1, all: files.length}));
    for (let j = i + 1; j < files.length && current(); ++j) {
      if (!files[i].form || !files[j].form || !meet(files[i].form, files[j].form)) continue;
      const compared = await post("v1/compare", {a: files[i].read.text, b: files[j].read.text});
      if (compared.passages.length === 0 && !compared.similar) continue;
      dropped.pairs.push({a: i, b: j, compared});
      ++files[i].partners;
      ++files[j].partners;
    }
  }
}
async function takeFiles(blobs) {
  const run = ++dropped.run, current = () => run === dropped.run;
  Object.assign(dropped, {files: blobs.slice(0, MOST_FILES).map((blob) => ({name: blob.name, blob, partners: 0})), pairs: [], index: asked.index, parts: [], page: 1});
  noteAddress(addressOf(["~files"]));
  for (const [i, file] of dropped.files.entries()) {
    sayOfFiles(t("files_reading", {n: i + 1, all: dropped.files.length}));
    try {
      await readFile(file);
    } catch (error) {
      file.failure = error.detail ?? t("unreachable");
    }
    if (!current()) return;
  }
  try {
    await compareFiles(current);
    if (current()) sayOfFiles(blobs.length > MOST_FILES ? t("files_left", {n: blobs.length - MOST_FILES, most: MOST_FILES}) : "");
  } catch (error) {
    if (current()) sayOfFiles(error.detail ?? t("unreachable"));
  }
  if (!current()) return;
  dropped.pairs.sort((x, y) => mostShared(y) - mostShared(x) || x.a - y.a);
  drawFiles();
  document.getElementById("files").scrollIntoView();
  refresh();
}
async function addFiles() {
  const texts = dropped.files.filter((file) => file.read);
  for (const [i, file] of texts.entries()) {
    sayOfFiles(t("files_adding", {n: i + 1, all: texts.length}));
    const source = dropped.source.trim();
    try {
      const answer = await post(`v1/indexes/${dropped.index}/check-and-add`, {id: idOf(file), text: file.read.text, ...(source === "" ? {} : {source})});
      file.added = answer.verdict === "refused" ? t("said_refused", {reason: answer.reason}) : answer.known ? t("file_known") : t("file_added");
    } catch (error) {
      file.added = error.detail ?? t("unreachable");
    }
  }
  sayOfFiles("");
  refresh();
}

function sayOfFiles(note) {
  dropped.note = note;
  drawFiles();
}
function showFiles(parts, page) {
  Object.assign(dropped, {parts, page});
  drawFiles();
  document.getElementById("files").scrollIntoView();
}
const verdictOf = ({failure, answer}) => (failure !== undefined ? failure : answer === undefined ? "…" : answer.too_short ? t("verdict_short") : t("verdict_" + answer.verdict));
const nameOfOther = (b) => (typeof b === "number" ? ident(dropped.files[b].name) : [ident(b.id), h("span", {class: "soft"}, " " + t("of_index"))]);
function filesTable() {
  return rowsTable([["file_name", "id-cell"], ["id", "id-cell"], ["file_kind", ""], ["in_index", ""], ["partners", "number"], ["file_state", ""]], dropped.files.map((file) => [ident(file.name), ident(idOf(file)),
    file.read ? t("kind_" + file.read.kind) : "–", verdictOf(file), file.read ? number(file.partners) : "–", file.added ?? ""]));
}
function pairsTable() {
  const pages = Math.max(1, Math.ceil(dropped.pairs.length / LIST_ROWS)), at = Math.min(dropped.page, pages);
  const step = (to, word) => (to < 1 || to > pages ? h("span", {class: "soft"}, t(word)) : link(t(word), ["~files"], to));
  return [rowsTable([["text", "id-cell"], ["shares_with", "id-cell"], ["share_first", "number"], ["share_second", "number"], ["shared_passages", "number"], ["fate", ""], ["evidence", ""]],
    dropped.pairs.slice((at - 1) * LIST_ROWS, at * LIST_ROWS).map((pair, i) => [ident(dropped.files[pair.a].name), nameOfOther(pair.b), percent(pair.compared.a.containment, 1), percent(pair.compared.b.containment, 1),
      number(pair.compared.passages.length), t(pair.compared.identical ? "identical" : pair.compared.similar ? "fate_accepted" : "fate_refused"), link(t("side_by_side"), ["~files", (at - 1) * LIST_ROWS + i + 1])])),
    pages < 2 ? null : h("nav", {class: "pager", "aria-label": t("pages")}, step(at - 1, "previous"), h("span", {}, t("page_of", {page: at, pages})), step(at + 1, "next"))];
}
function filePairNodes(pair) {
  const {a, b, compared: answer} = pair, file = dropped.files[a];
  const second = typeof b === "number" ? {id: dropped.files[b].name, place: t("given"), text: dropped.files[b].read.text} : {id: b.id, place: t("of_index"), text: b.text};
  return [h("p", {}, link(t("files_back"), ["~files"])), compared(rowOf(answer, {id: file.name, place: t("given"), text: file.read.text}, second))];
}
function addingNodes() {
  const entry = (name, about) => {
    const node = h("input", {type: "text", id: "files-" + name, value: dropped[name], size: 18});
    node.addEventListener("change", () => {
      dropped[name] = node.value;
      drawFiles();
    });
    return h("label", {for: node.id}, h("span", {}, t(about)), node);
  };
  return h("div", {class: "look"}, entry("source", "source"), entry("author", "author_about"), button(t("files_add", {index: dropped.index}), "", addFiles, {id: "files-add"}));
}
function filesNodes() {
  const {files, pairs, parts, note} = dropped, said = note === "" ? null : h("p", {class: "soft", role: "status"}, note);
  if (files.length === 0) return [h("p", {class: "soft"}, t("files_gone"))];
  if (parts.length > 0) return pairs[Number(parts[0]) - 1] === undefined ? [h("p", {class: "failed"}, t("address_broken"))] : filePairNodes(pairs[Number(parts[0]) - 1]);
  const busy = note !== "" && pairs.length === 0;
  return [said, h("h3", {}, t("files_pairs")), h("p", {class: "soft"}, t("files_pairs_about", {n: SHARED_RUN})), pairs.length > 0 ? pairsTable() : busy ? null : h("p", {}, t("files_pairs_none")),
    h("h3", {}, t("files_all")), filesTable(), addingNodes()];
}
function drawFiles() {
  const place = document.getElementById("files"), wanted = dropped.files.length > 0 || placeOf(location.hash)?.parts[0] === "~files";
  place.hidden = !wanted;
  document.getElementById("filed").replaceChildren(...(wanted ? filesNodes().flat(Infinity).filter(Boolean) : []));
}
function filesSection() {
  const made = h("section", {id: "files", "aria-labelledby": "files-title"}, h("h2", {id: "files-title"}, t("files_title")), h("div", {id: "filed"}));
  made.hidden = true;
  return made;
}
