// Stands in for d3-interpolate, which d3-zoom uses for its own transitions only.
export const interpolateZoom = () => {
  throw new Error("zoom transitions are not part of this bundle");
};
