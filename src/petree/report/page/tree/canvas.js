// The drawing that is zoomed, moved, pointed at and walked by keys, whichever view draws in it.

import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";
import { svg } from "../parts/dom.js";
import { count, share } from "../parts/words.js";
import { hideHover, showHover } from "./hover.js";

const EDGE = 16;
const SMALLEST = 0.05;
const LARGEST = 4;
const NARROW = 600;

/**
 * A drawing of the state by `draw(state, group, width)`, which returns a box and the places of nodes; `least` is the
 * smallest scale at which it begins, in a wide frame and in a narrow one.
 */
export function canvas(state, draw, label, least) {
  const group = svg("g");
  const element = svg("svg", { class: "canvas", role: "group", "aria-label": label }, group);
  const zooming = zoom().scaleExtent([SMALLEST, LARGEST]).filter(isMoving).on("zoom", ({ transform }) => group.setAttribute("transform", transform));
  const selection = select(element).call(zooming).on("dblclick.zoom", null);
  let drawn = null;
  let nodes = [];
  let links = [];

  function shape() {
    const isFocused = element.contains(document.activeElement);
    drawn = draw(state, group, Math.max(300, element.clientWidth - 2 * EDGE));
    nodes = [...group.querySelectorAll("[data-node]")];
    links = [...group.querySelectorAll("[data-to]")];
    nodes.forEach((node) => describe(state, node));
    marks();
    if (isFocused) focusOn(state.chosen.id);
  }

  function marks() {
    const inOrder = tabbable();
    for (const node of nodes) {
      const id = Number(node.dataset.node);
      node.classList.toggle("chosen", id === state.chosen.id);
      node.classList.toggle("hit", state.hits.has(id));
      node.classList.toggle("faded", state.hits.size > 0 && !state.hits.has(id));
      node.classList.toggle("on-path", state.path.has(id));
      const order = id === inOrder ? "0" : "-1";
      if (node.getAttribute("tabindex") !== order) node.setAttribute("tabindex", order);
    }
    for (const link of links) link.classList.toggle("on-path", state.path.has(Number(link.dataset.to)));
  }

  const leastScale = () => (element.clientWidth < NARROW ? least.narrow : least.wide);

  const tabbable = () => (drawn.places.has(state.chosen.id) ? state.chosen.id : state.root.id);

  function focusOn(id) {
    const node = group.querySelector(`[data-node="${id}"]`);
    if (node) node.focus({ preventScroll: true });
  }

  function fit(smallest) {
    const { box } = drawn;
    const room = { width: element.clientWidth, height: element.clientHeight };
    const scale = Math.max(smallest, Math.min(1, (room.width - 2 * EDGE) / box.width, (room.height - 2 * EDGE) / box.height));
    zooming.scaleExtent([Math.min(SMALLEST, scale), LARGEST]);
    const isTall = box.height * scale > room.height;
    const start = drawn.places.get(state.root.id);
    const y = isTall ? room.height / 2 - start.y * scale : (room.height - box.height * scale) / 2 - box.y * scale;
    selection.call(zooming.transform, zoomIdentity.translate(EDGE, box.y === 0 ? EDGE : y).scale(scale));
  }

  /** Makes the frame as high as the drawing, within the bounds of the page. */
  function frame() {
    element.parentElement.style.setProperty("--drawn", `${drawn.box.height + 4 * EDGE}px`);
  }

  /** Moves the drawing if a node stands outside. */
  function reveal(id) {
    const node = group.querySelector(`[data-node="${id}"]`);
    if (!node) return;
    const own = node.getBoundingClientRect();
    const frame = element.getBoundingClientRect();
    const isInside = own.left >= frame.left && own.right <= frame.right && own.top >= frame.top && own.bottom <= frame.bottom;
    const place = drawn.places.get(id);
    const seen = [Math.max(EDGE, frame.width - own.width - 3 * EDGE), frame.height / 2];
    if (!isInside && own.width < frame.width) selection.call(zooming.translateTo, place.x, place.y, seen);
  }

  window.addEventListener("beforeprint", () => {
    if (drawn === null) return;
    const { x, y, width, height } = drawn.box;
    element.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    group.removeAttribute("transform");
  });
  window.addEventListener("afterprint", () => {
    element.removeAttribute("viewBox");
    group.setAttribute("transform", zoomTransform(element));
  });
  listenTo(element, state, (id) => {
    reveal(id);
    focusOn(id);
  });
  return {
    element, shape, marks, reveal,
    isTooWide: () => drawn.box.width * leastScale() > element.clientWidth - 2 * EDGE,
    begin() {
      frame();
      fit(leastScale());
    },
    /** Shows all that is drawn, however small. */
    overview() {
      frame();
      fit(0);
    },
    scale(factor) { selection.call(zooming.scaleBy, factor); },
  };
}

/** Drags move and fingers pinch; the wheel zooms with Ctrl alone, so that it still scrolls the page. */
function isMoving(event) {
  return event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button;
}

function describe(state, element) {
  const node = state.model.nodes[Number(element.dataset.node)];
  const prediction = `${state.model.classes[node.prediction]} with probability ${share(node.probabilities[node.prediction])}`;
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", `${node.text}: ${prediction}, ${count(node.n)} cases`);
  if (node.test !== null) element.setAttribute("aria-expanded", state.isOpen(node));
}

function listenTo(element, state, show) {
  const nodeAt = (event) => {
    const found = event.target.closest("[data-node]");
    return found ? state.model.nodes[Number(found.dataset.node)] : null;
  };
  element.addEventListener("click", (event) => {
    const toggle = event.target.closest("[data-toggle]");
    const node = nodeAt(event);
    if (toggle) state.toggle(node);
    else if (node) state.choose(node);
  });
  element.addEventListener("dblclick", (event) => {
    const node = nodeAt(event);
    if (node && node.test !== null) state.toggle(node);
  });
  element.addEventListener("keydown", (event) => {
    const node = nodeAt(event);
    if (node && act(state, node, event.key, show)) event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    const node = event.pointerType === "mouse" && event.buttons === 0 ? nodeAt(event) : null;
    if (node) showHover(state.model, node, event.clientX, event.clientY);
    else hideHover();
  });
  element.addEventListener("pointerleave", hideHover);
  element.addEventListener("focusin", (event) => {
    if (!event.target.matches(":focus-visible")) return;
    const frame = event.target.getBoundingClientRect();
    showHover(state.model, nodeAt(event), frame.left, frame.bottom);
  });
  element.addEventListener("focusout", hideHover);
}

/** Left and right go up and down the tree, up and down to siblings; Enter chooses, Space opens and closes. */
function act(state, node, key, show) {
  const siblings = node.parent === null ? [node] : node.parent.children;
  const next = {
    ArrowLeft: node === state.root ? null : node.parent,
    ArrowRight: state.isOpen(node) ? node.children[0] : null,
    ArrowUp: siblings[node.branch - 1],
    ArrowDown: siblings[node.branch + 1],
    Home: state.root,
  };
  if (key === "Escape") hideHover();
  else if (key === "Enter") state.choose(node);
  else if (key === " " && node.test !== null) state.toggle(node);
  else if (key === "ArrowRight" && node.test !== null && !state.isOpen(node)) state.toggle(node);
  else if (key in next) {
    if (next[key]) {
      state.choose(next[key]);
      show(next[key].id);
    }
  } else return false;
  return true;
}
