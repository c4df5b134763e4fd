// How good the probabilities are: measures, charts of a class, and the confusion matrix.

import { choice, html, labelled, section } from "../parts/dom.js";
import { count, counted, number } from "../parts/words.js";
import { histogramChart, precisionChart, reliabilityChart, rocChart } from "./charts.js";

// Classes of which a matrix is drawn at full size.
const FEW = 10;
const NO_DATA = "Nothing was measured: the report was made without rows whose classes are known. Make it again with a table that the model has not learned from.";

/** The section of quality. */
export function qualitySection(model, { quality }) {
  if (quality === null) return { element: section("quality", "How good", NO_DATA), begin() {} };
  const charts = html("div", { class: "charts" });
  const places = quality.curves.map((_, place) => place).filter((place) => quality.curves[place] !== null);

  function show(place) {
    const curves = quality.curves[place];
    charts.replaceChildren(rocChart(curves, place), precisionChart(curves, place), reliabilityChart(curves, place), histogramChart(curves, place, model.classes[place]));
  }

  const first = model.classes.length === 2 ? places.indexOf(1) : 0;
  const which = choice(places.map((place) => model.classes[place]), first, (at) => show(places[at]));
  const parts = places.length ? [html("div", { class: "tools" }, labelled("Charts of the class", which)), charts] : [];
  const lead = `Measured on ${counted(quality.n, "row")}; the figure below each is what the base rates of the training rows alone would reach.`;
  const note = quality.shown === null ? null : html("p", { class: "note" }, "The large figures, the charts and the table of predictions are those of the whole model. The figures of the summary, the tree drawn above, are marked as such.");
  const element = section("quality", "How good", lead, note, measureTiles(quality), parts, confusionTable(model, quality.confusion));
  return { element, begin: () => { if (places.length) show(places[first]); } };
}

function measureTiles({ measures, shown }) {
  const text = (value) => (value === null ? "–" : number(value));
  return html("ul", { class: "measures" }, measures.map(([name, value, base, meaning], place) => html("li", {},
    html("span", { class: "name" }, shown === null ? name : `${name}, whole model`),
    html("strong", {}, text(value)),
    shown === null ? null : html("span", { class: "summary" }, `summary ${text(shown[place])}`),
    html("span", { class: "quiet" }, base === null ? "\u00a0" : `base rates ${number(base)}`),
    html("span", { class: "quiet" }, meaning))));
}

function confusionTable(model, confusion) {
  const totals = confusion.map((line) => line.reduce((total, value) => total + value, 0));
  const lines = confusion.map((line, truth) => html("tr", {},
    html("th", { scope: "row" }, model.classes[truth]),
    line.map((value, said) => {
      const part = totals[truth] ? value / totals[truth] : 0;
      const shade = `background:color-mix(in srgb, var(--${truth === said ? "right" : "wrong"}) ${Math.round(55 * part)}%, transparent)`;
      return html("td", { class: "right", style: shade }, count(value));
    })));
  const head = html("tr", {}, html("th", { scope: "col" }, "true class"), model.classes.map((name) => html("th", { scope: "col", class: "right" }, name)));
  const table = html("table", { class: model.classes.length > FEW ? "confusion many" : "confusion" }, html("caption", { class: "unseen" }, "Confusion matrix"), html("thead", {}, head), html("tbody", {}, lines));
  return html("div", {}, html("h3", {}, "Predictions and true classes"),
    html("p", { class: "quiet" }, "A line for each true class, a column for each prediction."),
    html("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Confusion matrix" }, table));
}
