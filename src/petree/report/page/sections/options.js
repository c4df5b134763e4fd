// What a tree with options averages over: the tests by which its trees begin.

import { colourOf } from "../parts/colours.js";
import { html, section } from "../parts/dom.js";
import { counted, percent } from "../parts/words.js";

/** The section of options; null for other trees. */
export function optionsSection({ options }) {
  if (options === null) return null;
  const most = options.first[0][1];
  const lines = options.first.map(([test, weight]) => html("tr", {},
    html("th", { scope: "row" }, test),
    html("td", { class: "wide" }, html("span", { class: "interval" }, html("span", { class: "filled", style: `width:${(100 * weight) / most}%;background:${colourOf(0)}` }))),
    html("td", { class: "right" }, percent(weight))));
  const rest = options.n_first - options.first.length;
  const lead = `The trees of this model begin with ${counted(options.n_first, "test")}; how much each counts in the average${rest > 0 ? ` (the first ${options.first.length} of them)` : ""}:`;
  return section("options", "Options", lead,
    html("table", { class: "small classes" }, html("caption", { class: "unseen" }, "First tests"), html("tbody", {}, lines)));
}
