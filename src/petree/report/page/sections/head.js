// The head of the page: what model this is, in a few figures, and the colours of the page.

import { html } from "../parts/dom.js";
import { counted, count, number } from "../parts/words.js";
import { themeButton } from "./theme.js";

const KINDS = {
  ProbabilityTreeClassifier: "Probability tree",
  OptionTreeClassifier: "Option tree",
  RelationalTreeClassifier: "Relational tree",
};

/** Fills the head and the list of places. */
export function fillHead(model, content, sections) {
  const kind = KINDS[content.origin.estimator];
  const measures = content.quality ? content.quality.measures : [];
  const figures = [
    [count(model.leaves.length), model.leaves.length === 1 ? "leaf" : "leaves"],
    [count(model.depth), model.depth === 1 ? "test deep" : "tests deep"],
    [count(model.nodes[0].n), "rows learned from"],
    [count(model.classes.length), "classes"],
    ...measures.filter(([name]) => name.startsWith("AUC") || name === "Log loss")
      .map(([name, value]) => [value === null ? "–" : number(value), name === "Log loss" ? "bits a row on the data" : `${name} on the data`]),
  ];
  document.title = `${kind} of ${counted(model.leaves.length, "leaf", "leaves")} – petree report`;
  document.getElementById("head").append(
    html("div", { class: "title" }, html("h1", {}, kind), html("p", {}, `Predicts ${model.classes.slice(0, 6).join(", ")}${model.classes.length > 6 ? ", …" : ""}`)),
    html("ul", { class: "figures" }, figures.map(([value, what]) => html("li", {}, html("strong", {}, value), html("span", {}, what)))),
    themeButton());
  document.getElementById("places").append(html("ul", {}, sections.map((element) =>
    html("li", {}, html("a", { href: `#${element.id}` }, element.querySelector("h2").textContent)))));
  document.querySelectorAll('a[href^="#"]').forEach((link) => link.addEventListener("click", follow));
}

/** Goes to a section without an address: in a notebook's frame the address of the page is that of the notebook. */
function follow(event) {
  const place = document.querySelector(event.currentTarget.getAttribute("href"));
  event.preventDefault();
  place.setAttribute("tabindex", -1);
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}
