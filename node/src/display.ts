/** What notebooks show. */

/** @internal The symbol of the display method in Deno notebooks. */
export const DISPLAY: unique symbol = Symbol.for("Jupyter.display");
