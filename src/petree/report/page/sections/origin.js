// Where the page comes from.

import { html, section } from "../parts/dom.js";

/** The section of the command, the parameters and the versions. */
export function originSection({ origin }) {
  const pairs = (lines) => html("dl", { class: "pairs" }, lines.map(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]));
  const settings = origin.parameters.length ? pairs(origin.parameters) : html("p", {}, "All parameters have their defaults.");
  return section("origin", "About", null,
    html("h3", {}, "Model"), html("p", {}, origin.estimator), settings,
    origin.command === null ? null : [html("h3", {}, "Command"), html("pre", { tabindex: 0 }, origin.command)],
    html("h3", {}, "Versions"), pairs(origin.versions),
    html("p", { class: "quiet" }, "Intervals are credible intervals of the class probabilities. This file holds all that it shows and asks no server for anything."));
}
