// Numbers and words as they are shown: short, rounded to what is known.

/** A text that is shown in one line or a few: cut where it is longer. */
export const clip = (/** @type {string} */ text, most = 120) => (text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : text);

const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 1859 -> "1,859" */
export const whole = (/** @type {number} */ n) => integers.format(n);

/** "1 edge", "2,410 edges" */
export const counted = (/** @type {number} */ n, one, many = `${one}s`) => `${whole(n)} ${n === 1 ? one : many}`;

/** How many decimals tell the values of a range apart. */
export function decimalsFor(/** @type {number} */ low, /** @type {number} */ high) {
  const span = Math.abs(high - low);
  if (!(span > 0) || !Number.isFinite(span)) return 4;
  return Math.min(8, Math.max(0, 4 - Math.ceil(Math.log10(span) + 1e-9)));
}

/** A score: fixed decimals where they serve, more for small ones, an exponent where none do, "–" for none. */
export function number(/** @type {number|null|undefined} */ value, decimals = 4) {
  if (value == null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-6)) return minus(value.toExponential(3));
  if (size > 0 && size < 0.5 * 10 ** -decimals) return minus(value.toFixed(1 - Math.floor(Math.log10(size))));
  if (Number.isInteger(value) && size >= 1000) return minus(whole(value));
  return minus(value.toFixed(decimals));
}

/** The same without trailing zeros: "1", "3.41". */
export function short(/** @type {number|null|undefined} */ value, decimals = 4) {
  const text = number(value, decimals);
  return text.includes("e") || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
}

/** A difference with its sign: "+0.0046", "−0.2". */
export function signed(/** @type {number} */ value, decimals = 4) {
  if (Number.isNaN(value)) return "–";
  if (value === 0) return "±0";
  return (value > 0 ? "+" : "") + number(value, decimals);
}

const minus = (text) => text.replace(/^-/, "−").replace("e-", "e−").replace("e+", "e");

/** "$0.012", "$1.24", "$1,204"; "–" for unknown. */
export function money(/** @type {number|null|undefined} */ value) {
  if (value == null || Number.isNaN(value)) return "–";
  if (value === 0) return "$0";
  if (value >= 1000) return `$${whole(value)}`;
  if (value >= 1) return `$${value.toFixed(2)}`;
  return `$${value.toFixed(value >= 0.00995 ? 3 : Math.min(8, 1 - Math.floor(Math.log10(value))))}`;
}

/** Tokens: "845", "12.3k", "4.1M". */
export function tokens(/** @type {number|null|undefined} */ n) {
  if (n == null || Number.isNaN(n)) return "–";
  if (n < 10_000) return whole(n);
  return n < 1e6 ? `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`;
}

/** Seconds as "3.4 s", "2 min 5 s", "1 h 12 min". */
export function duration(/** @type {number} */ seconds) {
  if (!(seconds >= 0)) return "–";
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${seconds < 10 ? seconds.toFixed(1) : rounded} s`;
  const minutes = Math.floor(rounded / 60);
  if (minutes < 60) return `${minutes} min ${rounded % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const BACKENDS = { generic: "", auto: "", marquez: "Marquez", datahub: "DataHub", openmetadata: "OpenMetadata", astro: "Astro", datadog: "Datadog" };

/** "score ↑": which way is better, and whether anybody said so. */
export const directed = (/** @type {{name: string, direction?: string, lower?: boolean, declared: boolean}} */ { name, direction, lower = direction === "lower", declared }) => `${clip(name)} ${lower ? "↓" : "↑"}${declared ? "" : " assumed"}`;

/** What is said behind a run's name where it did not end well. */
export const ending = (/** @type {{status?: string|null}|undefined} */ run) => (/^(fail|cancel)/.test(run?.status ?? "") ? ` · ${run?.status}` : "");

/** "Marquez · localhost:5000" */
export function destination(/** @type {string} */ endpoint, /** @type {string} */ backend) {
  let host = endpoint;
  try {
    host = new URL(endpoint).host || endpoint;
  } catch {
    // shown as it is
  }
  return [BACKENDS[backend] ?? backend, host].filter(Boolean).join(" · ");
}
