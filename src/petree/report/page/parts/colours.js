// Colours of classes: those of Okabe and Ito, which eyes of every kind tell apart; then the same, lighter and darker.

const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a900", "#7f7f7f"];
const SHADES = [null, "white 45%", "black 40%"];

/** The colour of a class. */
export function colourOf(place) {
  const base = PALETTE[place % PALETTE.length];
  const shade = SHADES[Math.floor(place / PALETTE.length) % SHADES.length];
  return shade === null ? base : `color-mix(in srgb, ${base}, ${shade})`;
}

/** The colour of a node: that of its class, fainter the less it says. */
export function colourOfNode(place, probability, nClasses) {
  const sure = nClasses === 1 ? 1 : Math.max(0, (probability - 1 / nClasses) / (1 - 1 / nClasses));
  return `color-mix(in srgb, ${colourOf(place)} ${Math.round(14 + 51 * sure)}%, var(--surface))`;
}
