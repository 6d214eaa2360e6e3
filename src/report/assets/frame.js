// The parts around the content of every page: sections, theme and language, single keys and their list.
let sections = [];
function section(id, short, title, about, ...content) {
  sections.push([id, short]);
  return h("section", {id, "aria-labelledby": id + "-title"}, h("h2", {id: id + "-title"}, title),
    about === "" ? null : h("p", {class: "about"}, about), content);
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (systemDark.matches ? "dark" : "light")) === "dark";

function setButton(id, text, hint) {
  const node = document.getElementById(id);
  node.textContent = text;
  node.title = hint;
}
function bar() {
  setButton("theme", t(isDark() ? "light" : "dark"), t("theme_hint"));
  setButton("language", t("language"), t("language_hint"));
  setButton("keys", t("keys"), t("keys_hint"));
  document.getElementById("language").lang = LANGUAGES[1 - language];
  document.getElementById("skip").textContent = t("skip");
  document.getElementById("sections").setAttribute("aria-label", t("sections"));
}

// Single keys can be switched off, since speech input types letters as well.
let keysOn = remembered("keys") !== "off";
const showHelp = () => document.getElementById("help").showModal();
// Runs the function that actsOf() has for the key, unless the user types or a dialog is open.
function actOn(event, actsOf) {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "Escape" && typing) return void typing.blur();
  if (typing || !keysOn || document.querySelector("dialog[open]")) return;
  const acts = actsOf();
  const act = Object.hasOwn(acts, event.key) ? acts[event.key] : null;
  if (!act) return;
  event.preventDefault();
  act();
}
// keys: [[names, meaning], ..]
function help(keys) {
  const box = h("input", {type: "checkbox", id: "keys-on", checked: keysOn});
  box.addEventListener("change", () => {
    keysOn = box.checked;
    remember("keys", keysOn ? null : "off");
  });
  document.getElementById("help").replaceChildren(h("h2", {id: "help-title"}, t("help_title")),
    h("table", {}, h("tbody", {}, keys.map(([names, what]) => h("tr", {},
      h("th", {scope: "row"}, names.flatMap((name, i) => [i > 0 ? " " : null, h("kbd", {}, {ArrowDown: "↓", ArrowUp: "↑"}[name] ?? name)])), h("td", {}, t("help_" + what)))))),
    h("p", {}, h("label", {}, box, " ", t("help_off"))),
    button(t("close"), "", () => document.getElementById("help").close()));
}

function contents() {
  document.getElementById("nav").replaceChildren(...sections.map(([id, short]) => h("li", {}, h("a", {href: "#" + id}, short))));
}

// build() draws the page in the language that is chosen at that time.
function startFrame(build, keyPressed) {
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
  document.getElementById("keys").addEventListener("click", showHelp);
  addEventListener("keydown", keyPressed);
}
