// Finds the characters that differ between two stretches of text at the same place.
const MOST_CELLS = 1000000;  // of the table, which take a hundredth of a second

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, {granularity: "grapheme"}) : null;
// What a reader sees as one character.
const characters = (text) => (segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text));

// Returns two arrays of booleans, one entry for each character: true if it has no counterpart in the longest common
// subsequence. Returns null if the two are too long to compare, or share less than a third of the longer one: then the
// counterparts of characters have no meaning.
function differing(x, y) {
  let begin = 0, endX = x.length, endY = y.length;
  while (begin < endX && begin < endY && x[begin] === y[begin]) ++begin;
  while (endX > begin && endY > begin && x[endX - 1] === y[endY - 1]) { --endX; --endY; }
  const rows = endX - begin, columns = endY - begin, width = columns + 1;
  if (rows * columns > MOST_CELLS) return null;
  // length[i][j] is that of the longest common subsequence of the rests from i and j on.
  const length = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; --i)
    for (let j = columns - 1; j >= 0; --j)
      length[i * width + j] = x[begin + i] === y[begin + j] ? length[(i + 1) * width + j + 1] + 1
        : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
  const common = begin + (x.length - endX) + length[0];
  if (3 * common < Math.max(x.length, y.length)) return null;
  const inX = new Array(x.length).fill(false), inY = new Array(y.length).fill(false);
  let i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && x[begin + i] === y[begin + j]) { ++i; ++j; }
    else if (j === columns || (i < rows && length[(i + 1) * width + j] >= length[i * width + j + 1])) inX[begin + i++] = true;
    else inY[begin + j++] = true;
  }
  return [inX, inY];
}

// The stretches of one side by their place: a passage by its number, text between two passages by both numbers. A stretch
// of which a part is omitted has no place, and neither has a template that only one side has.
function stretches(parts) {
  const places = new Map();
  let before = "^", gap = [];
  const close = (after) => {
    if (gap.length === 1) places.set(before + ">" + after, gap[0]);
    gap = [];
  };
  const seen = new Map();
  parts.forEach((part) => seen.set(part[0], (seen.get(part[0]) ?? 0) + 1));
  for (const part of parts) {
    if (part[0] === 0) {
      if (!(part[2] > 0)) gap.push(part);
      continue;
    }
    close(String(part[0]));
    before = String(part[0]);
    if (seen.get(part[0]) === 1) places.set(before, part);
  }
  close("$");
  return places;
}

// For each part (by identity), its characters and which of them differ.
function differences(partsA, partsB) {
  const marks = new Map(), placesB = stretches(partsB);
  for (const [place, a] of stretches(partsA)) {
    const b = placesB.get(place);
    if (b === undefined || typeof a[1] !== "string" || typeof b[1] !== "string" || a[1] === b[1]) continue;
    const x = characters(a[1]), y = characters(b[1]), found = differing(x, y);
    if (found === null) continue;
    marks.set(a, [x, found[0]]);
    marks.set(b, [y, found[1]]);
  }
  return marks;
}
