// Every operation of /openapi.json with its parameters and its example, ready to be sent.
let api = null;

const resolved = (part) => (part.$ref === undefined ? part : part.$ref.slice(2).split("/").reduce((at, name) => at[name], api));
const methodsOf = (path) => Object.entries(api.paths[path]);
const kindOf = (operation) => {
  const kinds = Object.keys(operation.requestBody?.content ?? {});
  return kinds.includes("application/json") ? "application/json" : kinds.find((kind) => operation.requestBody.content[kind].example !== undefined) ?? kinds[0];
};
const pretty = (text) => {
  try { return JSON.stringify(JSON.parse(text), null, 1); } catch { return text; }
};

// The address with its parameters; an empty one of the query is left out.
function addressWith(path, parameters, values) {
  const query = new URLSearchParams();
  let to = path;
  parameters.forEach((parameter, i) => {
    const value = values[i].value;
    if (parameter.in === "path") to = to.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === "query" && value !== "") query.set(parameter.name, value);
  });
  return to.slice(1) + (query.size > 0 ? "?" + query : "");
}

// The form of an operation, which is made when it is opened.
function operationForm(path, method, operation) {
  const parameters = (operation.parameters ?? []).map(resolved).filter((parameter) => parameter.in !== "header");
  const values = parameters.map(({name, example}) => h("input", {type: "text", value: String(example ?? ""), name}));
  const kind = kindOf(operation), example = kind === undefined ? undefined : operation.requestBody.content[kind].example;
  const body = kind === undefined ? null : h("textarea", {spellcheck: false, value: typeof example === "string" ? example : JSON.stringify(example ?? {}, null, 1)});
  const answer = h("div", {role: "status"});
  const send_ = async () => {
    answer.replaceChildren(h("p", {class: "soft"}, t("asking")));
    const began = performance.now();
    try {
      const response = await fetch(addressWith(path, parameters, values), {method: method.toUpperCase(), credentials: "omit", cache: "no-store",
        headers: {...authorised(), ...(body === null ? {} : {"Content-Type": kind})}, body: body === null ? undefined : body.value});
      const text = await response.text(), ms = performance.now() - began;
      if (response.status === 401) openTokens();
      answer.replaceChildren(h("p", {}, h("b", {}, `${response.status} ${response.statusText}`), " ", h("span", {class: "soft"}, t("api_took", {ms: number(Math.round(ms))}))),
        text === "" ? "" : h("pre", {tabIndex: 0, lang: languageOf(text)}, visible(pretty(text))));
    } catch {
      answer.replaceChildren(h("p", {class: "failed"}, t("unreachable")));
    }
  };
  const answers = Object.entries(operation.responses).map(([status, response]) => h("tr", {}, h("th", {scope: "row"}, status), h("td", {}, resolved(response).description ?? "")));
  return h("div", {class: "form"}, operation.description === undefined ? null : h("p", {class: "soft"}, operation.description),
    values.map((value, i) => h("label", {}, h("span", {}, parameters[i].name, parameters[i].description === undefined ? "" : ": " + parameters[i].description), value)),
    body === null ? null : h("label", {}, h("span", {}, t("api_body"), " ", kind), body),
    h("div", {}, button(t("api_send"), "", send_, {class: "main"})), answer,
    h("details", {}, h("summary", {}, h("span", {}), h("span", {}, t("api_answers")), h("i", {class: "fold"})), h("table", {}, h("tbody", {}, answers))));
}

function operationNode(path, method, operation) {
  const node = h("details", {class: "operation", id: operation.operationId}, h("summary", {}, h("span", {class: "method"}, method.toUpperCase()),
    h("span", {}, h("code", {}, path), h("span", {class: "opening"}, operation.summary)), h("i", {class: "fold"})));
  node.addEventListener("toggle", () => {
    if (node.open && node.childElementCount === 1) node.append(operationForm(path, method, operation));
  });
  return node;
}

function build() {
  document.documentElement.lang = LANGUAGES[language];
  sections = [];
  bar();
  tokenButton();
  help([[["?"], "help"]]);
  const tagged = new Map();
  for (const path of Object.keys(api?.paths ?? {}))
    for (const [method, operation] of methodsOf(path)) {
      const tag = operation.tags?.[0] ?? "";
      if (!tagged.has(tag)) tagged.set(tag, []);
      tagged.get(tag).push(operationNode(path, method, operation));
    }
  document.getElementById("main").replaceChildren(h("div", {class: "lede small"}, h("h1", {}, t("api_title")), h("p", {class: "soft"}, t("api_about"))),
    ...[...tagged].map(([tag, nodes]) => section("tag-" + tag, tag, tag, api.tags?.find(({name}) => name === tag)?.description ?? "", nodes)));
  contents();
  document.getElementById("footer").replaceChildren(h("a", {href: "./"}, "leitong"), " · ", h("a", {href: "openapi.json"}, "openapi.json"));
}
const openNamed = () => {
  const node = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (node?.classList.contains("operation")) node.open = true;
};

async function start() {
  startFrame(build, (event) => actOn(event, () => ({"?": showHelp})));
  document.getElementById("token").addEventListener("click", openTokens);
  try {
    api = await (await fetch("openapi.json")).json();
    build();
    openNamed();
  } catch {
    build();
    document.getElementById("main").append(h("p", {class: "failed"}, t("unreachable")));
  }
  addEventListener("hashchange", openNamed);
}
start();
