// All leaves as rules, to sort and to filter.

import { intervalBar, key } from "../parts/bars.js";
import { html, section } from "../parts/dom.js";
import { sortedTable } from "../parts/table.js";
import { count, counted, interval, share } from "../parts/words.js";

const LEAD = "One rule for each leaf. A click on a heading sorts; a click on a verdict shows the leaf in the tree.";

/** The section of rules; `show(leaf)` is called with one that was chosen. */
export function rulesSection(model, content, show) {
  const p = (leaf) => leaf.probabilities[leaf.verdict];
  const rule = (leaf) => content.texts.rules[leaf.id];
  const columns = [
    { title: "Verdict", value: (leaf) => model.classes[leaf.verdict], cell: (leaf) => key(leaf.verdict, model.classes[leaf.verdict]) },
    { title: "Probability", isNumber: true, value: p, cell: (leaf) => share(p(leaf)) },
    {
      title: "Interval", value: (leaf) => leaf.lower[leaf.verdict],
      cell: (leaf) => html("span", { class: "with-bar" }, intervalBar(leaf.verdict, p(leaf), leaf.lower[leaf.verdict], leaf.upper[leaf.verdict]), interval(leaf.lower[leaf.verdict], leaf.upper[leaf.verdict])),
    },
    { title: "n", isNumber: true, value: (leaf) => leaf.n, cell: (leaf) => count(leaf.n) },
    { title: "Rule", value: rule },
  ];
  const table = sortedTable("Rules of the leaves", columns, model.leaves, { pick: show, sort: 3 });
  const found = html("output", { class: "quiet", "aria-live": "polite" });
  const input = html("input", {
    type: "search", placeholder: "Filter: a column, a value, a class", "aria-label": "Filter the rules",
    input(event) {
      const text = event.target.value.trim().toLowerCase();
      const n = table.filter((leaf) => `${rule(leaf)} ${model.classes[leaf.verdict]}`.toLowerCase().includes(text));
      found.textContent = text === "" ? "" : counted(n, "rule");
    },
  });
  return section("rules", "Rules", LEAD, html("div", { class: "tools" }, input, found), table.element);
}
