// Queries: compares one text with an index, or two texts with each other.
const utf8 = new TextEncoder();

// The parts of a text in the form that the report draws: [number of a passage or 0, text]. Ranges are in bytes of UTF-8.
function partsOf(text, ranges) {
  const encoded = utf8.encode(text), decoder = new TextDecoder();
  const parts = [];
  let at = 0;
  const take = (passage, end) => {
    if (end > at) parts.push([passage, decoder.decode(encoded.subarray(at, end))]);
    at = Math.max(at, end);
  };
  for (const [passage, [begin, end]] of [...ranges].sort((x, y) => x[1][0] - y[1][0])) {
    take(0, begin);
    take(passage, end);
  }
  take(0, encoded.length);
  return parts;
}

// A row of the report, made of two texts and the answer of the server.
function rowOf(compared, a, b) {
  const side = (name, {id, place, text}) => ({id, place, bytes: compared[name].bytes,
    parts: partsOf(text, compared.passages.map((passage, i) => [i + 1, passage[name]]))});
  return {score: -1, margin: null, measure: 0, outcome: 2, loss: null, template: 0, jaccard: compared.jaccard, containment: Math.max(compared.a.containment, compared.b.containment),
    edit: compared.edit, a: side("a", a), b: side("b", b)};
}

function compared(row) {
  const panel = pairPanel(row);
  if (row.edit !== null) panel.querySelector(".scores").append(h("span", {}, t("edit") + " ", h("b", {}, decimals(row.edit))));
  return panel;
}

const said = () => document.getElementById("said");
function tell(...nodes) {
  said().replaceChildren(...nodes.flat());
  said().hidden = false;
}
const failure = (error) => tell(h("p", {class: "failed"}, error.detail === undefined ? t("unreachable") : t("failed", {detail: error.detail})));

// The current texts and the query settings, which are kept when the language changes.
const asked = {two: false, index: "default", texts: ["", ""], from: [null, null], id: ""};
let last = () => {};
// What does not count where parts are looked for.
const leftOut = {quotations: false, bibliography: false, base: "", baseName: ""};
const exclusionNames = () => ["quotations", "bibliography"].filter((name) => leftOut[name]);

function exclusionsRow() {
  const box = (name) => {
    const input = h("input", {type: "checkbox", id: "leave-" + name, checked: leftOut[name]});
    input.addEventListener("change", () => { leftOut[name] = input.checked; });
    return h("label", {}, input, " ", t("leave_" + name));
  };
  const file = h("input", {type: "file", hidden: true, id: "leave-base", tabIndex: -1});
  const name = h("span", {class: "soft", role: "status"}, leftOut.baseName === "" ? "" : words(leftOut.baseName));
  const drop = button(t("leave_nothing"), "", () => {
    Object.assign(leftOut, {base: "", baseName: ""});
    name.replaceChildren();
    drop.hidden = true;
  }, {class: "link", hidden: leftOut.base === ""});
  file.addEventListener("change", async () => {
    try {
      const read = await textOf(file.files[0]);
      Object.assign(leftOut, {base: read.text, baseName: file.files[0].name});
      name.replaceChildren(words(leftOut.baseName));
      drop.hidden = false;
    } catch (error) {
      name.replaceChildren(error.detail ?? t("unreachable"));
    }
  });
  return h("fieldset", {class: "exclusions", id: "leave", hidden: !findsParts(asked.index)}, h("legend", {}, t("leave_out")),
    box("quotations"), box("bibliography"), button(t("leave_base"), t("leave_base_hint"), () => file.click(), {class: "link"}), file, name, drop);
}

