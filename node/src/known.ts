/** Outcomes that are known before a search starts. */

import { indicesOf } from "./change-set.js";
import { invalid } from "./errors.js";
import type { Answer, RevisionObservation, SubsetObservation } from "./observation.js";
import { pairsOf } from "./options.js";
import type { AnswerOf } from "./oracle.js";
import type { AnyProbe, Probe, TargetOf } from "./probe.js";

/**
 * Known outcomes: a Map, pairs (a revision can occur several times), or an object of outcomes by revision, or
 * observations as in `report.observations`. In reductions, the indices of the kept items replace the revision.
 */
export type KnownOutcomes<P extends AnyProbe = Probe> =
  | ReadonlyMap<TargetOf<P>, AnswerOf<P>>
  | Iterable<readonly [TargetOf<P>, AnswerOf<P>]>
  | Iterable<P extends Probe ? RevisionObservation : SubsetObservation>
  | (P extends Probe ? Readonly<Record<string, AnswerOf<P>>> : never);

const EXPECTED =
  "a Map or object from revisions to outcomes, [revision, outcome] or [indices, outcome] pairs, or observations as in " +
  "a report";

/** A search, which converts the subjects of outcomes and the outcomes. */
interface Knower {
  target(given: unknown, argument: string): string | Uint32Array;
  written(answer: Answer, argument: string): string;
}

/** @internal Returns known outcomes as the binding takes them. */
export function knownJson(known: unknown, search: Knower): string {
  const entries = pairsOf(known);
  if (entries === undefined) throw invalid("known", known, EXPECTED);
  const parts = Array.from(entries, (entry, place) => {
    const [named, answer] = Array.isArray(entry) ? pair(entry) : observed(entry);
    return `[${subjectJson(named, `known[${place}]`, search)},${search.written(answer, `known[${place}]`)}]`;
  });
  return `[${parts.join(",")}]`;
}

function subjectJson(named: unknown, argument: string, search: Knower): string {
  if (named instanceof Tested) return JSON.stringify(named);
  const found = search.target(named, argument);
  return JSON.stringify(typeof found === "string" ? found : [...found]);
}

/** A revision with a set of tests. */
class Tested {
  constructor(
    readonly revision: string,
    readonly tests: string,
  ) {}
}

function pair(entry: unknown[]): [named: unknown, answer: Answer] {
  if (entry.length !== 2) throw invalid("known", entry, EXPECTED);
  return entry as [unknown, Answer];
}

function observed(entry: unknown): [named: unknown, answer: Answer] {
  // The subject of an observation is not part of its outcome.
  const { revision, set, changes, universe, probe, ...answer } = Object(entry);
  if (typeof revision === "string" && typeof set === "string" && universe === undefined) {
    return [new Tested(revision, set), answer];
  }
  if (revision && set) throw invalid("known", entry, "a revision as it is, without changes on it");
  const named = revision ?? set ?? changes;
  if (named === undefined) throw invalid("known", entry, EXPECTED);
  if (named === revision || typeof named !== "string") return [named, answer];
  if (!/^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/.test(named)) throw invalid("known", named, 'a set of indices like "0-3,7"');
  return [indicesOf(named), answer];
}
