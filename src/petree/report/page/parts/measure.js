// How wide a text is drawn, in the font of the page.

const context = document.createElement("canvas").getContext("2d");

/** The width of a text in pixels; `style` is such as "600 13px". */
export function widthOf(text, style) {
  context.font = `${style} ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}

/** A text as one line, or as two where it is too long for one; of more the beginning. */
export function linesOf(text, room, style) {
  const words = text.split(" ");
  let n = 1;
  while (n < words.length && widthOf(words.slice(0, n + 1).join(" "), style) <= room) n += 1;
  const rest = words.slice(n).join(" ");
  return [words.slice(0, n).join(" "), rest].filter(Boolean).map((line) => fitted(line, room, style));
}

/** The beginning of a text, with as many letters as there is room for. */
export function fitted(text, room, style) {
  if (widthOf(text, style) <= room) return text;
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (widthOf(`${text.slice(0, middle)}…`, style) <= room) fits = middle;
    else tooLong = middle;
  }
  return `${text.slice(0, fits)}…`;
}
