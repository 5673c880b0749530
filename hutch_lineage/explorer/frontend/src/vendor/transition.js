// Stands in for d3-transition, of which d3-zoom needs only this: the camera flies by itself, so there is nothing to interrupt.
export const interrupt = () => {};
