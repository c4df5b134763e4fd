// The model of the page: nodes with all that is shown of them, read from a model file (docs/model-files.md).

const WITH_VALUE = new Set(["<", "=", "in", "query"]);

/** Read what the page holds; `isFlat` says whether rows of one table can be answered. */
export function readModel(content) {
  const { model, texts, bounds } = content;
  const nClasses = texts.classes.length;
  const factors = model.factors || null;
  const nodes = model.tree.nodes.map((line, id) => ({
    id,
    parent: null,
    branch: null,
    children: [],
    test: null,
    depth: 0,
    counts: line.slice(0, nClasses),
    weight: sum(line.slice(0, nClasses)),
    n: texts.sizes[id],
    probabilities: moved(blended(model.answers, id, nClasses), factors),
    lower: bounds.lower[id].map((bound) => bound * bounds.unit),
    upper: bounds.upper[id].map((bound) => bound * bounds.unit),
    text: texts.branches[id],
    question: texts.tests[id],
  }));
  const columns = model.columns.map((column, place) => ({
    place,
    name: texts.columns[place],
    kind: column.kind,
    quantity: column.quantity || "",
    categories: texts.categories[place],
    rawName: column.name,
    rawCategories: column.categories || [],
  }));
  const built = { nodes, columns, classes: texts.classes, classWeight: model.tree.class_weight, factors, voices: model.answers, level: bounds.level };
  wire(built, model.tree, nClasses);
  nodes.forEach((node) => { node.prediction = predictionOf(built, node.probabilities); });
  built.leaves = nodes.filter((node) => node.test === null);
  built.depth = Math.max(...nodes.map((node) => node.depth));
  built.isFlat = content.queries === null;
  return built;
}

function wire({ nodes, columns }, tree, nClasses) {
  let next = 0;
  const children = tree.children || nodes.slice(1).map((node) => node.id);
  tree.nodes.forEach((line, id) => {
    if (line.length === nClasses) return;
    const test = readTest(line[nClasses]);
    const isEach = test.sign === "each";
    const nBranches = isEach ? columns[test.column].categories.length + (test.missing !== null) : 2;
    const node = nodes[id];
    node.test = test;
    node.children = children.slice(next, next + nBranches).map((child) => nodes[child]);
    next += nBranches;
    const total = sum(node.children.map((child) => child.weight));
    node.children.forEach((child, branch) => {
      child.parent = node;
      child.branch = branch;
      child.depth = node.depth + 1;
      child.share = total > 0 ? child.weight / total : 1 / nBranches;
    });
  });
}

function readTest(line) {
  const hasValue = WITH_VALUE.has(line[0]);
  const missing = line[hasValue ? 3 : 2];
  if (line[0] === "query") return { sign: "query", column: null, value: line[1], missing: null };
  return { sign: line[0], column: line[1], value: hasValue ? line[2] : null, missing: missing === undefined ? null : missing };
}

function blended(voices, id, nClasses) {
  return Array.from({ length: nClasses }, (_, c) => sum(voices.map((voice) => voice.weight * voice.probabilities[id][c])));
}

/** Probabilities at other base rates: `factors` are the new ones over those of training, null where nothing moves. */
export function moved(probabilities, factors) {
  if (factors === null) return probabilities;
  const masses = probabilities.map((value, place) => value * factors[place]);
  const total = sum(masses);
  return masses.map((mass) => mass / total);
}

/** The class that is predicted: the first whose probability times its weight is largest, to rounding. */
export function predictionOf({ classWeight }, probabilities) {
  const weighted = probabilities.map((value, place) => (classWeight ? value * classWeight[place] : value));
  const most = Math.max(...weighted);
  return weighted.findIndex((value) => value >= most - 1e-12);
}

/** The nodes from the root to a node. */
export function pathTo(node) {
  const path = [];
  for (let at = node; at !== null; at = at.parent) path.unshift(at);
  return path;
}

export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
