/** What notebooks show. */

/** @internal What Deno's notebooks ask for. */
export const DISPLAY: unique symbol = Symbol.for("Jupyter.display");
