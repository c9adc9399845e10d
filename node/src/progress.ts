/** What a run says while it goes on. */

import type { Observation } from "./observation.js";
import type { AnyProbe, Probe } from "./probe.js";
import type { Status } from "./search.js";

/** One step of a run, as `onProgress` gets it. */
export interface Progress<P extends AnyProbe = Probe> {
  /** What happened to the probe; `done` comes once, at the end of a run that resolves. */
  readonly kind: "asked" | "told" | "retried" | "cancelled" | "done";
  /** The probe; null for `done`. */
  readonly probe: P | null;
  /** What was told; null unless `kind` is `told`. */
  readonly observation: Observation | null;
  /** Where the search stands. */
  readonly status: Status;
  /** How many answers cost a run so far. */
  readonly queries: number;
  /** How many answers came to probes so far, those that cost no run included. */
  readonly asked: number;
  /** How many probes are out now. */
  readonly inFlight: number;
  /** The revision that iterative delta debugging stands at; null for other searches, and at the end. */
  readonly revision: string | null;
  /** How many changes the patch has that it carries there; while it is reduced, the smallest so far. */
  readonly patch: number | null;
  /** How many revisions can still be blamed; null if that is not known. */
  readonly suspects: number | null;
  /** How many more runs it will likely take, played out for some of the suspects; null if that is not known. */
  readonly likelyRuns: number | null;
  /** The most that was seen for one of them. It is no bound: unresolved revisions and flakes cost more. */
  readonly worstRuns: number | null;
  /** The best answer so far in words, with short ids; null if there is none yet. The whole is `search.report()`. */
  readonly best: string | null;
  /** How long this run has taken so far, in seconds. */
  readonly seconds: number;
}

/** @internal A line for each answer, and one at the end: what `onProgress: true` shows. */
export function progressLine(step: Progress<AnyProbe>): void {
  if (step.kind === "told") {
    const likely = step.likelyRuns === null ? "" : `, about ${runs(step.likelyRuns)} to go`;
    process.stderr.write(`firstbad: ${runs(step.queries)}: ${standing(step)}${likely}\n`);
  } else if (step.kind === "done") {
    const best = step.best === null ? "" : `: ${step.best}`;
    process.stderr.write(`firstbad: ${step.status} after ${runs(step.queries)} in ${time(step.seconds)}${best}\n`);
  }
}

/** What was seen last, and what is left. */
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
