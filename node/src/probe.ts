/** What searches ask for. */

import { Changes } from "./change-set.js";
import type { Patch } from "./patch.js";

/** One request to test a revision. */
export interface Probe {
  /** The id to answer with: its number, from 0. */
  readonly id: number;
  /** The revision to test. */
  readonly revision: string;
  /**
   * True if the probe confirms a result: the revision was tested before and must run again, alone, in a clean worktree. Absent
   * otherwise.
   */
  readonly confirms?: true;
}

/** One request to test a set of changes: some of the items of a reduction. */
export interface ReductionProbe {
  /** The id to answer with: its number, from 0. */
  readonly id: number;
  /** The indices of the items that are kept, ascending; made when first asked for. */
  readonly changes: readonly number[];
  /** The same in short, as snapshots write it: `"0-3,7"` stands for 0, 1, 2, 3 and 7. */
  readonly set: string;
  /** The revision that they are changes on; not there if the search is about no history. */
  readonly revision?: string;
  /** The number of the read whose changes the indices name; not there if they name all that there are. */
  readonly universe?: number;
}

/** A revision, or a revision with changes on it, as searches write it. */
export interface VariantTarget {
  /** The revision. */
  readonly revision: string;
  /** Which changes are on it in short (`"0-3,7"`); not there for the revision as it is. */
  readonly changes?: string;
  /** The number of the read that they are changes of. */
  readonly universe?: number;
}

/** One request to test a revision, or a revision with changes on it. */
export interface VariantProbe extends Probe {
  /** The indices of the changes on it, ascending, made when first asked for; not there for the revision as it is. */
  readonly changes?: readonly number[];
  /** The same in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7. */
  readonly set?: string;
  /** The number of the read that they are changes of. */
  readonly universe?: number;
}

/**
 * How a patch was brought to a revision. `none`: there was nothing to bring. `exact`: it applied as it is. `three_way`: by a
 * merge. `renamed`: by a merge, and a file or a folder has another name there. `whitespace`: only when changes of white space
 * were ignored. `fuzzy`: only when one line of context on either side was enough. `already`: merged, and the revision has all
 * of it already.
 */
export type CarriedBy = "none" | "exact" | "three_way" | "renamed" | "whitespace" | "fuzzy" | "already";

/** What an oracle of {@link iterativeDeltaDebugging} is asked about: a revision with a patch on it. */
export interface PortProbe {
  /** The number of the probe. */
  readonly id: number;
  /** The revision, as a full sha. */
  readonly revision: string;
  /** What is to be applied to it, which works exactly; without changes for the revision as it is. */
  readonly patch: Patch;
  /** The full id of the tree that this makes: equal ids are equal files. */
  readonly tree: string;
  /** How the patch was carried to the revision. */
  readonly carried: CarriedBy;
}

/** What an oracle of {@link sliceHistory} is asked about: the base with some of the changes. */
export interface SliceProbe {
  /** The number of the probe. */
  readonly id: number;
  /** The base, as a full sha. */
  readonly revision: string;
  /** The names of the changes that are kept, oldest first. */
  readonly changes: readonly string[];
  /** What makes them of the base, the tests that are laid over it included; without changes for the base as it is. */
  readonly patch: Patch;
  /** The full id of the tree that this makes: equal ids are equal files. */
  readonly tree: string;
}

/** One request to test something. */
export type AnyProbe = Probe | ReductionProbe;

/** How a caller names what a probe of that kind would test: a revision by its id, a set of items by their indices. */
export type TargetOf<P extends AnyProbe> = P extends Probe ? string : Iterable<number>;

class ChangesProbe extends Changes implements ReductionProbe {
  readonly id: number;
  declare readonly revision?: string;
  declare readonly universe?: number;

  /** `changes` are those of a read where it says so: `0-3@2`. */
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
 * the id of a confirming probe ends with `!`.
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
  return new ChangesProbe(id, revision === "*" ? undefined : revision, set);
}
