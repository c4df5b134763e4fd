// The page: reads what it holds, and puts the sections below each other.

import { exampleSection } from "./explain/example_section.js";
import { explainSection } from "./explain/explain_section.js";
import { readModel } from "./model/model.js";
import { setColours } from "./parts/colours.js";
import { columnsSection } from "./sections/columns.js";
import { fillHead } from "./sections/head.js";
import { optionsSection } from "./sections/options.js";
import { originSection } from "./sections/origin.js";
import { pruningSection } from "./sections/pruning.js";
import { qualitySection } from "./sections/quality.js";
import { rulesSection } from "./sections/rules.js";
import { treeState } from "./tree/state.js";
import { treeSection } from "./tree/tree_section.js";

const content = JSON.parse(document.getElementById("content").textContent);
setColours(content.colours);
const model = readModel(content);
const state = treeState(model);
const tree = treeSection(state, content);
const explain = (model.isFlat ? explainSection : exampleSection)(state, content, show);
const quality = qualitySection(model, content);

function show(leaf) {
  state.choose(leaf);
  document.getElementById("tree").scrollIntoView({ block: "start" });
  tree.reveal(leaf.id);
}

const sections = [
  tree.element,
  explain.element,
  quality.element,
  rulesSection(model, content, show),
  optionsSection(content),
  pruningSection(content),
  columnsSection(model, content),
  originSection(content),
].filter(Boolean);

document.getElementById("main").replaceChildren(...sections);
fillHead(model, content, sections);
tree.begin();
explain.begin();
quality.begin();
document.documentElement.dataset.ready = "yes";
