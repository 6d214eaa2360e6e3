// Where parts of a text come from, as an index by the scheme "reuse" answers it.
const findsParts = (index) => indexes.some((each) => each.name === index && each.scheme === "reuse");

// The two texts side by side, with the passages that the index found.
async function partPanel(index, text, part) {
  const stored = await post(`v1/indexes/${index}/get`, {id: part.id});
  if (!stored.found || stored.text === "") return h("p", {class: "soft"}, t("nobody"));
  const answer = await post("v1/compare", {a: text, b: stored.text});
  return compared(rowOf({...answer, passages: part.passages}, {id: t("your_text"), place: t("given"), text}, {id: part.id, place: t("of_index"), text: stored.text}));
}

// A text that holds a part.
function partNode(index, text, part, open) {
  const shares = t("part_shares", {n: part.passages.length, yours: percent(part.share, 1), its: percent(part.share_of_source, 1)});
  return filledWhenOpened({class: "part", open}, [ident(part.id), h("span", {class: "soft"}, " " + shares)],
    async () => [await partPanel(index, text, part)], h("p", {class: "soft"}, t("asking")));
}

// The list of them, the longest part first. The first is open where no text is similar as a whole.
const partNodes = (answer, index, text) => ((answer.parts ?? []).length === 0 ? []
  : [h("h3", {}, t("parts_title")), h("p", {class: "soft"}, t("parts_about")), ...answer.parts.map((part, i) => partNode(index, text, part, i === 0 && !answer.match))]);
