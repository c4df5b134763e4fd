// Dates, times and durations, which are numbers of microseconds, as people write them.

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** The first moment or duration that is not below a number, as short as can be. */
export function quantityText(quantity, value) {
  const moment = Math.ceil(value);
  if (quantity === "time") return clockText(moment);
  if (quantity === "duration") return durationText(moment);
  return quantity === "date" ? dateText(moment) : `${dateText(moment)} UTC`;
}

/** A number of a column: plain, or what its quantity makes of it. */
export function numberText(column, value) {
  return column.quantity === "" ? String(value) : quantityText(column.quantity, value);
}

/** A date, with a time unless it is midnight. */
function dateText(moment) {
  const day = Math.floor(moment / DAY);
  const date = new Date((day * DAY) / 1000);
  if (Number.isNaN(date.getTime())) return String(moment);
  const rest = moment - day * DAY;
  return `${date.toISOString().split("T")[0]}${rest ? ` ${clockText(rest)}` : ""}`;
}

function clockText(moment) {
  const seconds = Math.floor(moment / SECOND);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const fraction = String(moment - seconds * SECOND).padStart(6, "0").replace(/0+$/, "");
  return parts.map((part) => String(part).padStart(2, "0")).join(":") + (fraction ? `.${fraction}` : "");
}

/** Days and a time, or either of them alone. */
function durationText(length) {
  const days = Math.floor(Math.abs(length) / DAY);
  const rest = Math.abs(length) - days * DAY;
  const whole = `${days} ${days === 1 ? "day" : "days"}`;
  const text = rest === 0 ? whole : days === 0 ? clockText(rest) : `${whole} ${clockText(rest)}`;
  return length < 0 ? `-${text}` : text;
}
