// The whole page, which is drawn again when the language changes.
let indexes = [];
let version = "";
// A report has data of its run, and judgements; this page has neither.
const data = {kind: 1};
const markButtons = () => null;

// The text of a file, which the server reads as the command would.
async function textOf(file) {
  const headers = {"Content-Type": "application/octet-stream", ...authorised()};
  const response = await fetch("v1/text", {method: "POST", headers, body: file, credentials: "omit", cache: "no-store"});
  if (response.status === 401) openTokens();
  if (!response.ok) throw await response.json();
  return response.json();
}
const post = async (path, body) => (await ask("POST", path, body)).json();

// One text of the index.
const looked = {id: "", stored: null, note: ""};
async function look(id) {
  looked.id = id;
  try {
    looked.stored = await post(`v1/indexes/${asked.index}/get`, {id});
    looked.note = looked.stored.found ? "" : t("nobody");
  } catch (error) {
    looked.stored = null;
    looked.note = error.detail ?? t("unreachable");
  }
  drawLooked();
}
function drawLooked() {
  const place = document.getElementById("looked"), stored = looked.stored;
  if (stored === null || !stored.found) return place.replaceChildren(looked.note === "" ? "" : h("p", {class: "soft"}, looked.note));
  let sure = false;
  const leave = button(t("remove"), "", async () => {
    if (!sure) {
      sure = true;
      leave.textContent = t("remove_sure");
      return;
    }
    try {
      await post(`v1/indexes/${asked.index}/remove`, {id: stored.id});
      looked.stored = null;
      looked.note = t("removed_it", {id: stored.id});
      refresh();
    } catch (error) {
      looked.stored = null;
      looked.note = error.detail ?? t("unreachable");
    }
    drawLooked();
  }, {id: "remove"});
  const family = stored.family === undefined ? t("stands")
    : say("family", {id: textLink(stored.family)});
  place.replaceChildren(h("div", {class: "found"}, h("header", {}, ident(stored.id), h("span", {class: "soft"}, t("arrived_" + stored.verdict)), h("span", {class: "soft"}, family), link(t("family_whole"), here("family", stored.family ?? stored.id)),
    h("span", {class: "marks"}, button(t("ask"), "", () => {
      asked.two = false;
      asked.texts[0] = stored.text;
      asked.from[0] = null;
      build();
      document.getElementById("text-0").focus();
    }), leave)), h("div", {class: "text", lang: languageOf(stored.text), dir: "auto", tabIndex: 0}, visible(stored.text))));
}
function lookSection() {
  const id = h("input", {type: "text", id: "look-id", value: looked.id});
  const go = () => {
    noteAddress(addressOf(here("text", id.value.trim())));
    look(id.value.trim());
  };
  id.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) go(); });
  return section("look", t("look"), t("look_title"), t("look_about"),
    h("div", {class: "look"}, h("label", {class: "wide", for: "look-id"}, h("span", {}, t("id")), id), button(t("show"), "", go, {id: "look-go"})), h("div", {id: "looked"}));
}

// Single keys.
const KEYS = [[["/"], "ask"], [["Ctrl+Enter"], "send"], [["j", "k"], "passage"], [["2"], "two"], [["i"], "look"], [["?"], "help"], [["Esc"], "close"]];
function stepPassage(by) {
  const all = [...document.querySelectorAll("#said .side:first-child mark button")];
  if (all.length === 0) return;
  const at = all.indexOf(document.activeElement);
  const to = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length];
  to.click();  // shows the passage on the other side
  to.focus({preventScroll: true});
  to.scrollIntoView({block: "nearest"});
}
function keyPressed(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches?.("textarea")) {
    event.preventDefault();
    return void send();
  }
  actOn(event, () => ({"/": () => document.getElementById("text-0").focus(), j: () => stepPassage(1), k: () => stepPassage(-1),
    2: () => document.getElementById("turn").click(), i: () => document.getElementById("look-id").focus(), "?": showHelp}));
}

function build() {
  document.documentElement.lang = LANGUAGES[language];
  sections = [["ask", t("ask")]];
  bar();
  tokenButton();
  help(KEYS);
  document.getElementById("main").replaceChildren(askSection(), filesSection(), browseSection(), lookSection(), nowSection());
  contents();
  document.getElementById("footer").replaceChildren(t("made_by_server", {version}), h("a", {href: "openapi.json"}, "openapi.json"), " · ", h("a", {href: "api"}, t("api_page")));
  last();
  drawLooked();
  drawBrowse();
  drawFiles();
  drawPlots();
}

// Updates figures and indexes; text that the user is typing stays.
async function refresh() {
  try {
    sample(await (await ask("GET", "metrics")).text());
    drawPlots();
    const found = (await (await ask("GET", "v1/indexes")).json()).indexes;
    const changed = found.map((index) => index.name).join() !== indexes.map((index) => index.name).join();
    indexes = found;
    if (!found.some((index) => index.name === asked.index) && found.length > 0) asked.index = found[0].name;
    document.getElementById("indexes").replaceChildren(indexTable());
    if (changed) build();
  } catch { /* the server is away, or wants a token; the next try says */ }
}
const HIDDEN_EVERY_MS = 30000;  // a tab in the background goes on with the history
async function watch() {
  let before = 0;
  for (;;) {
    const due = !document.hidden || performance.now() - before > HIDDEN_EVERY_MS;
    if (due && !document.querySelector("dialog[open]")) {
      before = performance.now();
      await refresh();
    }
    await new Promise((done) => setTimeout(done, EVERY_MS));
  }
}

async function start() {
  tokenChanged = refresh;
  startFrame(build, keyPressed);
  document.getElementById("token").addEventListener("click", openTokens);
  build();
  try { version = (await (await fetch("healthz")).json()).version; } catch { /* the next try says */ }
  build();
  await refresh();
  addEventListener("hashchange", follow);
  follow();
  watch();
}
start();
