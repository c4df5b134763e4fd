// Why the tree is as small as it is.

import { section, html } from "../parts/dom.js";
import { sortedTable } from "../parts/table.js";
import { counted } from "../parts/words.js";
import { sizesChart } from "./charts.js";

/** The section of what was pruned, and of the sizes that were tried; null where there is nothing to tell. */
export function pruningSection({ pruning, sizes }) {
  if (pruning === null && sizes === null) return null;
  const parts = [];
  if (sizes !== null && sizes.n_leaves.length > 1) parts.push(sizesChart(sizes));
  if (pruning !== null && pruning.cut.length) parts.push(cutTable(pruning));
  return section("pruning", "Why this size", leadOf(pruning), parts);
}

function leadOf(pruning) {
  if (pruning === null) return "";
  const what = pruning.cut.length ? `cut ${counted(pruning.cut.length, "subtree")} of what had been grown` : "cut nothing that had been grown";
  return `${pruning.criterion} ${what}.`;
}

function cutTable({ names, cut }) {
  const columns = [
    { title: "Where", value: (line) => line[0] },
    { title: "What stood there", value: (line) => line[1] },
    { title: names[0], isNumber: true, value: (line) => Number(line[2]), cell: (line) => line[2] },
    { title: names[1], isNumber: true, value: (line) => Number(line[3]), cell: (line) => line[3] },
    { title: "Verdict", value: (line) => line[4] },
  ];
  return html("div", {}, html("h3", {}, "What was cut"), sortedTable("Subtrees that were cut", columns, cut).element);
}
