/** What iterative delta debugging answers. */

import { inspect } from "node:util";
import { portAlso, portSvg } from "./binding.js";
import type { Commits } from "./commit.js";
import { native } from "./errors.js";
import { reportFrom } from "./fields.js";
import type { Observation } from "./observation.js";
import { Patch } from "./patch.js";
import type { CarriedBy, VariantTarget } from "./probe.js";
import type { Guarantee } from "./reduction.js";
import type { Status } from "./search.js";
import { type InWords, madeBy, readAs, searchOf, WordedReport } from "./words.js";

/**
 * What a version showed. `kept`: the outcome that is followed; going back that is the failure of the start, going forward a
 * pass. `pass`: it passes, going back. `other`: another outcome. `skipped`: it does not build by itself, and was left out.
 * `reduced`: another outcome, and a new patch was made with which the outcome is kept.
 */
export type StepOutcome = "kept" | "pass" | "other" | "skipped" | "reduced";

/**
 * Why an answer is not the outcome that is followed (IDD, Tables 2 and 3). `patch`: the patch does not apply. `parse`: a file
 * does not parse with it, so that nothing was run. `setup`, `configure`, `build`: that stage fails. `test`: the test fails in
 * another way, or, going forward, fails. `timeout`: it was ended because of its time. `control`: the control fails. `effort`:
 * the same failure, with another time or memory than the factors allow. `unresolved`: it could not be told, and not at which
 * stage.
 */
export type Reason =
  | "patch"
  | "parse"
  | "setup"
  | "configure"
  | "build"
  | "test"
  | "timeout"
  | "control"
  | "effort"
  | "unresolved";

/** How a reduction ended. `reduced`: a smallest patch was found. `passed`: the same, and a part of the whole was seen to pass:
 * that version is the answer, unless an older one passes with the smallest patch. `contradicted`: the answers did not go
 * together. `running`: it goes on.
 */
export type ReductionResult = "reduced" | "passed" | "contradicted" | "running";

/** A figure of a report; see {@link PorterReport.toSvg}. */
export type Figure = "sizes" | "reductions" | "fixpoint";

/** One version on the way. */
export interface PorterStep {
  /** The revision. */
  readonly revision: string;
  /** Whether it lies on the way forward. */
  readonly forward: boolean;
  /** What it showed. */
  readonly outcome: StepOutcome;
  /** The same in words: outcome, failure and stage, with the patch carried there. */
  readonly seen: string;
  /** How the patch was carried there; null if the oracle did not say. */
  readonly carried: CarriedBy | null;
  /** Where it lies: 0 at the start, 1 at the revision before it on the way, -1 at the one after it. */
  readonly place: number;
  /** How many changes the patch has that was carried there. */
  readonly patch: number;
  /** Why it did not show the outcome that is followed with the patch; null if it did, or passed. */
  readonly reason: Reason | null;
  /** Why it did not without the patch; null if it did, passed, or was not tested, or if no patch was carried. */
  readonly alone: Reason | null;
}

/** A reduction: what lies between two trees, taken apart. */
export interface PorterReduction {
  /** What it was for: to go on with the patch (`walk`), or one of the patches of the report. */
  readonly purpose: "walk" | PatchName;
  /** The revision that the patch is for. */
  readonly revision: string;
  /** Where that lies, as {@link PorterStep.place}. */
  readonly place: number;
  /** Whether it was made on the way forward. */
  readonly forward: boolean;
  /** For `walk`: why the patch carried so far does not do there; null for other purposes. */
  readonly reason: Reason | null;
  /** How many changes it began with. */
  readonly before: number;
  /** How many were left when files, hunks and lines had been gone through once; null unless it ended as `reduced`. */
  readonly first: number | null;
  /** How many were left where nothing more could be taken away; null unless it ended as `reduced`. */
  readonly after: number | null;
  /** How it ended. */
  readonly result: ReductionResult;
  /** How many answers cost a run. */
  readonly runs: number;
  /** How many answers cost none: conflicts, files that do not parse, files that were tested before. */
  readonly free: number;
  /** How many of these answers were another outcome, by why. */
  readonly failed: Readonly<Partial<Record<Reason, number>>>;
}

/** What there is to know about a patch that was found. */
export interface PatchDetails {
  /** What it is a patch of: a revision, or a revision with a part of an earlier read on it. */
  readonly on: VariantTarget;
  /** How many changes it has. */
  readonly changes: number;
  /** How many changes it was reduced from. */
  readonly of: number;
  /** What is certain about its size. */
  readonly guarantee: Guarantee;
}

/** What a second test says of the fix that was brought forward. */
export interface RegressionCheck {
  /** What it said without the fix. */
  readonly before: Observation;
  /** What it said with the fix. */
  readonly after: Observation;
  /** Whether it passed without the fix and failed with it. */
  readonly breaks: boolean;
  /** The same in one sentence, for people. */
  readonly message: string;
}

/** An observation with what it is about. */
export interface PortObservation extends Observation {
  /** The revision. */
  revision: string;
  /** The changes on it in short (`"0-3,7"`); null, or empty, for the revision as it is. */
  set: string | null;
  /** The number of the read that they are changes of; null without changes. */
  universe: number | null;
  /** The probe that it answered; null if it was known without being asked. */
  probe: number | null;
}

const PATCHES = ["carried", "cause", "repair", "figure2", "forward"] as const;

/** The names of the patches that are looked for. */
export type PatchName = (typeof PATCHES)[number];

