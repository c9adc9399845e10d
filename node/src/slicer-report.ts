/** The report of a search for the smallest slice of a history. */

import { inspect } from "node:util";
import { describeSlice } from "./binding.js";
import { invalid, native } from "./errors.js";
import { SLICER_FIELDS, type SlicerFields } from "./generated/reports.js";
import { text } from "./options.js";
import { Repository } from "./repository.js";
import { type SlicedFrom, sliced } from "./slices.js";
import { readAs, WordedReport } from "./words.js";
import { madeFrom } from "./written.js";

/** The part of one commit in a slice, as a patch. */
export interface SlicePatch {
  /** A safe file name for the patch, as `git format-patch` creates it: `0001-the-subject.patch`. */
  readonly name: string;
  /** The full sha of the commit in the history. */
  readonly commit: string;
  /**
   * The full sha of the commit on a branch of the slice. It has the author, committer, dates, and message of `commit`.
   * {@link SlicerReport.createBranch} writes it to the repository.
   */
  readonly made: string;
  /** A patch for `git am`. Invalid UTF-8 is replaced, so write `bytes` to files. */
  readonly text: string;
  /** The patch as bytes. */
  readonly bytes: Uint8Array;
}

export interface SlicerReport extends SlicerFields {}

/**
 * The smallest slice of a history, final or the best so far (Li et al. 2016, DEFINER).
 *
 * @example
 * ```ts
 * const report = await sliceHistory(".", { base: "v1.0", tip: "main", oracle });
 * console.log(report.toText());
 * for (const { name, bytes } of await report.patches()) writeFileSync(name, bytes);
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns the fields, which are generated
export class SlicerReport extends WordedReport {
  readonly #text: string;
  readonly #from: SlicedFrom | undefined;

  private constructor(text: string, from: SlicedFrom | undefined) {
    const fields = madeFrom(SLICER_FIELDS, text);
    super("slice", text, fields, () => JSON.parse(from?.options ?? "{}"));
    this.#text = text;
    this.#from = from;
  }

  /**
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static fromJson(text: string): SlicerReport {
    return new SlicerReport(readAs("slice", text), undefined);
  }

  /** @internal Returns the report that the core wrote, with the location of its history. */
  static adopt(text: string, from: SlicedFrom | undefined): SlicerReport {
    if (from === undefined || JSON.parse(text).status === "running") return new SlicerReport(text, from);
    const repository = Repository.bindingOf(from.repository);
    return new SlicerReport(
      native(() => describeSlice(text, repository, from.options)),
      from,
    );
  }

  /**
   * Returns the slice as patches for `git am` on the base, oldest first, with one patch for each commit in the slice.
   * Does not write to the repository.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the changes are not from a repository, `not_reproduced` if there
   * is no slice, `git` if a Git command fails, and `io` if a file cannot be read or written.
   */
  async patches(): Promise<SlicePatch[]> {
    const made = await sliced(this.#history(), (slices) => slices.commits(this.#text));
    return made.map(({ patch, ...rest }) => ({ ...rest, text: patch.toString("utf8"), bytes: patch }));
  }

  /**
   * Creates a branch with the slice on the base, and returns the full sha of its newest commit. Does not change the
   * checkout.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the name is not valid for a branch or the branch exists, and the
   * errors of {@link SlicerReport.patches}.
   */
  async createBranch(name: string): Promise<string> {
    const called = text("name", name);
    return sliced(this.#history(), (slices) => slices.createBranch(called, this.#text));
  }

  /** Returns the location of the history. */
  #history(): SlicedFrom {
    if (this.#from === undefined) {
      throw invalid("report", "one of a search by hand", "one of sliceHistory, which knows the repository");
    }
    return this.#from;
  }

  /** @internal */
  [inspect.custom](): string {
    return `SlicerReport(${this.status} after ${this.runs} ${this.runs === 1 ? "run" : "runs"}: ${this.message})`;
  }
}
