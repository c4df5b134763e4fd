// Colours of classes, which the page holds beside its values: the same as in all other pictures of petree.

let colours = [];

/** Takes over the colours; to be called before anything is drawn. */
export function setColours(given) {
  colours = given;
}

/** The colour of a class. */
export function colourOf(place) {
  return colours[place % colours.length];
}

/** The colour of a node: that of its class, fainter the less it says. */
export function colourOfNode(place, probability, nClasses) {
  const sure = nClasses === 1 ? 1 : Math.max(0, (probability - 1 / nClasses) / (1 - 1 / nClasses));
  return `color-mix(in srgb, ${colourOf(place)} ${Math.round(14 + 51 * sure)}%, var(--surface))`;
}
