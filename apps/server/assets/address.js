// Every view has an address after the "#" of the page's own: "#/INDEX/families?page=2". It can be sent, and the browser's
// history goes through it. Names that begin with "~" are of no index. What stands after "#" never leaves the browser.
const ADDRESS_CHARACTERS = 16000;  // of a text in an address; longer addresses are cut by many programs

// {parts: ["default", "family", "a17"], page: 2}, or null for an address without a view.
function placeOf(hash) {
  if (!hash.startsWith("#/")) return null;
  const [path, query] = hash.slice(2).split("?");
  try {
    return {parts: path.split("/").map(decodeURIComponent), page: Math.max(1, Number(new URLSearchParams(query).get("page")) || 1)};
  } catch {
    return null;  // not made by this page
  }
}
const addressOf = (parts, page = 1) => "#/" + parts.map(encodeURIComponent).join("/") + (page > 1 ? "?page=" + page : "");

// A link to a view.
const link = (content, parts, page, properties) => h("a", {href: addressOf(parts, page), ...properties}, content);

// Texts in the form of an address, and back: compressed, in the letters of base64url. Null if that is too long.
async function through(stream, data) {
  return new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer());
}
async function packed(texts) {
  const raw = await through(new CompressionStream("deflate-raw"), utf8.encode(JSON.stringify(texts)));
  if (raw.length * 4 > ADDRESS_CHARACTERS * 3) return null;
  return btoa(String.fromCharCode(...raw)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpacked(code) {
  try {
    const raw = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    const texts = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), raw)));
    return Array.isArray(texts) && texts.every((text) => typeof text === "string") ? texts : null;
  } catch {
    return null;  // not whole
  }
}

// Makes `hash` the address of what is shown already. Nothing is drawn again.
function noteAddress(hash) {
  if (location.hash !== hash) history.pushState(null, "", hash === "" ? location.pathname : hash);
}
const noteTexts = async (parts, texts) => {
  const code = await packed(texts);
  noteAddress(code === null ? "" : addressOf([...parts, code]));
  return code !== null;
};

// Shows what the address says.
async function follow() {
  const place = placeOf(location.hash);
  if (place === null) return;
  const {parts, page} = place;
  if (parts[0] === "~compare" || parts[1] === "check") {
    const two = parts[0] === "~compare", texts = await unpacked(parts[two ? 1 : 2] ?? "");
    if (texts === null || texts.length !== (two ? 2 : 1)) return tell(h("p", {class: "failed"}, t("address_broken")));
    Object.assign(asked, {two, texts: [texts[0], texts[1] ?? ""], from: [null, null], index: two ? asked.index : parts[0]});
    build();
    return void (await send());
  }
  if (parts[0] === "~files") return showFiles(parts.slice(1), page);
  if (parts[0] !== asked.index) {
    asked.index = parts[0];
    build();
  }
  if (parts[1] === "text") {
    await look(parts[2] ?? "");
    document.getElementById("look").scrollIntoView();
    return;
  }
  browse(parts.length > 1 ? parts.slice(1) : ["families"], page);
}
