// All leaves as rules, to sort and to filter.

import { intervalBar, key } from "../parts/bars.js";
import { html, section } from "../parts/dom.js";
import { sortedTable } from "../parts/table.js";
import { count, counted, interval, share } from "../parts/words.js";

const LEAD = "One rule for each leaf. A click on a heading sorts; a click on a prediction shows the leaf in the tree.";

/** The section of rules; `show(leaf)` is called with one that was chosen. */
export function rulesSection(model, content, show) {
  const p = (leaf) => leaf.probabilities[leaf.prediction];
  const rule = (leaf) => content.texts.rules[leaf.id];
  const columns = [
    { title: "Prediction", value: (leaf) => model.classes[leaf.prediction], cell: (leaf) => key(leaf.prediction, model.classes[leaf.prediction]) },
    { title: "Probability", isNumber: true, value: p, cell: (leaf) => share(p(leaf)) },
    {
      title: "Interval", value: (leaf) => leaf.lower[leaf.prediction],
      cell: (leaf) => html("span", { class: "with-bar" }, intervalBar(leaf.prediction, p(leaf), leaf.lower[leaf.prediction], leaf.upper[leaf.prediction]), interval(leaf.lower[leaf.prediction], leaf.upper[leaf.prediction])),
    },
    { title: "n", isNumber: true, value: (leaf) => leaf.n, cell: (leaf) => count(leaf.n) },
    { title: "Rule", value: rule },
  ];
  const table = sortedTable("Rules of the leaves", columns, model.leaves, { pick: show, sort: 3 });
  const found = html("output", { class: "quiet", "aria-live": "polite" });
  const input = html("input", {
    type: "search", placeholder: "Filter the rules", "aria-label": "Filter the rules",
    input(event) {
      const text = event.target.value.trim().toLowerCase();
      const n = table.filter((leaf) => `${rule(leaf)} ${model.classes[leaf.prediction]}`.toLowerCase().includes(text));
      found.textContent = text === "" ? "" : counted(n, "rule");
    },
  });
  return section("rules", "Rules", LEAD, html("div", { class: "tools" }, input, found), table.element);
}
