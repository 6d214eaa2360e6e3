// Building blocks of the page. Content of documents reaches the page only through text nodes.
const isAttribute = (name) => name.includes("-") || ["role", "lang", "dir", "href", "scope", "viewBox", "for", "list", "colspan"].includes(name);

// h("p", {class: "soft"}, "text", node): strings become text nodes.
function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}
function svg(tag, properties, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties ?? {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name === "class") node.className = value;
    else if (isAttribute(name)) node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// The language decides the glyph of a unified ideograph, and how a screen reader speaks.
function languageOf(text) {
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  if (/[\uac00-\ud7af]/.test(text)) return "ko";
  if (/[\u3400-\u9fff\uf900-\ufaff]/.test(text)) return "zh";
  return "";  // unknown
}

// Invisible characters with an effect (direction overrides, controls, zero widths) are shown by their number, so that a
// text cannot disguise itself. Joiners stay, since scripts and emoji need them.
const ACTS = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb])/;
function visible(text) {
  return text.replace(/\r\n?/g, "\n").split(ACTS).filter((part) => part !== "").map((part) => {
    if (!ACTS.test(part)) return document.createTextNode(part);
    const code = "U+" + part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return h("bdi", {class: "acts", title: t("invisible", {code})}, code);
  });
}
const words = (text, className) => h("bdi", {class: className ?? "", lang: languageOf(text)}, visible(text));
const ident = (text) => words(text, "id");
const plain = (text) => text.split(ACTS).filter((part) => !ACTS.test(part)).join("");

function button(text, hint, press, properties) {
  const node = h("button", {type: "button", title: hint ?? "", ...properties}, text);
  node.addEventListener("click", press);
  return node;
}

// The values that the browser stores between visits. A page that was opened from a disk may have no storage.
function remembered(name) {
  try { return localStorage.getItem("leitong-" + name); } catch { return null; }
}
function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem("leitong-" + name);
    else localStorage.setItem("leitong-" + name, value);
  } catch { /* for this view only */ }
}
