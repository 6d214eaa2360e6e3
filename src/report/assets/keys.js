// Single keys, for readers who go through many rows.
const KEYS = [
  [["j", "ArrowDown"], "next"], [["k", "ArrowUp"], "previous"], [["o", "Enter"], "open"], [["r"], "right"], [["w"], "wrong"], [["u"], "unmark"], [["/"], "search"],
  [["n", "p"], "pages"], [["g", "G"], "ends"], [["e"], "export"], [["?"], "help"], [["Esc"], "close"],
];

function rowNodesInOrder() {
  return [...document.querySelectorAll("[data-row]")];
}
function currentNode() {
  const node = document.activeElement?.closest?.("[data-row]");
  if (node) return node;
  const panel = document.activeElement?.closest?.("tr.texts, details");
  if (panel) return panel.matches("details") ? panel.querySelector("[data-row]") : panel.previousElementSibling.querySelector("[data-row]");
  return document.activeElement?.closest?.("tr")?.querySelector("[data-row]") ?? null;
}
const isOpen = (node) => (node.matches("summary") ? node.parentElement.open : node.getAttribute("aria-expanded") === "true");
function setOpen(node, open) {
  if (isOpen(node) === open) return;
  if (!node.matches("summary")) toggleRow(rows[Number(node.dataset.row)], open);
  else if (open) unfold.get(node.parentElement)();
  else node.parentElement.open = false;
}
function goTo(node) {
  node.focus({preventScroll: true});
  node.scrollIntoView({block: isOpen(node) ? "start" : "nearest"});
}
function step(by) {
  const from = currentNode(), nodes = rowNodesInOrder();
  if (from === null) {
    const first = nodes.find((node) => node.matches("#documents [data-row]")) ?? nodes[0];
    if (first) goTo(first);
    return;
  }
  const follow = isOpen(from), inList = from.matches("#documents [data-row]");
  let to = nodes[nodes.indexOf(from) + by];
  if (inList && (to === undefined || !to.matches("#documents [data-row]")) && list.turn(by)) {
    const fresh = [...document.querySelectorAll("#documents [data-row]")];
    to = by > 0 ? fresh[0] : fresh[fresh.length - 1];
  }
  if (to === undefined) return;
  if (follow) {
    setOpen(from, false);
    setOpen(to, true);
  }
  goTo(to);
}
function atEnd(last) {
  const nodes = [...document.querySelectorAll("#documents [data-row]")];
  if (nodes.length > 0) goTo(nodes[last ? nodes.length - 1 : 0]);
}
function turnTo(by) {
  if (list.turn?.(by)) atEnd(false);
}

const keyPressed = (event) => actOn(event, () => {
  const node = currentNode(), row = node === null ? null : rows[Number(node.dataset.row)];
  const onRow = node !== null && document.activeElement === node;
  return {
    j: () => step(1), k: () => step(-1), o: node && (() => setOpen(node, !isOpen(node))),
    ArrowDown: onRow && (() => step(1)), ArrowUp: onRow && (() => step(-1)),
    r: row && (() => setMark(row, rightMark(row))), w: row && (() => setMark(row, !rightMark(row))), u: row && (() => setMark(row, null)),
    "/": () => document.getElementById("search")?.focus(), n: () => turnTo(1), p: () => turnTo(-1),
    g: () => atEnd(false), G: () => atEnd(true), e: () => exportLabels(), "?": showHelp,
  };
});
