/** What a regression search answers. */

import type { Observation } from "./observation.js";
import type { Status } from "./search.js";

/** An edge (or a stretch of history) between a passing revision and a failing one (RPA, Definition 2). */
export interface RegressionPoint {
  /** The revision that was seen to pass; null where no ancestor was. With `find: "fix"` the newer one. */
  good: string | null;
  /** The revision that was seen to fail. With `find: "fix"` the older one. */
  bad: string;
  /** The newer ends that this point answers for, in the order in which they were given. */
  leaves: string[];
  /** Parallel to `leaves`: how many edges a shortest path from `bad` to the leaf has. */
  distances: number[];
  /** Whether every parent of the newer revision was seen to be otherwise: then it is the culprit by itself. */
  clean: boolean;
  /** All suspects left, oldest first, where unresolved revisions stand between; empty where the edge was tested. */
  candidates: string[];
  /** Parents of the newer revision that could not be tested, in their own order. */
  unresolvedParents: string[];
}

/** What became of one newer end. */
export interface LeafReport {
  /** The end. */
  leaf: string;
  /**
   * How its answer came about: by a search of its own, by a point found for another end (RPA, Algorithm 2), not at all
   * because it does not fail (or with another failure), or not yet.
   */
  ending: "open" | "searched" | "propagated" | "not_reproduced";
  /** Its points, as indices into the report's points. */
  points: number[];
}

/** An observation with the revision that it is about. */
export interface RevisionObservation extends Observation {
  /** The revision. */
  revision: string;
  /** The probe that it answered; null where it was known without being asked. */
  probe: number | null;
}

/** The answer of a regression search, final or the best so far. */
export interface RegressionReport {
  /** Where the search stands. */
  status: Status;
  /** The same in one sentence, for people. */
  message: string;
  /** The regression points, in the order found. */
  points: RegressionPoint[];
  /** What became of each newer end, in the order given. */
  leaves: LeafReport[];
  /** How many answers came from the oracle. */
  queries: number;
  /** Everything that was seen, in the order told. */
  observations: RevisionObservation[];
}

/** @internal The core's JSON with its names in camelCase; what callers put into observations stays as it is. */
export function regressionReport(text: string): RegressionReport {
  const report = JSON.parse(text);
  return { ...camel(report), points: report.points.map(camel), leaves: report.leaves.map(camel) } as RegressionReport;
}

function camel(object: Record<string, unknown>): Record<string, unknown> {
  const renamed = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [renamed(name), value]));
}
