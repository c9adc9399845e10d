/** The probes of searches. */

import { Changes } from "./change-set.js";
import type { Patch } from "./patch.js";

/** A request to test a revision. */
export interface Probe {
  /** The id of the probe, a number from 0. */
  readonly id: number;
  /** The revision to test. */
  readonly revision: string;
  /**
   * True if the probe confirms a result: the revision was tested before and must run again, alone, in a clean worktree. Absent
   * otherwise.
   */
  readonly confirms?: true;
}

/** A request to run tests of a revision. */
export interface SuiteProbe extends Probe {
  /** The ids of the tests to run; `null` for the whole suite, and empty for a build alone. */
  readonly tests: readonly string[] | null;
  /** The tests as indices in short form, as in snapshots: `"0-3,7"` is 0, 1, 2, 3 and 7. */
  readonly set: string | null;
}

/** A revision, and the ids of the tests to run there. */
export type SuiteCall = Pick<SuiteProbe, "revision" | "tests">;

/** A request to test a set of items or changes. */
export interface ReductionProbe {
  /** The id of the probe, a number from 0. */
  readonly id: number;
  /** The ascending indices of the kept items, computed on first use. */
  readonly changes: readonly number[];
  /** The short form of `changes`, as in snapshots: `"0-3,7"` is 0, 1, 2, 3 and 7. */
  readonly set: string;
  /** The revision that the changes apply to. Absent without a history. */
  readonly revision?: string;
  /** The id of the read whose changes the indices count. Absent if they count all items. */
  readonly universe?: number;
}

/** A revision, optionally with changes, as searches write it. */
export interface VariantTarget {
  /** The revision. */
  readonly revision: string;
  /** The changes in short form (`"0-3,7"`). Absent for an unchanged revision. */
  readonly changes?: string;
  /** The id of the read whose changes they are. */
  readonly universe?: number;
}

/** A request to test a revision, optionally with changes. */
export interface VariantProbe extends Probe {
  /** The ascending indices of its changes, computed on first use. Absent for an unchanged revision. */
  readonly changes?: readonly number[];
  /** The short form of `changes`: `"0-3,7"` is 0, 1, 2, 3 and 7. */
  readonly set?: string;
  /** The id of the read whose changes they are. */
  readonly universe?: number;
}

/**
 * How a patch was carried to a revision. `none`: the patch is empty. `exact`: it applied exactly. `three_way`: by a
 * merge. `renamed`: by a merge with a renamed file or folder. `whitespace`: only with changes of white space ignored.
 * `fuzzy`: only with one line of context on each side. `already`: the revision already has all changes.
 */
export type CarriedBy = "none" | "exact" | "three_way" | "renamed" | "whitespace" | "fuzzy" | "already";

/** A revision with a patch, as an oracle of {@link iterativeDeltaDebugging} gets it. */
export interface PortProbe {
  /** The id of the probe. */
  readonly id: number;
  /** The full hash of the revision. */
  readonly revision: string;
  /** The patch to apply, which applies exactly. It has no changes for the revision itself. */
  readonly patch: Patch;
  /** The full hash of the resulting tree. Equal hashes mean equal files. */
  readonly tree: string;
  /** How the patch was carried to the revision. */
  readonly carried: CarriedBy;
}

/** A base with some changes, as an oracle of {@link sliceHistory} gets it. */
export interface SliceProbe {
  /** The id of the probe. */
  readonly id: number;
  /** The full hash of the base. */
  readonly revision: string;
  /** The names of the kept changes, oldest first. */
  readonly changes: readonly string[];
  /** The patch from the base to these changes and the added tests. It has no changes for the base itself. */
  readonly patch: Patch;
  /** The full hash of the resulting tree. Equal hashes mean equal files. */
  readonly tree: string;
}

/** A request to run a test. */
export type AnyProbe = Probe | ReductionProbe;

/** The subject of a probe of this kind: the id of a revision, or the indices of a set. */
export type TargetOf<P extends AnyProbe> = P extends Probe ? string : Iterable<number>;

class ChangesProbe extends Changes implements ReductionProbe {
  readonly id: number;
  declare readonly revision?: string;
  declare readonly universe?: number;

  /** The changes can name their read: `0-3@2`. */
  constructor(id: number, revision: string | undefined, changes: string) {
    const [set, universe] = changes.split("@") as [string, string?];
    super(set);
    this.id = id;
    if (revision !== undefined) this.revision = revision;
    if (universe !== undefined) this.universe = Number(universe);
  }
}

/**
 * @internal Parses probes from the binding's `id\0revision\0changes\0id\0...`. A missing revision and missing changes are `*`, and
 * the id of a confirming probe ends with `!`. A triage has `tests` and their set and ids as JSON instead of changes.
 */
export function probesFrom(joined: string): AnyProbe[] {
  const found: AnyProbe[] = [];
  for (let start = 0; start < joined.length; ) {
    const first = joined.indexOf("\0", start);
    const second = joined.indexOf("\0", first + 1);
    const next = joined.indexOf("\0", second + 1);
    const end = next < 0 ? joined.length : next;
    found.push(probeOf(joined.slice(start, first), joined.slice(first + 1, second), joined.slice(second + 1, end)));
    start = end + 1;
  }
  return found;
}

function probeOf(number: string, revision: string, set: string): AnyProbe {
  if (number.endsWith("!")) return { id: Number(number.slice(0, -1)), revision, confirms: true };
  const id = Number(number);
  if (set === "*") return { id, revision };
  if (set.startsWith("tests")) {
    const [short, tests] = JSON.parse(set.slice("tests".length));
    return { id, revision, tests, set: short } as SuiteProbe;
  }
  return new ChangesProbe(id, revision === "*" ? undefined : revision, set);
}
