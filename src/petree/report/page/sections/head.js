// The head of the page: what model this is, in a few figures, and the colours of the page.

import { html } from "../parts/dom.js";
import { counted, count, number } from "../parts/words.js";
import { themeButton } from "./theme.js";

const KINDS = {
  ProbabilityTreeClassifier: "Probability tree",
  OptionTreeClassifier: "Option tree",
  RelationalTreeClassifier: "Relational tree",
  RelationalOptionTreeClassifier: "Relational option tree",
};

/** Fills the head and the list of places. */
export function fillHead(model, content, sections) {
  const kind = KINDS[content.origin.estimator];
  const { options } = content;
  const ofSummary = options ? " of the summary" : "";
  const ofWhole = options ? ", whole model" : " on the data";
  const figures = [
    ...(options ? [[count(options.n_nodes), "nodes of the whole model"]] : []),
    [count(model.leaves.length), `${model.leaves.length === 1 ? "leaf" : "leaves"}${ofSummary}`],
    ...(options ? [] : [[count(model.depth), model.depth === 1 ? "test deep" : "tests deep"]]),
    [count(model.nodes[0].n), "rows learned from"],
    [count(model.classes.length), "classes"],
    ...measuresOf(content.quality, ofWhole),
  ];
  document.title = `${kind}${options ? ", summary" : ""} of ${counted(model.leaves.length, "leaf", "leaves")} – petree report`;
  document.getElementById("head").append(
    html("div", { class: "title" }, html("h1", {}, kind), html("p", {}, `Predicts ${model.classes.slice(0, 6).join(", ")}${model.classes.length > 6 ? ", …" : ""}`)),
    html("ul", { class: "figures" }, figures.map(([value, what]) => html("li", {}, html("strong", {}, value), html("span", {}, what)))),
    themeButton());
  document.getElementById("places").append(html("ul", {}, sections.map((element) =>
    html("li", {}, html("a", { href: `#${element.id}` }, element.querySelector("h2").textContent)))));
  document.querySelectorAll('a[href^="#"]').forEach((link) => link.addEventListener("click", follow));
}

/** The log loss and the AUC, also those of the summary. */
function measuresOf(quality, ofWhole) {
  if (quality === null) return [];
  const text = (value) => (value === null ? "–" : number(value));
  return quality.measures.flatMap(([name, value], place) => {
    if (name !== "Log loss" && !name.startsWith("AUC")) return [];
    const title = name === "Log loss" ? "bits per row" : name;
    const own = [text(value), `${title}${ofWhole}`];
    return quality.shown === null ? [own] : [own, [text(quality.shown[place]), `${title}, summary`]];
  });
}

/** Goes to a section without an address: in a notebook's frame the address of the page is that of the notebook. */
function follow(event) {
  const place = document.querySelector(event.currentTarget.getAttribute("href"));
  event.preventDefault();
  place.setAttribute("tabindex", -1);
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}
