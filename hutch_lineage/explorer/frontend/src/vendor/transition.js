// Stands in for d3-transition, of which d3-zoom needs only this: the camera flies by itself, so there is nothing to interrupt.
import { selection } from "d3-selection";

export const interrupt = () => {};

selection.prototype.interrupt = function () {
  return this;
};
