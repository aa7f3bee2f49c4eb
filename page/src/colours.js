// Colours for numbers: curvature (one-sided), stress (two-sided).

const CURVE = ["#3b4cc0", "#3a8fc7", "#3fb8a0", "#8fcf5a", "#f2d24b", "#f28e2b", "#d1342b"].map(rgb);
const TWO = ["#2559b0", "#5b9bd5", "#b9d3ea", "#d9d9d6", "#f0c3a9", "#e0764f", "#b3202c"].map(rgb);

export const SCALES = {
  curvature: { name: "Curvature", unit: "1/m", steps: CURVE, two: false },
  stress: { name: "Bending stress", unit: "Pa", steps: TWO, two: true },
};

function rgb(hex) {
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return [1, 3, 5].map((k) => linear(parseInt(hex.slice(k, k + 2), 16) / 255));
}

// share in 0..1 -> linear rgb.
export function ramp(steps, share, out) {
  const x = Math.min(Math.max(share, 0), 1) * (steps.length - 1);
  const k = Math.min(Math.floor(x), steps.length - 2), f = x - k;
  for (let c = 0; c < 3; c++) out[c] = (1 - f) * steps[k][c] + f * steps[k + 1][c];
}

export function gradient(steps) {
  const back = (v) => Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
  const stops = steps.map((c, i) => `rgb(${c.map(back).join(" ")}) ${(100 * i) / (steps.length - 1)}%`);
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

// 12300000 Pa -> "12.3 MPa"
export function withUnit(x, unit) {
  if (x === 0) return unit ? `0 ${unit}` : "0";
  const prefixes = { "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G" };
  if (!["m", "Pa", "N", "J", "N m"].includes(unit)) return `${digits(x)}${unit ? ` ${unit}` : ""}`;
  const power = Math.min(9, Math.max(-9, 3 * Math.floor(Math.log10(Math.abs(x)) / 3)));
  return `${digits(x / 10 ** power)} ${prefixes[power]}${unit}`;
}

export function digits(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-4 ? x.toExponential(2) : String(Number(x.toPrecision(4)));
}
