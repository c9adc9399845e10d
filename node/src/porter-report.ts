/** The report of iterative delta debugging. */

import { inspect } from "node:util";
import { portAlso, portSvg } from "./binding.js";
import { native } from "./errors.js";
import { PATCH_DETAILS, type PatchDetails, PORTER_FIELDS, type PorterFields } from "./generated/reports.js";
import { madeBy, readAs, searchOf, WordedReport } from "./words.js";
import { madeFrom, shaped } from "./written.js";

/** The name of a figure. See {@link PorterReport.toSvg}. */
export type Figure = "sizes" | "reductions" | "fixpoint";

const PATCHES = ["carried", "cause", "repair", "figure2", "forward"] as const;

/** The names of the patches in a report. */
export type PatchName = (typeof PATCHES)[number];

export interface PorterReport extends PorterFields {
  /** The details of each patch, by the name of its field. */
  readonly details: Readonly<Partial<Record<PatchName, PatchDetails>>>;
}

/**
 * The result of iterative delta debugging, final or the best so far (Artho, "Iterative Delta Debugging", 2011).
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
   * Reads a report from JSON, written by `toJson` of any front end or by the command line with `--json`.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a report of this kind.
   */
  static fromJson(text: string): PorterReport {
    return new PorterReport(readAs("port", text));
  }

  /** @internal Returns the report that the core wrote. */
  static adopt(text: string): PorterReport {
    return new PorterReport(text);
  }

  /** @internal Returns the report with the outcomes of the regression check, each as JSON. */
  withAlso(before: string, after: string): PorterReport {
    return madeBy(new PorterReport(native(() => portAlso(this.#text, before, after))), searchOf(this));
  }

  /**
   * Returns a figure as an SVG file without scripts and links, for light themes, dark themes, and paper. If the report
   * has no data for the figure, the figure says so. `sizes`: the sizes of the patches along the walk, before and after
   * reduction (IDD, Figures 9 to 22). `reductions`: the size of each patch before and after its reduction (Figures 23
   * and 24). `fixpoint`: the part of each patch that later rounds removed, until a fixpoint (Figure 25).
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
