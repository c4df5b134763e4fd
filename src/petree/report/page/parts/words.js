// Numbers as people read them.

/** A probability: two digits, or as many more as it takes not to show as certain what is not. */
export function share(value) {
  for (let digits = 2; digits < 10; digits += 1) {
    const text = value.toFixed(digits);
    if (value <= 0 || value >= 1 || (Number(text) > 0 && Number(text) < 1)) return text;
  }
  return String(value);
}

/** A share of a hundred, such as "63%". */
export function percent(value) {
  const rounded = Math.round(100 * value);
  if (value > 0 && rounded === 0) return "<1%";
  if (value < 1 && rounded === 100) return ">99%";
  return `${rounded}%`;
}

/** A whole number with commas between thousands; weights keep two digits. */
export function count(value) {
  const rounded = Number.isInteger(value) ? value : Number(value.toFixed(2));
  return rounded.toLocaleString("en-US");
}

/** A number of four digits that count. */
export function number(value) {
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
}

/** So many things. */
export function counted(value, thing, things = `${thing}s`) {
  return `${count(value)} ${value === 1 ? thing : things}`;
}

/** Lower and upper bound. */
export function interval(lower, upper) {
  return `${share(lower)} to ${share(upper)}`;
}
