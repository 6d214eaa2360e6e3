const comparison = () => [lede(), figures(), trialsSection(), sourcesSection(), attention(), borderline(), rowsSection(), relativesSection(), scores(), clusters()];
// Pages on parts of texts, by their kind.
const PAGES = {4: () => [...cutsPage(), unreadable()], 5: () => [...leaksPage(), unreadable()]};
// Keys that these have.
const LIST_KEYS = new Set(["next", "previous", "open", "search", "pages", "help", "close"]);

// The whole page, which is drawn again when the language changes.
function build() {
  document.documentElement.lang = LANGUAGES[language];
  markPlaces.clear();
  unfold.clear();
  sections = [];
  bar();
  help(data.found ? KEYS : KEYS.filter(([, what]) => LIST_KEYS.has(what)));
  if (data.title !== "") document.title = t("page_title", {title: plain(data.title)});
  document.getElementById("main").replaceChildren(...[...(PAGES[data.kind] ?? comparison)(), runSection()].filter(Boolean));
  contents();
  const generator = document.querySelector("meta[name=generator]").content;
  document.getElementById("footer").replaceChildren(...[h("p", {}, !data.date ? t("made_by", {generator}) : t("made_on", {generator, date: data.date})),
    !data.command ? null : h("p", {}, t("command_line") + " ", h("code", {}, words(data.command))), h("p", {}, t("made_of_texts"))].filter(Boolean));
}

function start() {
  startFrame(build, keyPressed);
  addEventListener("beforeprint", () => {
    document.documentElement.classList.add("paper");
    document.querySelectorAll("#borderline h3 + div").forEach((group) =>
      [...group.querySelectorAll("details")].slice(0, PAPER_PAIRS).forEach((node) => unfold.get(node)()));
  });
  addEventListener("afterprint", () => document.documentElement.classList.remove("paper"));
  restoreMarks();
  build();
}
start();
