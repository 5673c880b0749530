// The palettes as people with each kind of colour blindness see them (Machado et al. 2009, severity 1).
import assert from "node:assert/strict";
import { test } from "node:test";
import { OTHER, STEPS, palette } from "../../hutch_lineage/explorer/frontend/src/picture/colour.js";

const SEEN = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const channels = (colour) => (colour.startsWith("#") ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)) : colour.match(/\d+/g).map(Number));

/** CIE L*a*b* of a colour as it is seen. */
function lab(colour, matrix) {
  const rgb = channels(colour).map(linear);
  const [r, g, b] = matrix.map((row) => Math.min(1, Math.max(0, row.reduce((sum, share, i) => sum + share * rgb[i], 0))));
  const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x, y, z] = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089].map(f);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const apart = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

for (const theme of ["light", "dark"]) {
  for (const [kind, matrix] of Object.entries(SEEN)) {
    test(`${theme}, ${kind}: six names are far apart, all of them can be told apart, the ramp gets ever lighter`, () => {
      const colours = palette(theme);
      const names = colours.slice(STEPS + 1, OTHER).map((colour) => lab(colour, matrix));
      assert.equal(names.length, 10);
      names.forEach((one, i) => names.slice(0, i).forEach((other, j) => assert.ok(apart(one, other) > (i < 6 ? 13 : 5), `${j} and ${i}: ${apart(one, other)}`)));
      const lightness = colours.slice(0, STEPS).map((colour) => lab(colour, matrix)[0]);
      assert.ok(lightness.every((value, i) => i === 0 || value > lightness[i - 1]), lightness.map(Math.round).join());
    });
  }
}
