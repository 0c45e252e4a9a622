// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn, without a canvas: colours of values (ui/theme/value_colour.cpp), a gradient as grids of points, a drawn
// digit as the network knows digits.

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

// Colours "#rrggbb" of a sign's end and of zero. The strength grows with the root of the magnitude, as in the window.
export function valueColour(value, scale, {positive, negative, paper}) {
  const part = scale > 0 ? Math.cbrt(Math.min(1, Math.abs(value) / scale)) : 0;
  const end = channels(value < 0 ? negative : positive), zero = channels(paper);
  return end.map((channel, i) => Math.round(zero[i] + (channel - zero[i]) * part));
}

// The least of 1, 2, 5 · 10^k that is no smaller.
export function roundedScale(largest) {
  if (!(largest > 0) || !Number.isFinite(largest)) return 0;
  const ten = 10 ** Math.floor(Math.log10(largest));
  for (const step of [1, 2, 5]) if (largest <= step * ten * (1 + 1e-9)) return step * ten;
  return 10 * ten;
}

// Input and kernels of a network (core/model/network_text.h): where each layer's kernel lies in the flat buffer, which
// has the last variable first (core/model/layout.h). No kernels where the sizes do not come to `weights`.
export function networkOf(text, weights) {
  const [first, ...lines] = text.trim().split("\n");
  const input = first.split(" ").slice(1).map(Number);
  let shape = [...input];
  const kernels = [];  // in creation order
  let size = 0;
  for (const line of lines) {
    const [kind, name, ...rest] = line.split(" ");
    const has = Object.fromEntries(rest.map((word) => word.split("=")));
    const number = (word, usual) => Number(has[word] ?? 0) || usual;
    const walked = (stride) => shape.slice(0, 2).map((extent, i) => {
      const window = i === 0 ? number("height", 1) : number("width", number("height", 1));
      const step = number(i === 0 ? "stride_y" : "stride_x", stride ?? window);
      return has.same === "1" ? Math.ceil(extent / step) : Math.floor((extent - window) / step) + 1;
    });
    const bias = has.bias === "0" ? 0 : 1;
    const add = (rows, units, more) => {
      kernels.push({layer: name, rows, units, before: size});
      size += rows * units + more;
    };
    if (kind === "conv2d") {
      const units = number("units", 1), rows = number("height", 1) * number("width", number("height", 1)) * shape[2];
      shape = [...walked(1), units];
      add(rows, units, bias * units);
    } else if (kind === "dense") {
      const units = number("units", 1);
      add(shape.at(-1), units, bias * units);
      shape = [...shape.slice(0, -1), units];
    } else if (kind === "batch_norm") {
      size += ((has.scaled === "0" ? 0 : 1) + (has.centered === "0" ? 0 : 1)) * shape.at(-1);
    } else if (kind.endsWith("pool2d")) {
      shape = [...walked(), shape[2]];
    } else if (kind === "flatten") {
      shape = [shape.reduce((product, extent) => product * extent, 1)];
    }
  }
  if (size !== weights) return {input, kernels: [{layer: "", rows: 1, units: weights, at: 0}]};
  // A kernel is made before its bias, so it lies behind it, and all that was made later lies before both.
  return {input, kernels: kernels.map(({layer, rows, units, before}) => ({layer, rows, units, at: size - before - rows * units}))};
}

const mostAcross = 64, mostDown = 32;

// A kernel's gradient as a grid of at most 64 × 32 points. The longer of units and inputs goes across, but many units
// go side by side. A point that stands for several values has the one of the largest magnitude.
export function gradientGrid(gradients, {layer, rows, units, at}) {
  if (layer === "") {  // unknown: as it lies
    const width = mostAcross;
    rows = Math.ceil(units / width);
  }
  const flat = layer === "", across = flat ? mostAcross : units, down = rows;
  const transposed = !flat && units < 24 && rows > units;
  const [wide, high] = transposed ? [down, across] : [across, down];
  const columns = Math.min(wide, mostAcross), lines = Math.min(high, mostDown);
  const values = new Float32Array(columns * lines);
  let largest = 0;
  for (let row = 0; row < down; ++row)
    for (let unit = 0; unit < across; ++unit) {
      const place = row * across + unit;
      if (flat && place >= units) break;
      const value = gradients[at + place];
      const [x, y] = transposed ? [row, unit] : [unit, row];
      const to = Math.floor(y * lines / high) * columns + Math.floor(x * columns / wide);
      if (Math.abs(value) > Math.abs(values[to])) values[to] = value;
      largest = Math.max(largest, Math.abs(value));
    }
  return {layer, units, transposed, columns, lines, values, scale: roundedScale(largest)};
}

// A drawing (ink from 0 to 255, `side` × `side`) as the digits are: 28 × 28, its longer side 20, its centre of mass in
// the middle. Null where nothing is drawn.
export function digitOf(ink, side) {
  let left = side, right = -1, top = side, bottom = -1;
  for (let y = 0; y < side; ++y)
    for (let x = 0; x < side; ++x)
      if (ink[y * side + x] > 32) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
  if (right < 0) return null;
  const scale = Math.max(right - left + 1, bottom - top + 1) / 20;
  const mean = (x, y) => {  // of the ink that becomes the point (x, y) of the small picture
    let sum = 0, count = 0;
    const from = (low, at) => Math.max(0, Math.floor(low + at * scale));
    const to = (low, at) => Math.min(side, Math.max(Math.floor(low + at * scale) + 1, Math.floor(low + (at + 1) * scale)));
    for (let v = from(top, y); v < to(top, y); ++v)
      for (let u = from(left, x); u < to(left, x); ++u, ++count) sum += ink[v * side + u];
    return count > 0 ? sum / count : 0;
  };
  const small = new Float32Array(20 * 20);
  let sum = 0, sumX = 0, sumY = 0;
  for (let y = 0; y < 20; ++y)
    for (let x = 0; x < 20; ++x) {
      if (left + x * scale > right || top + y * scale > bottom) continue;
      const value = small[y * 20 + x] = mean(x, y);
      sum += value;
      sumX += value * x;
      sumY += value * y;
    }
  const shift = (moment) => Math.round(14 - moment / sum);
  const digit = new Uint8Array(28 * 28), dx = shift(sumX), dy = shift(sumY);
  for (let y = 0; y < 20; ++y)
    for (let x = 0; x < 20; ++x)
      if (x + dx >= 0 && x + dx < 28 && y + dy >= 0 && y + dy < 28)
        digit[(y + dy) * 28 + x + dx] = Math.round(small[y * 20 + x]);
  return digit;
}

// A curve's points thinned to `most`: each second one goes, and from then on they are added half as often.
export class Curve {
  points = [];
  #most; #every = 1; #seen = 0;
  constructor(most) { this.#most = most; }
  add(x, y) {
    if (this.#seen++ % this.#every !== 0) return;
    this.points.push([x, y]);
    if (this.points.length < this.#most) return;
    this.points = this.points.filter((_, i) => i % 2 === 0);
    this.#every *= 2;
  }
}