/** What the core writes. */
interface Written
  extends Omit<
      PorterReport,
      | PatchName
      | "details"
      | "steps"
      | "reductions"
      | "seconds"
      | "observations"
      | "runs"
      | "commits"
      | "toJSON"
      | "toSvg"
      | "withAlso"
      | keyof InWords
    >,
    Readonly<Record<PatchName, WrittenPatch | null>> {
  readonly steps: readonly (Omit<PorterStep, Lacking> & Partial<Pick<PorterStep, Lacking>>)[];
  readonly reductions: readonly (Omit<PorterReduction, Unended> & Partial<Pick<PorterReduction, Unended>>)[];
  readonly seconds: number | null;
  readonly observations: readonly WrittenObservation[];
  readonly commits: Commits;
}

type Lacking = "carried" | "reason" | "alone";
type Unended = "reason" | "first" | "after";

interface WrittenPatch extends PatchDetails {
  readonly text: string | null;
  /** In base64, where it is no text. */
  readonly bytes?: string;
}

type WrittenObservation = Observation & VariantTarget & { probe?: number | null };

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
export class PorterReport extends WordedReport {
  readonly #text: string;
  /**
   * Where it stands: `found`; `history_exhausted` or `revision_not_readable`, where no version that passes was found;
   * `patch_too_large`; `not_reproduced`, `untestable` or `contradictory`, where the start passes, cannot be tested or fails
   * in two ways; `budget`, `stopped`, `running`.
   */
  readonly status: Status;
  /** The same in some sentences, for people. */
  readonly message: string;
  /** The failure that is followed, in words; null before it was seen. */
  readonly failure: string | null;
  /** The newest revision on the walk that passes with the patch carried there; null if none was found. */
  readonly good: string | null;
  /** The revision after it on the walk, which fails as the start does with its own patch; null if none was found. */
  readonly bad: string | null;
  /** Revisions between them that do not build by themselves, newest first: any may be the one that broke it. */
  readonly between: readonly string[];
  /**
   * What the test needs: `good` passes with it. Its guarantee is about the failure of `bad`, which needs all of it; where
   * `good` does not pass with what that failure needs, about the pass. null if it is nothing, or was not found out.
   */
  readonly carried: Patch | null;
  /** The smallest change found that brings the failure back on `good` with `carried`. */
  readonly cause: Patch | null;
  /** The smallest change found with which the bad side passes. */
  readonly repair: Patch | null;
  /**
   * The result of the paper's Figure 2: a smallest change from `good` to the failure, including the changes that the test
   * needs. Null without the option `figure2`.
   */
  readonly figure2: Patch | null;
  /** The fix for the revision that it was brought forward to, where a run showed that it passes. */
  readonly forward: Patch | null;
  /** What a second test says of that fix; null if none was run. */
  readonly also: RegressionCheck | null;
  /** What there is to know about each of these patches that was found. */
  readonly details: Readonly<Partial<Record<PatchName, PatchDetails>>>;
  /** What was looked at on the way, in that order. */
  readonly steps: readonly PorterStep[];
  /** The reductions, in the order in which they were begun. */
  readonly reductions: readonly PorterReduction[];
  /** How many revisions were tested on the walk back and forward. */
  readonly visited: number;
  /** How many revisions were left out because they do not build by themselves. */
  readonly skipped: number;
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** How many answers cost a run. */
  readonly runs: number;
  /** The same as `runs`. */
  readonly runs: number;
  /** How many answers came to probes. */
  readonly asked: number;
  /** How many of all answers were that a patch does not apply. */
  readonly conflicts: number;
  /** How long the tests took together, in seconds, as far as that was told; null if it never was. */
  readonly seconds: number | null;
  /** Everything that was seen, in the order told. */
  readonly observations: readonly PortObservation[];
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
   */
  readonly commits: Commits;

  private constructor(text: string) {
    super("port", text);
    const written = reportFrom<Written>(text);
    const found = PATCHES.flatMap((name) => {
      const patch = written[name];
      return patch === null ? [] : [[name, patch] as const];
    });
    const patches = new Map(found.map(([name, patch]) => [name, Patch.parse(contentOf(patch))]));
    this.#text = text;
    this.status = written.status;
    this.message = written.message;
    this.failure = written.failure;
    this.good = written.good;
    this.bad = written.bad;
    this.between = written.between;
    this.carried = patches.get("carried") ?? null;
    this.cause = patches.get("cause") ?? null;
    this.repair = patches.get("repair") ?? null;
    this.figure2 = patches.get("figure2") ?? null;
    this.forward = patches.get("forward") ?? null;
    this.also = written.also;
    this.details = Object.fromEntries(
      found.map(([name, { on, changes, of, guarantee }]) => [name, { on, changes, of, guarantee }]),
    );
    this.steps = written.steps.map((step) => ({ carried: null, reason: null, alone: null, ...step }));
    this.reductions = written.reductions.map((made) => ({ reason: null, first: null, after: null, ...made }));
    this.visited = written.visited;
    this.skipped = written.skipped;
    this.warnings = written.warnings;
    this.runs = written.runs;
    this.runs = written.runs;
    this.asked = written.asked;
    this.conflicts = written.conflicts;
    this.seconds = written.seconds;
    this.observations = written.observations.map(observationOf);
    this.commits = written.commits;
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

function contentOf({ text, bytes }: WrittenPatch): string | Uint8Array {
  return text ?? Buffer.from(bytes ?? "", "base64");
}

function observationOf({ revision, changes, universe, probe, ...seen }: WrittenObservation): PortObservation {
  return { revision, set: changes ?? null, universe: universe ?? null, probe: probe ?? null, ...seen };
}
