// Small bars: the classes of a node side by side, and one class with its interval.

import { colourOf } from "./colours.js";
import { html, svg } from "./dom.js";
import { share } from "./words.js";

const LEAST = 0.004;

/** The probabilities of a node as pieces of one bar, drawn into a picture. */
export function stackedBar(probabilities, x, y, width, height) {
  let at = x;
  const pieces = [];
  probabilities.forEach((probability, place) => {
    if (probability >= LEAST) {
      pieces.push(svg("rect", { x: at, y, width: width * probability, height, style: `fill:${colourOf(place)}` }));
    }
    at += width * probability;
  });
  return svg("g", { class: "bar" }, pieces);
}

/** One probability as a bar, with its interval as a line across. */
export function intervalBar(place, probability, lower, upper) {
  const line = html("span", { class: "whisker", style: `left:${100 * lower}%;width:${100 * (upper - lower)}%` });
  const filled = html("span", { class: "filled", style: `width:${100 * probability}%;background:${colourOf(place)}` });
  return html("span", { class: "interval", title: `${share(probability)} (${share(lower)} to ${share(upper)})` }, filled, line);
}

/** A square of a class's colour beside its name. */
export function key(place, text) {
  return html("span", { class: "key" }, html("span", { class: "square", style: `background:${colourOf(place)}` }), text);
}
