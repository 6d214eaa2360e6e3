// Where parts of a text come from, as an index by the scheme "reuse" answers it.
const findsParts = (index) => indexes.some((each) => each.name === index && each.scheme === "reuse");

// The two texts side by side, with the passages that the index found.
async function partPanel(index, text, part) {
  const stored = await post(`v1/indexes/${index}/get`, {id: part.id});
  if (!stored.found || stored.text === "") return h("p", {class: "soft"}, t("nobody"));
  const answer = await post("v1/compare", {a: text, b: stored.text});
  return compared(rowOf({...answer, passages: part.passages}, {id: t("your_text"), place: t("given"), text}, {id: part.id, place: t("of_index"), text: stored.text}));
}

// A text that holds a part. Its panel is filled when it is opened.
function partNode(index, text, part, open) {
  const content = h("div", {class: "panel"});
  const node = h("details", {class: "part", open}, h("summary", {}, h("span", {}, ident(part.id), h("span", {class: "soft"}, " " + t("part_shares", {n: part.passages.length, yours: percent(part.share, 1), its: percent(part.share_of_source, 1)}))), h("span", {class: "fold"})), content);
  const fill = async () => {
    if (!node.open || content.childNodes.length > 0) return;
    content.append(h("p", {class: "soft"}, t("asking")));
    try {
      content.replaceChildren(await partPanel(index, text, part));
    } catch (error) {
      content.replaceChildren(h("p", {class: "failed"}, error.detail ?? t("unreachable")));
    }
  };
  node.addEventListener("toggle", fill);
  return node;
}

// The list of them, the longest part first. The first is open where no text is similar as a whole.
const partNodes = (answer, index, text) => ((answer.parts ?? []).length === 0 ? []
  : [h("h3", {}, t("parts_title")), h("p", {class: "soft"}, t("parts_about")), ...answer.parts.map((part, i) => partNode(index, text, part, i === 0 && !answer.match))]);
