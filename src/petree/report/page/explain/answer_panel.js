// The answer for a row: the prediction, the path to it, what the columns contribute, and the nearest other prediction.

import { answer, UNKNOWN } from "../model/answering.js";
import { predictionOf, pathTo } from "../model/model.js";
import { contributions } from "../model/shapley.js";
import { nearestOther, wordsOf } from "../model/nearest.js";
import { intervalBar, key } from "../parts/bars.js";
import { colourOf } from "../parts/colours.js";
import { html } from "../parts/dom.js";
import { quantityText } from "../parts/moments.js";
import { counted, interval, number, percent, share } from "../parts/words.js";

const MOST_CLASSES = 8;
const MOST_COLUMNS = 10;

/** What to show for a row; `told` has what is known beside the tree, each where there is any: `whole`, `truth`, `isSummary`. */
export function answerTo(model, row, told) {
  const found = answer(model, row);
  const prediction = predictionOf(model, found.probabilities);
  const parts = [
    predictionPart(model, found, prediction, told),
    classesPart(model, found),
    pathPart(model, found, prediction),
    otherPart(model, row, prediction),
    found.isByRow || model.factors !== null ? null : contributionPart(model, row, prediction),
  ];
  return { elements: parts.filter(Boolean), path: pathTo(found.leaf), probabilities: found.probabilities };
}

/** The probabilities and bounds that the whole of a tree with options gives for a row of the data; null for other models. */
export function wholeOf({ answers, bounds }, place) {
  return bounds === null ? null : { probabilities: answers[place], lower: bounds.lower[place], upper: bounds.upper[place] };
}

/** What to show for an example that ends at a leaf. */
export function answerOf(model, leaf, told) {
  const found = { leaf, probabilities: leaf.probabilities, lower: leaf.lower, upper: leaf.upper, nLeaves: 1, isByRow: false, isStuck: () => false };
  return [
    predictionPart(model, found, leaf.prediction, told),
    classesPart(model, found),
    pathPart(model, found, leaf.prediction),
  ];
}

function predictionPart(model, found, prediction, { whole, truth, isSummary }) {
  const sentence = `${intervalText(model, found, prediction)}, ${counted(found.leaf.n, "training case")} in ${found.nLeaves > 1 ? "the heaviest leaf" : "the leaf"}`;
  const notes = [];
  if (found.nLeaves > 1) notes.push(`Some tests cannot be answered for this row, so ${counted(found.nLeaves, "leaf", "leaves")} answer together.`);
  if (found.isByRow) notes.push("Under this smoothing every leaf has a say, by the tests that the row fails on the path to it.");
  if (isSummary && !whole) notes.push("The whole model may give another probability; it is shown for rows of the data.");
  if (truth !== null) notes.push(`The true class of this row is ${model.classes[truth]}.`);
  const summary = html("div", { class: "prediction", style: `border-color:${colourOf(prediction)}` },
    isSummary ? html("div", { class: "quiet" }, "Summary, the tree above") : null,
    html("div", { class: "big" }, `${model.classes[prediction]} `, html("span", { id: "answer" }, share(found.probabilities[prediction]))),
    html("div", {}, sentence),
    notes.map((note) => html("div", { class: "quiet" }, note)));
  return whole ? html("div", {}, wholePart(model, whole), summary) : summary;
}

function wholePart(model, whole) {
  const prediction = predictionOf(model, whole.probabilities);
  return html("div", { class: "prediction whole", style: `border-color:${colourOf(prediction)}` },
    html("div", { class: "quiet" }, "Whole model"),
    html("div", { class: "big" }, `${model.classes[prediction]} `, html("span", { id: "whole-answer" }, share(whole.probabilities[prediction]))),
    html("div", {}, intervalText(model, whole, prediction)));
}

function intervalText(model, { lower, upper }, prediction) {
  return `${percent(model.level)} interval ${interval(lower[prediction], upper[prediction])}`;
}

