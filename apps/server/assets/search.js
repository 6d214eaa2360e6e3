// Texts of the index by words in them or in their ids, which the server looks for in the stored texts.
const SEARCH_AT_ONCE = 100;
// What was found for the words that were asked for last. It grows as its pages are opened.
let found = {index: "", words: "", texts: [], looked: 0, cursor: undefined, more: true};

// Looks until `wanted` texts are found or all were looked at. `said` is told how many those were.
async function searchFor(index, words_, wanted, said) {
  if (found.index !== index || found.words !== words_) found = {index, words: words_, texts: [], looked: 0, cursor: undefined, more: true};
  const of = found;
  while (of.more && of.texts.length < wanted) {
    const answer = await post(`v1/indexes/${index}/search`, {words: words_, limit: Math.min(SEARCH_AT_ONCE, wanted - of.texts.length), ...(of.cursor === undefined ? {} : {since: of.cursor})});
    of.texts.push(...answer.texts);
    Object.assign(of, {looked: of.looked + answer.looked_at, cursor: answer.cursor, more: answer.more});
    said(of.looked);
  }
  return of;
}

// The text with the words in it marked, as they were written.
function markedWords(text, words_) {
  const escaped = words_.split(" ").filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.replace(/\s+/g, " ").split(new RegExp(`(${escaped.join("|")})`, "iu"));
  return h("bdi", {class: "opening", lang: languageOf(text)}, parts.map((part, i) => (i % 2 === 1 ? h("b", {class: "hit"}, visible(part)) : visible(part))));
}

function searchView(of) {
  return {title: say("search_title", {words: words(of.words)}), about: t(of.more ? "search_some" : "search_all", {n: of.looked}), none: t("search_none"), more: of.more,
    heads: [["id", "id-cell"], ["arrival", ""], ["source", "id-cell"], ["date", "day"], ["excerpt", ""]], lines: of.texts,
    cells: (row) => [textLink(row.id), row.family === undefined ? t("arrived_" + row.verdict) : link(t("arrived_" + row.verdict), here("family", row.family)), sourceOf(row), dayOf(row), markedWords(row.excerpt, of.words)]};
}

function searchForm() {
  const input = h("input", {type: "search", id: "search-words", value: found.words});
  const go = () => {
    const asked_ = input.value.trim().replace(/\s+/g, " ");
    if (asked_ === "") return input.focus();
    const to = addressOf(here("search", asked_));
    if (location.hash === to) follow();
    else location.hash = to;
  };
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
  return h("div", {class: "look", role: "search"}, h("label", {class: "wide", for: "search-words"}, h("span", {}, t("search_words")), input), button(t("search"), t("search_hint"), go, {id: "search"}));
}
