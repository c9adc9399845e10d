/** The progress of a run. */

import type { Status } from "./generated/reports.js";
import type { Observation } from "./observation.js";
import type { AnyProbe, Probe } from "./probe.js";

/** One step of a run, passed to `onProgress`. */
export interface Progress<P extends AnyProbe = Probe> {
  /** The event: what happened to the probe, or `done` once at the end of a run that resolves. */
  readonly kind: "asked" | "told" | "retried" | "cancelled" | "done";
  /** The probe, or null for `done`. */
  readonly probe: P | null;
  /** The observation, or null unless `kind` is `told`. */
  readonly observation: Observation | null;
  /** The status of the search. */
  readonly status: Status;
  /** The number of runs so far. */
  readonly runs: number;
  /** The number of probes answered so far, including outcomes that were known without a run. */
  readonly asked: number;
  /** The number of probes that are running now. */
  readonly inFlight: number;
  /** The current revision of iterative delta debugging, or null for other searches and at the end. */
  readonly revision: string | null;
  /** The number of changes in the patch at that revision, or in the smallest patch so far while it is being reduced. */
  readonly patch: number | null;
  /** The number of suspects, or null if it is not known. */
  readonly suspects: number | null;
  /** The estimated number of remaining runs, simulated for some of the suspects, or null if it is not known. */
  readonly likelyRuns: number | null;
  /** The largest simulated number of remaining runs. It is not a bound, because unresolved revisions and flakes need more runs. */
  readonly worstRuns: number | null;
  /** The best result so far in words, with short ids, or null if there is none yet. `search.report()` has the full result. */
  readonly best: string | null;
  /** The duration of this run so far, in seconds. */
  readonly seconds: number;
}

/** @internal Prints the lines of `onProgress: true`: one for each outcome, and one at the end. */
export function progressLine(step: Progress<AnyProbe>): void {
  if (step.kind === "told") {
    const likely = step.likelyRuns === null ? "" : `, about ${runs(step.likelyRuns)} to go`;
    process.stderr.write(`firstbad: ${runs(step.runs)}: ${standing(step)}${likely}\n`);
  } else if (step.kind === "done") {
    const best = step.best === null ? "" : `: ${step.best}`;
    process.stderr.write(`firstbad: ${step.status} after ${runs(step.runs)} in ${time(step.seconds)}${best}\n`);
  }
}

/** Returns the last outcome and the number of suspects. */
function standing(step: Progress<AnyProbe>): string {
  const { probe, observation, revision, patch, suspects } = step;
  const parts: string[] = [];
  if (revision !== null && patch !== null) parts.push(`${revision.slice(0, 16)}, patch of ${patch}`);
  else if (probe !== null) parts.push(`${nameOf(probe).slice(0, 16)} ${observation?.outcome ?? "..."}`);
  if (suspects !== null) parts.push(`${suspects} left`);
  return parts.join(", ");
}

function nameOf(probe: AnyProbe): string {
  return probe.revision ?? `changes ${"set" in probe ? probe.set : ""}`;
}

function runs(many: number): string {
  return `${many} ${many === 1 ? "run" : "runs"}`;
}

function time(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${seconds.toFixed(1)} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
