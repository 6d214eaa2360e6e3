// The page as a whole, drawn anew when the language changes.
let sections = [];
function section(id, short, title, about, ...content) {
  sections.push([id, short]);
  return h("section", {id, "aria-labelledby": id + "-title"}, h("h2", {id: id + "-title"}, title),
    about === "" ? null : h("p", {class: "about"}, about), content);
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (systemDark.matches ? "dark" : "light")) === "dark";

function bar() {
  const set = (id, text, hint) => {
    const node = document.getElementById(id);
    node.textContent = text;
    node.title = hint;
  };
  set("theme", t(isDark() ? "light" : "dark"), t("theme_hint"));
  set("language", t("language"), t("language_hint"));
  set("keys", t("keys"), t("keys_hint"));
  document.getElementById("language").lang = LANGUAGES[1 - language];
  document.getElementById("skip").textContent = t("skip");
  document.getElementById("sections").setAttribute("aria-label", t("sections"));
}

function build() {
  document.documentElement.lang = LANGUAGES[language];
  markPlaces.clear();
  unfold.clear();
  sections = [];
  bar();
  help();
  if (data.title !== "") document.title = t("page_title", {title: plain(data.title)});
  document.getElementById("main").replaceChildren(...[lede(), figures(), trialsSection(), sourcesSection(), attention(), borderline(), rowsSection(), scores(), clusters(), runSection()].filter(Boolean));
  document.getElementById("nav").replaceChildren(...sections.map(([id, short]) => h("li", {}, h("a", {href: "#" + id}, short))));
  document.getElementById("footer").replaceChildren(t("made_by", {generator: document.querySelector("meta[name=generator]").content}));
}

function start() {
  const theme = remembered("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  const chosen = remembered("language");
  language = chosen === "zh" || (chosen !== "en" && /^zh\b/i.test(navigator.language)) ? 1 : 0;
  document.getElementById("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    remember("theme", document.documentElement.dataset.theme);
    bar();
  });
  systemDark.addEventListener("change", bar);
  document.getElementById("language").addEventListener("click", () => {
    language = 1 - language;
    remember("language", language === 1 ? "zh" : "en");
    build();
  });
  document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());
  addEventListener("keydown", keyPressed);
  addEventListener("beforeprint", () => document.querySelectorAll("#borderline h3 + div").forEach((group) =>
    [...group.querySelectorAll("details")].slice(0, PAPER_PAIRS).forEach((node) => unfold.get(node)())));
  restoreMarks();
  build();
}
start();
