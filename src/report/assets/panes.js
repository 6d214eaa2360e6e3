// Two texts side by side scroll together, by the passages that both have, and every passage is one press away.
const markOf = (pane, passage) => pane.querySelector(`mark[data-passage="${Number(passage)}"]`);
const topIn = (pane, mark) => mark.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;

// [[top in one, top in the other], ..] of the passages that both panes show, by their order in the first.
function anchors(one, other) {
  const seen = new Set(), tops = [];
  for (const mark of one.querySelectorAll("mark")) {
    const {passage} = mark.dataset, twin = seen.has(passage) ? null : markOf(other, passage);
    seen.add(passage);
    if (twin) tops.push([topIn(one, mark), topIn(other, twin)]);
  }
  return tops;
}

// Brings the other pane to the place that the first one shows: between two passages in the same order by their distances,
// elsewhere by the passage above.
function align(one, other) {
  const line = one.clientHeight / 4, at = one.scrollTop + line, tops = anchors(one, other);
  let below = tops.findIndex(([top]) => top > at);
  if (below < 0) below = tops.length;
  const before = below > 0 ? tops[below - 1] : [0, 0], after = tops[below] ?? [one.scrollHeight, other.scrollHeight];
  const share = after[1] > before[1] ? Math.min(1, (at - before[0]) / Math.max(1, after[0] - before[0])) * (after[1] - before[1]) : at - before[0];
  other.scrollTop = before[1] + share - line;
}

// The pane that the reader moves leads; the other one follows.
function scrollTogether(panes) {
  let leader = null;
  panes.forEach((pane, i) => {
    for (const name of ["wheel", "pointerdown", "touchstart", "keydown"]) pane.addEventListener(name, () => { leader = pane; }, {passive: true});
    pane.addEventListener("scroll", () => { if (leader === pane) align(pane, panes[1 - i]); });
  });
}

function showPassage(panes, passage) {
  for (const pane of panes) {
    const mark = markOf(pane, passage);
    pane.querySelectorAll("mark.on").forEach((other) => other.classList.remove("on"));
    if (!mark) continue;
    pane.scrollTop = topIn(pane, mark) - pane.clientHeight / 4;
    pane.querySelectorAll(`mark[data-passage="${Number(passage)}"]`).forEach((each) => each.classList.add("on"));
  }
}
// The numbers of the passages; null for fewer than two, which are in sight.
function passageStrip(panes, passages) {
  if (passages.length < 2) return null;
  return h("div", {class: "strip", role: "group", "aria-label": t("passages_all")}, h("span", {class: "soft"}, t("passages_all")),
    passages.map((passage) => button(String(passage), t("show_both", {n: passage}), () => showPassage(panes, passage), {"aria-label": t("show_both", {n: passage})})));
}
