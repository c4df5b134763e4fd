// Elements made one by one: names, categories and classes are only ever text, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** An element of HTML; an attribute that is a function listens to the event of its name. */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of a drawing. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A section of the page, with its heading and a sentence of what it is for. */
export function section(id, title, lead, ...children) {
  const heading = html("h2", { id: `${id}-title` }, title);
  const sentence = lead ? html("p", { class: "lead" }, lead) : null;
  return html("section", { id, "aria-labelledby": `${id}-title` }, heading, sentence, ...children);
}

let nLabels = 0;

/** A control under its name. */
export function labelled(text, control) {
  nLabels += 1;
  if (!control.id) control.id = `field-${nLabels}`;
  return html("div", { class: "field" }, html("label", { for: control.id }, text), control);
}

/** A choice among texts; `change` gets the place of the chosen one. */
export function choice(texts, chosen, change, attributes = {}) {
  const options = texts.map((text, place) => html("option", { value: place, selected: place === chosen }, text));
  return html("select", { ...attributes, change: (event) => change(Number(event.target.value)) }, options);
}
