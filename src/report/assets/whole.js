// Whole texts, from the file that the run wrote for this page. A page from a disk reads only what its reader opens.
let textsFile = null;
const isCut = (row) => [...row.a.parts, ...row.b.parts].some((part) => typeof part[1] === "number");

// Gives the row both whole texts. Fails if the file is another one.
async function takeWhole(row) {
  const [a, b] = JSON.parse(await textsFile.slice(...row.whole).text());
  if (a[0] !== row.a.id || a[1] !== row.a.place || b[0] !== row.b.id || b[1] !== row.b.place) throw new Error("another file");
  row.a.parts = a[4];
  row.b.parts = b[4];
}

// A button that shows them, or nothing where nothing is left out. The file is asked for once. `redraw` draws the row again.
function wholeTexts(row, redraw) {
  if (!row.whole || !isCut(row)) return null;
  const said = h("span", {class: "soft", role: "status"}), file = h("input", {type: "file", hidden: true, tabIndex: -1});
  const show = () => takeWhole(row).then(redraw, () => {
    textsFile = null;
    said.textContent = t("whole_wrong", {file: data.texts_file});
  });
  file.addEventListener("change", () => {
    textsFile = file.files[0] ?? null;
    if (textsFile) show();
  });
  const press = () => (textsFile ? show() : file.click());
  return h("p", {class: "whole"}, button(t("whole"), t("whole_hint", {file: data.texts_file}), press), file, " ", said);
}
