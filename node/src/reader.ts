/** What shows a search what it has to see between tests. */

import { invalid } from "./errors.js";
import type { VariantTarget } from "./probe.js";

/** What a search has to see before it can ask on. */
export type Read =
  /** The patch from one revision to another, as `git diff` writes it; either may have changes of an earlier diff on it. */
  | {
      readonly id: number;
      readonly read: "diff";
      readonly from: string | VariantTarget;
      readonly to: string | VariantTarget;
    }
  /** What a file holds at a revision. */
  | { readonly id: number; readonly read: "file"; readonly revision: string; readonly path: string }
  /** The names of all files at a revision, sorted by their bytes, each with a zero byte behind it. */
  | { readonly id: number; readonly read: "tree"; readonly revision: string };

/** A {@link Repository}, or a function that returns the requested content. Its errors end the run unchanged. */
export type Reader =
  | { read(read: Read): Uint8Array | PromiseLike<Uint8Array> }
  | ((read: Read) => Uint8Array | PromiseLike<Uint8Array>);

/** @internal The function to call with each read. */
export function reading(given: Reader): (read: Read) => Uint8Array | PromiseLike<Uint8Array> {
  if (typeof given === "function") return given;
  if (typeof given?.read !== "function") throw invalid("reader", given, "a Repository, or a function");
  return (read) => given.read(read);
}