function classesPart(model, found) {
  const order = found.probabilities.map((_, place) => place).sort((one, other) => found.probabilities[other] - found.probabilities[one]);
  const lines = order.slice(0, MOST_CLASSES).map((place) => html("tr", {},
    html("th", { scope: "row" }, key(place, model.classes[place])),
    html("td", { class: "wide" }, intervalBar(place, found.probabilities[place], found.lower[place], found.upper[place])),
    html("td", { class: "right" }, share(found.probabilities[place])),
    html("td", { class: "right" }, interval(found.lower[place], found.upper[place]))));
  const heads = ["class", "", "probability", "interval"];
  return html("table", { class: "small classes" },
    html("caption", { class: "unseen" }, "Probabilities of the classes"),
    html("thead", {}, html("tr", {}, heads.map((head, place) => (head ? html("th", { scope: "col", class: place > 1 ? "right" : "" }, head) : html("td", {}))))),
    html("tbody", {}, lines));
}

function pathPart(model, found, prediction) {
  const path = pathTo(found.leaf);
  const lines = path.map((node) => {
    const isStuck = node.parent !== null && found.isStuck(node.parent);
    const why = isStuck ? ` (not known: ${percent(node.share)} goes this way)` : "";
    const p = node.probabilities[prediction];
    return html("li", { class: isStuck ? "stuck" : "" },
      html("span", { class: "test" }, node.text, why),
      html("span", { class: "meter", "aria-hidden": "true" }, html("span", { style: `width:${100 * p}%;background:${colourOf(prediction)}` })),
      html("span", { class: "p" }, share(p)));
  });
  return html("div", {}, html("h3", {}, `The path: probability of ${model.classes[prediction]} after each test`), html("ol", { class: "path" }, lines));
}

function otherPart(model, row, prediction) {
  const found = nearestOther(model, row, prediction);
  const title = html("h3", {}, "The nearest other prediction");
  if (found === null) return html("div", {}, title, html("p", {}, "No change of values leads to another prediction."));
  const { changes, after } = found;
  const other = predictionOf(model, after.probabilities);
  const items = changes.map(({ column, asked }) => html("li", {}, html("strong", {}, wordsOf(column, asked)), ` (now ${valueText(column, row[column.place])})`));
  return html("div", {}, title,
    html("p", {}, `${model.classes[other]} ${share(after.probabilities[other])}, if ${counted(changes.length, "column")} ${changes.length === 1 ? "were" : "were all"} different:`),
    html("ul", {}, items));
}

function valueText(column, value) {
  if (value === null) return "missing";
  if (column.kind === "number") return column.quantity === "" ? number(value) : quantityText(column.quantity, value);
  return value === UNKNOWN ? "another value" : column.categories[value];
}

function contributionPart(model, row, prediction) {
  const { base, values } = contributions(model, row);
  const sorted = [...values].map(([place, parts]) => ({ column: model.columns[place], part: parts[prediction] }))
    .filter(({ part }) => Math.abs(part) > 5e-5)
    .sort((one, other) => Math.abs(other.part) - Math.abs(one.part));
  const most = Math.max(1e-9, ...sorted.map(({ part }) => Math.abs(part)));
  const lines = sorted.slice(0, MOST_COLUMNS).map(({ column, part }) => html("tr", {},
    html("th", { scope: "row" }, `${column.name} = ${valueText(column, row[column.place])}`),
    html("td", { class: "wide" }, html("span", { class: "lever", "aria-hidden": "true" }, html("span", {
      class: part > 0 ? "up" : "down",
      style: part > 0 ? `left:50%;width:${(50 * part) / most}%` : `right:50%;width:${(-50 * part) / most}%`,
    }))),
    html("td", { class: "right" }, `${part > 0 ? "+" : "−"}${Math.abs(part).toFixed(3)}`)));
  const sentence = `Beginning with ${share(base[prediction])}, the answer for a row of which nothing is known, these add up to the answer (Shapley values).`;
  return html("div", {}, html("h3", {}, `What each column adds to the probability of ${model.classes[prediction]}`),
    html("p", { class: "quiet" }, sentence),
    html("table", { class: "small classes" }, html("caption", { class: "unseen" }, "Contributions of columns"), html("tbody", {}, lines)));
}