async function check(add) {
  const text = asked.texts[0], index = asked.index;
  if (text.trim() === "") return tell(h("p", {class: "soft"}, t("empty")));
  const leaves = findsParts(index);
  tell(h("p", {class: "soft"}, t("asking")));
  try {
    const answer = add ? await post(`v1/indexes/${index}/check-and-add`, {id: asked.id.trim(), text}) : await post(`v1/indexes/${index}/check` + (leaves && exclusionNames().length > 0 ? "?exclude=" + exclusionNames().join() : ""), {text, ...(leaves && leftOut.base !== "" ? {base: leftOut.base} : {})});
    let match = null;
    if (answer.match) {
      const stored = await post(`v1/indexes/${index}/get`, {id: answer.match.id});
      if (stored.found) match = rowOf(await post("v1/compare", {a: text, b: stored.text}), {id: "", place: "", text}, {id: stored.id, place: "", text: stored.text});
    }
    const read = asked.from[0];
    last = () => show(answer, match, add, index, text, read);
  } catch (error) {
    last = () => failure(error);
  }
  last();
  said().focus({preventScroll: true});
  addressed(await noteTexts([index, "check"], [text]));
  refresh();
}
// Says so where a result is too long for an address.
function addressed(noted) {
  if (!noted) said().append(h("p", {class: "soft"}, t("no_address")));
}

function show(answer, match, added, index, text, read) {
  const heading = h("h2", {class: answer.verdict}, answer.verdict === "refused" ? t("said_refused", {reason: answer.reason})
    : answer.too_short ? t("said_short")
    : say("said_" + answer.verdict, {id: h("b", {}, ident(answer.match?.id ?? "")), b: h("b", {}, t("parts_word"))}));
  const notes = [];
  if (answer.known) notes.push(t("said_known"));
  else if (added && answer.verdict !== "refused") notes.push(say("said_added", {id: ident(answer.id)}));
  if (read !== null) notes.push(t(read.encoding ? "said_read" : "said_read_by", {name: read.name, kind: t("kind_" + read.kind), encoding: read.encoding ?? ""}));
  if (answer.verdict === "new" && !answer.known) {
    if (answer.too_short) notes.push(t("said_too_short"));
    else notes.push(t(findsParts(index) ? "said_looked_for_parts" : "said_looked_for"));
    const {candidates = 0, ids = false, keys = false} = answer.bounded ?? {};
    if (candidates > 0) notes.push(t("said_not_compared", {n: candidates}));
    if (ids || keys) notes.push(t("said_common"));
  }
  if (match !== null) {
    match.a.id = t("your_text");
    match.a.place = t("given");
    match.b.place = t("of_index");
  }
  tell(heading, notes.map((note) => h("p", {class: "soft"}, note)), match === null ? [] : compared(match), partNodes(answer, index, text), how(index, text));
}

// Details that are filled with the nodes that `make` promises, when they are opened. Meanwhile they hold `waiting`.
function filledWhenOpened(properties, summary, make, ...waiting) {
  const content = h("div", {class: "panel"});
  const node = h("details", properties, h("summary", {}, h("span", {}, ...summary), h("span", {class: "fold"})), content);
  node.addEventListener("toggle", async () => {
    if (!node.open || content.childNodes.length > 0) return;
    content.append(...waiting);
    try {
      content.replaceChildren(...await make());
    } catch (error) {
      content.replaceChildren(h("p", {class: "failed"}, error.detail ?? t("unreachable")));
    }
  });
  return node;
}

function how(index, text) {
  return filledWhenOpened({}, [t("how")], async () => {
    const explained = await post(`v1/indexes/${index}/explain`, {text});
    return [h("p", {class: "soft"}, t("how_keys", {n: explained.keys.length, units: explained.units})), explained.candidates.length === 0
      ? h("p", {}, t("how_none"))
      : h("div", {class: "scroll"}, h("table", {}, h("thead", {}, h("tr", {}, ["candidate", "fate", "measure_0", "measure_1", "units"].map((name, i) => h("th", {scope: "col", class: i > 1 ? "number" : ""}, t(name))))),
          h("tbody", {}, explained.candidates.map((each) => h("tr", {}, h("td", {}, ident(each.id)), h("td", {}, t("fate_" + each.fate)),
            [each.jaccard, each.containment].map((value) => h("td", {class: "number"}, value > 0 ? decimals(value) : "–")), h("td", {class: "number"}, number(each.units)))))))];
  });
}

