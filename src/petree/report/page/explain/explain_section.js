// The section in which any row is explained.

import { html, section } from "../parts/dom.js";
import { counted } from "../parts/words.js";
import { answerTo, wholeOf } from "./answer_panel.js";
import { rowForm } from "./form.js";
import { rowPicker } from "./picker.js";

const LEAD = "Fill in a row, or pick one; the answer follows. It is computed here by the same rules as by predict_proba: where a value is missing or new, the branches below answer together. The path is marked in the tree above.";

/** The section, and `begin`; `show(leaf)` is called with one that shall be seen in the tree. */
export function explainSection(state, content, show) {
  const { model } = state;
  const tested = new Set(model.nodes.filter((node) => node.test).map((node) => node.test.column));
  const columns = model.columns.filter((column) => tested.has(column.place));
  const panel = html("div", { class: "panel answer", "aria-live": "polite" });
  let whole = null;
  let truth = null;

  const form = rowForm(model, columns, (row) => {
    const found = answerTo(model, row, { whole, truth, isSummary: content.options !== null });
    const seen = html("button", { type: "button", click: () => show(found.path.at(-1)) }, "Show the leaf in the tree");
    panel.replaceChildren(...found.elements, html("p", { class: "buttons" }, seen));
    panel.dataset.probabilities = JSON.stringify(found.probabilities);
    state.showPath(found.path);
    whole = null;
    truth = null;
  });
  const picker = content.rows === null ? null : rowPicker(model, content.rows, content.rows.answers.map((_, place) => `row ${place + 1}`), (place) => {
    whole = wholeOf(content.rows, place);
    truth = content.rows.truth === null ? null : content.rows.truth[place];
    form.set(content.rows.columns.map((column) => column[place]));
  });
  const nOthers = model.columns.length - columns.length;
  const others = nOthers ? html("p", { class: "quiet" }, `The tree does not look at ${counted(nOthers, "other column")}.`) : null;
  const clear = html("button", { type: "button", click: () => form.set(model.columns.map(() => null)) }, "Clear: all values missing");
  const left = html("div", { class: "panel" }, picker ? picker.element : null, form.element, html("p", { class: "buttons" }, clear), others);
  const element = section("explain", "Explain a row", LEAD, html("div", { class: "beside even" }, left, panel));
  return { element, begin: () => (picker ? picker.begin() : form.set(model.columns.map(() => null))) };
}
