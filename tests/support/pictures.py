"""Comparing two screenshots with a tolerance, by the browser that made them."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Blocks of 6 x 6 pixels are compared by their mean colour: a glyph that is drawn half a pixel
# further, or by another version of a font, changes little in it; a part that is missing does.
COMPARE = """
async (pngs) => {
  const load = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    return image;
  };
  const [first, second] = await Promise.all(pngs.map(load));
  const [a, b] = [first, second].map((image) => `${image.width} x ${image.height}`);
  if (a !== b) return { share: 1, why: `(${a} against ${b})` };
  const block = 6;
  const w = Math.ceil(first.width / block), h = Math.ceil(first.height / block);
  const pixels = (image) => {
    const canvas = new OffscreenCanvas(w, h);
    const c = canvas.getContext("2d");
    c.imageSmoothingQuality = "high";
    c.drawImage(image, 0, 0, w, h);
    return c.getImageData(0, 0, w, h).data;
  };
  const [p, q] = [pixels(first), pixels(second)];
  let far = 0;
  for (let i = 0; i < p.length; i += 4) {
    const apart = Math.max(...[i, i + 1, i + 2].map((j) => Math.abs(p[j] - q[j])));
    if (apart > 36) far++;
  }
  return { share: far / (w * h), why: "" };
}
"""


def difference(page: Page, taken: bytes, approved: Path) -> tuple[float, str]:
    """Return the share of blocks (0 to 1) that look different, and why where sizes differ."""
    both = [base64.b64encode(png).decode() for png in (taken, approved.read_bytes())]
    found = page.evaluate(COMPARE, both)
    return found["share"], found["why"]


def small(png: bytes) -> bytes:
    """Return the picture in 256 colours, a third of the bytes."""
    from PIL import Image

    kept = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(256, kmeans=3).save(
        kept, "PNG", optimize=True
    )
    return kept.getvalue()