async function compareTwo() {
  const [a, b] = asked.texts;
  if (a.trim() === "" || b.trim() === "") return tell(h("p", {class: "soft"}, t("empty")));
  tell(h("p", {class: "soft"}, t("asking")));
  try {
    const answer = await post("v1/compare", {a, b});
    last = () => {
      const row = rowOf(answer, {id: t("first_text"), place: t("given"), text: a}, {id: t("second_text"), place: t("given"), text: b});
      tell(h("h2", {class: answer.similar ? "near" : "new"}, h("b", {}, t(answer.identical ? "identical" : answer.similar ? "similar" : "not_similar"))), compared(row));
    };
  } catch (error) {
    last = () => failure(error);
  }
  last();
  said().focus({preventScroll: true});
  addressed(await noteTexts(["~compare"], [a, b]));
}
const send = () => (asked.two ? compareTwo() : check(false));

// A text field that accepts files as well.
function field(i) {
  const name = t(asked.two ? (i === 0 ? "first_text" : "second_text") : "text");
  const area = h("textarea", {id: "text-" + i, spellcheck: false, value: asked.texts[i], lang: languageOf(asked.texts[i]), dir: "auto"});
  const box = h("div", {}, h("label", {for: area.id}, name), area);
  area.addEventListener("input", () => {
    asked.texts[i] = area.value;
    asked.from[i] = null;
    area.lang = languageOf(area.value);
  });
  const take = async (files) => {
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return takeFiles([...files]);
    try {
      const read = await textOf(file);
      area.value = asked.texts[i] = read.text;
      area.lang = languageOf(area.value);
      asked.from[i] = {name: file.name, ...read};
      send();
    } catch (error) {
      last = () => (error.detail === undefined ? failure(error) : tell(h("h2", {class: "refused"}, t("said_unread", {name: file.name})), h("p", {}, error.detail)));
      last();
      said().focus({preventScroll: true});
    }
  };
  for (const [event, on] of [["dragenter", true], ["dragover", true], ["dragleave", false], ["drop", false]])
    box.addEventListener(event, (given) => {
      if (!given.dataTransfer.types.includes("Files")) return;
      given.preventDefault();
      box.classList.toggle("drop", on);
      if (event === "drop") take(given.dataTransfer.files);
    });
  const picker = h("input", {type: "file", hidden: true, multiple: true, id: "file-" + i});
  picker.addEventListener("change", () => take(picker.files));
  box.append(picker);
  return box;
}

function askSection() {
  const two = asked.two;
  const choose = h("select", {id: "index", "aria-label": t("index")}, indexes.map((index) => h("option", {value: index.name, selected: index.name === asked.index}, index.name)));
  choose.addEventListener("change", () => {
    asked.index = choose.value;
    document.getElementById("leave").hidden = !findsParts(asked.index);
  });
  const id = h("input", {type: "text", id: "new-id", size: 14, value: asked.id, "aria-label": t("add_hint"), title: t("add_hint")});
  const add = button(t("add"), "", () => check(true));
  const ready = () => {
    asked.id = id.value;
    add.disabled = id.value.trim() === "";
  };
  id.addEventListener("input", ready);
  ready();
  const turn = button(t(two ? "one" : "two"), "", () => {
    asked.two = !asked.two;
    last = () => {};
    build();
    document.getElementById("text-0").focus();
  }, {class: "link", id: "turn"});
  const open = button(t("file"), "", () => document.getElementById("file-0").click(), {class: "link"});
  return h("section", {id: "ask", class: "lede small", "aria-labelledby": "ask-title"}, h("h1", {id: "ask-title"}, t(two ? "compare_title" : "ask_title")),
    two ? null : h("p", {class: "soft"}, t("ask_about")),
    h("div", {class: two ? "ask two" : "ask"}, two ? [field(0), field(1)] : field(0)),
    h("div", {class: "actions"}, button(t(two ? "compare" : "check"), "Ctrl+Enter", send, {class: "main", id: "send"}), two ? null : [choose, add, id],
      h("span", {class: "gap-end"}), open, turn), two ? null : exclusionsRow(),
    h("div", {id: "said", class: "said", role: "status", tabIndex: -1, hidden: true}));
}

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
