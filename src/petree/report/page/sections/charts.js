// The charts of one class, each a figure with its title and a sentence for those who cannot see it.

import * as Plot from "@observablehq/plot";
import { colourOf } from "../parts/colours.js";
import { html } from "../parts/dom.js";
import { number, percent, share } from "../parts/words.js";

const SIZE = { width: 320, height: 270, marginLeft: 46, marginBottom: 40, style: { background: "transparent", fontSize: "12px" } };
const UNIT = { domain: [0, 1], nice: false };

/** A chart under its title. */
export function figure(title, description, options) {
  const drawn = Plot.plot({ ...SIZE, ...options });
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label"); // the whole has one
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", `${title}. ${description}`);
  return html("figure", {}, html("figcaption", {}, html("strong", {}, title), html("span", { class: "quiet" }, description)), drawn);
}

const diagonal = (from, to) => Plot.line([from, to], { stroke: "currentColor", strokeOpacity: 0.35, strokeDasharray: "4 4" });

export function rocChart(curves, place) {
  const points = [{ x: 0, y: 0 }, ...curves.true_rate.map((y, at) => ({ x: curves.false_rate[at], y, t: curves.threshold[at] }))];
  return figure("ROC curve", `Area ${number(curves.auc)}: how often a row of the class is ranked above another.`, {
    x: { ...UNIT, label: "false positive rate" }, y: { ...UNIT, label: "true positive rate" },
    marks: [
      diagonal([0, 0], [1, 1]),
      Plot.areaY(points, { x: "x", y1: 0, y2: "y", fill: colourOf(place), fillOpacity: 0.12 }),
      Plot.line(points, { x: "x", y: "y", stroke: colourOf(place), strokeWidth: 2.5 }),
      Plot.tip(points.slice(1), Plot.pointer({ x: "x", y: "y", title: (d) => `threshold ${share(d.t)}\ntrue positives ${percent(d.y)}\nfalse positives ${percent(d.x)}`, fill: "var(--surface)", ariaHidden: true })),
    ],
  });
}

export function precisionChart(curves, place) {
  const points = curves.precision.map((y, at) => ({ x: curves.true_rate[at], y, t: curves.threshold[at] }));
  return figure("Precision and recall", `The dashed line is the share of the class, ${percent(curves.share)}.`, {
    x: { ...UNIT, label: "recall" }, y: { ...UNIT, label: "precision" },
    marks: [
      diagonal([0, curves.share], [1, curves.share]),
      Plot.line([{ x: 0, y: points[0].y }, ...points], { x: "x", y: "y", stroke: colourOf(place), strokeWidth: 2.5 }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (d) => `threshold ${share(d.t)}\nprecision ${percent(d.y)}\nrecall ${percent(d.x)}`, fill: "var(--surface)", ariaHidden: true })),
    ],
  });
}

export function reliabilityChart(curves, place) {
  const { reliability } = curves;
  const points = reliability.n.map((n, at) => ({
    n, x: reliability.predicted[at], y: reliability.observed[at], lower: reliability.lower[at], upper: reliability.upper[at],
  }));
  return figure("Reliability", `Points on the line mean probabilities that can be believed. Calibration error ${number(curves.calibration_error)}.`, {
    x: { ...UNIT, label: "predicted probability" }, y: { ...UNIT, label: "observed frequency" }, r: { range: [3, 10] },
    marks: [
      diagonal([0, 0], [1, 1]),
      Plot.ruleX(points, { x: "x", y1: "lower", y2: "upper", stroke: colourOf(place), strokeWidth: 2 }),
      Plot.dot(points, { x: "x", y: "y", r: (d) => Math.sqrt(d.n), fill: colourOf(place), stroke: "var(--surface)" }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (d) => `${d.n} rows\npredicted ${share(d.x)}\nobserved ${share(d.y)} (${share(d.lower)} to ${share(d.upper)})`, fill: "var(--surface)", ariaHidden: true })),
    ],
  });
}

export function histogramChart(curves, place, name) {
  const { of_class: ofClass, others } = curves.histogram;
  const bar = (n, at, who) => ({ n, who, x1: at / ofClass.length, x2: (at + 1) / ofClass.length });
  const bars = [...ofClass.map((n, at) => bar(n, at, "class")), ...others.map((n, at) => bar(n, at, "others"))];
  const fill = (d) => (d.who === "class" ? colourOf(place) : "color-mix(in srgb, currentColor 30%, var(--surface))");
  return figure("Probabilities", `How often each is given: in colour to rows of ${name}, in grey to all others.`, {
    x: { ...UNIT, label: `probability of ${name}` }, y: { label: "rows", grid: true, tickFormat: "s" },
    marks: [
      Plot.rectY(bars, { x1: "x1", x2: "x2", y: "n", fill, insetLeft: 0.5, insetRight: 0.5, title: (d) => `${d.n} rows` }),
      Plot.ruleY([0]),
    ],
  });
}

export function sizesChart(sizes) {
  const points = sizes.n_leaves.map((n, at) => ({ n, bits: sizes.bits[at] }));
  const chosen = points.filter(({ n }) => n === sizes.chosen);
  return figure("Sizes of the tree", `Log loss of left-out cases at each size; the tree has ${sizes.chosen} leaves.`, {
    width: Math.min(720, document.documentElement.clientWidth - 64), height: 280,
    x: { type: "log", label: "leaves", tickFormat: ",d" }, y: { label: "bits a case", grid: true },
    marks: [
      Plot.line(points, { x: "n", y: "bits", stroke: colourOf(0), strokeWidth: 2 }),
      Plot.ruleX(chosen, { x: "n", stroke: colourOf(5), strokeDasharray: "4 3" }),
      Plot.dot(chosen, { x: "n", y: "bits", r: 6, fill: colourOf(5) }),
      Plot.tip(points, Plot.pointerX({ x: "n", y: "bits", title: (d) => `${d.n} leaves\n${d.bits} bits a case`, fill: "var(--surface)", ariaHidden: true })),
    ],
  });
}
