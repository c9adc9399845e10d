/** Readers of the content that a search requests between tests. */

import { invalid } from "./errors.js";
import type { VariantTarget } from "./probe.js";

/** A request of a search for content. */
export type Read =
  /**
   * A request for the patch between two revisions, as `git diff` writes it. Either revision can have changes of an
   * earlier diff.
   */
  | {
      readonly id: number;
      readonly read: "diff";
      readonly from: string | VariantTarget;
      readonly to: string | VariantTarget;
    }
  /** A request for the content of a file at a revision. */
  | { readonly id: number; readonly read: "file"; readonly revision: string; readonly path: string }
  /** A request for the names of all files at a revision, sorted by bytes, each followed by a zero byte. */
  | { readonly id: number; readonly read: "tree"; readonly revision: string };

/** A {@link Repository}, or a function that returns the requested content. Its errors end the run unchanged. */
export type Reader =
  | { read(read: Read): Uint8Array | PromiseLike<Uint8Array> }
  | ((read: Read) => Uint8Array | PromiseLike<Uint8Array>);

/** @internal Returns the function to call with each request. */
export function reading(given: Reader): (read: Read) => Uint8Array | PromiseLike<Uint8Array> {
  if (typeof given === "function") return given;
  if (typeof given?.read !== "function") throw invalid("reader", given, "a Repository, or a function");
  return (read) => given.read(read);
}
