/** What iterative delta debugging answers. */

import { inspect } from "node:util";
import { portAlso, portSvg } from "./binding.js";
import { native } from "./errors.js";
import { PATCH_DETAILS, type PatchDetails, PORTER_FIELDS, type PorterFields } from "./generated/reports.js";
import { madeBy, readAs, searchOf, WordedReport } from "./words.js";
import { madeFrom, shaped } from "./written.js";

/** A figure of a report; see {@link PorterReport.toSvg}. */
export type Figure = "sizes" | "reductions" | "fixpoint";

const PATCHES = ["carried", "cause", "repair", "figure2", "forward"] as const;

/** The names of the patches that are looked for. */
export type PatchName = (typeof PATCHES)[number];

export interface PorterReport extends PorterFields {
  /** What there is to know about each of these patches that was found. */
  readonly details: Readonly<Partial<Record<PatchName, PatchDetails>>>;
}

/**
 * The answer of iterative delta debugging, final or so far (Artho, "Iterative Delta Debugging", 2011).
 *
 * @example
 * ```ts
 * const report = await iterativeDeltaDebugging(".", oracle, { start: "main" });
 * console.log(report.toText());
 * if (report.repair) writeFileSync("repair.patch", report.repair.bytes);
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns the fields, which are generated
export class PorterReport extends WordedReport {
  readonly #text: string;

  private constructor(text: string) {
    const fields = madeFrom(PORTER_FIELDS, text);
    const written = JSON.parse(text);
    const found = PATCHES.filter((name) => written[name] !== null);
    const details = Object.fromEntries(found.map((name) => [name, shaped(PATCH_DETAILS)(written[name])]));
    super("port", text, Object.assign(fields, { details }));
    this.#text = text;
  }

  /**
   * A report that was written as JSON: by `toJson`, or with `--json` by the command line, in any language.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the text is no such report.
   */
  static fromJson(text: string): PorterReport {
    return new PorterReport(readAs("port", text));
  }

  /** @internal A report that the core wrote. */
  static adopt(text: string): PorterReport {
    return new PorterReport(text);
  }

  /** @internal The report with what a second test said of the fix, each as JSON. */
  withAlso(before: string, after: string): PorterReport {
    return madeBy(new PorterReport(native(() => portAlso(this.#text, before, after))), searchOf(this));
  }

  /**
   * A figure as one SVG file: without scripts and links, for light, dark and paper. Where there is nothing to be shown, it says
   * so. `sizes`: the sizes of the patches along the walk, before and after reduction (IDD, Figures 9 to 22). `reductions`: the
   * size of each patch before its reduction against the one after (Figures 23 and 24). `fixpoint`: what was taken away after
   * the first round over files, hunks and lines, until nothing changed any more (Figure 25).
   *
   * @throws {@link FirstbadError} `invalid_argument` if there is no such figure.
   */
  toSvg(figure: Figure): string {
    return native(() => portSvg(this.#text, figure));
  }

  /** @internal */
  [inspect.custom](): string {
    return `PorterReport(${this.status} after ${this.runs} ${this.runs === 1 ? "run" : "runs"}: ${this.message})`;
  }
}
