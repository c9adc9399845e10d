/** What a regression search answers. */

import type { Commits } from "./commit.js";
import type { Observation } from "./observation.js";
import type { Status } from "./search.js";
import type { SelectionReason } from "./why.js";
import type { InWords } from "./words.js";

/** An edge (or a stretch of history) between a passing revision and a failing one (RPA, Definition 2). */
export interface RegressionPoint {
  /** The revision that passes; `null` if no ancestor was seen to. With `find: "fix"` the newer one. */
  good: string | null;
  /** The revision that fails. With `find: "fix"` the older one. */
  bad: string;
  /**
   * The revision that changed the outcome; `null` if there are candidates, if no ancestor had the other outcome, or if its
   * own outcomes were inconsistent.
   */
  culprit: string | null;
  /** The newer ends that this point answers for, in the order in which they were given. */
  leaves: string[];
  /** Parallel to `leaves`: how many edges a shortest path from `bad` to the leaf has. */
  distances: number[];
  /**
   * Whether the newer revision was seen to be as it is and every parent of it to be otherwise: then it is the culprit by
   * itself.
   */
  parentsPass: boolean;
  /**
   * Whether the culprit and then its parents had the same outcomes when they ran again, each alone in a clean worktree. Always
   * false with `confirm: false`, and with `search: "bayes"`, which reports a `probability` instead.
   */
  confirmed: boolean;
  /**
   * The culprits of other points that make the same change (equal patch-ids), such as its cherry-picks. Together they are one
   * finding.
   */
  sameChange: string[];
  /** The given ends that the point rests on and that nobody tested (`testEndpoints: false`), with a `good` end that never passed. */
  untestedEndpoints: string[];
  /**
   * Outcomes that come and go: revisions that were seen, before the older side, to be like the newer one, or after the
   * newer side, on the way to a leaf, to be like the older one; at most 10, oldest first.
   */
  inconsistent: string[];
  /** All suspects left, oldest first, where unresolved revisions stand between; empty if the edge was tested. */
  candidates: string[];
  /**
   * Whether the newer revision touches none of the paths that the history was simplified to: what is to blame may be a commit
   * before it that was not looked at. It is among the candidates then.
   */
  outsidePaths: boolean;
  /** Parents of the newer revision that could not be tested, in their own order. */
  unresolvedParents: string[];
  /** With `search: "bayes"`: how likely the point is right for all of its leaves, in [0, 1]; else null. */
  probability: number | null;
  /** What was sought: a regression, or the repair of one. */
  find: "regression" | "fix";
  /**
   * A name for this finding, 32 hexadecimal digits: the same for it in every run, language and version.
   *
   * It depends on who is to blame alone: on `find`, and on the culprit's id or those of all candidates. Not on the
   * revision before it, on the ends that it answers for, on what was tested, nor on names. With fewer candidates it is
   * another finding.
   */
  fingerprint: string;
}

/** What became of one newer end. */
export interface LeafReport {
  /** The end. */
  leaf: string;
  /**
   * How its answer came about: by a search of its own, by a point found for another end (RPA, Algorithm 2), not at all
   * because it does not fail (or with another failure), because nothing before it was seen to pass, because neither it nor
   * its replacement can be tested, because two runs of a revision that decides the result differ, or because the observations
   * fit no culprit at the given flake rate; or not yet.
   */
  result:
    | "open"
    | "searched"
    | "propagated"
    | "not_reproduced"
    | "no_passing_revision"
    | "untestable"
    | "contradictory";
  /** The older revision that was searched from, where the end itself could not be tested; else null. */
  replacedBy: string | null;
  /** Its points, as indices into the report's points. */
  points: number[];
}

/** An observation with the revision that it is about. */
export interface RevisionObservation extends Observation {
  /** The revision. */
  revision: string;
  /** The probe that it answered; `null` if it was known without being asked. */
  probe: number | null;
}

/** The answer of a regression search, final or the best so far. */
export interface RegressionReport extends InWords {
  /** Where the search stands. */
  status: Status;
  /** The same in one sentence, for people. */
  message: string;
  /** The regression points, in the order found. */
  points: RegressionPoint[];
  /** What became of each newer end, in the order given. */
  leaves: LeafReport[];
  /** What is to be known before one believes the answer, or its cost, in sentences. */
  warnings: string[];
  /** How many answers came from the oracle. */
  runs: number;
  /** The number of these runs that confirmed or contradicted the result. */
  confirmations: number;
  /** Everything that was seen, in the order told. */
  observations: RevisionObservation[];
  /** Why revisions were tried, for those that were asked or are to blame and of which the prior knows it (`"changes"`). */
  why: Readonly<Record<string, SelectionReason>>;
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
   */
  commits: Commits;
  /** The branches and tags of the newer ends, by their full ids, at most three of each; known where `commits` are. */
  names: Readonly<Record<string, readonly string[]>>;
  /**
   * The paths that the history was simplified to before it was searched: only commits that touch them were looked at, and
   * the ends. Then no point is clean: what lies right before a commit here need not be its parent. Empty: all commits.
   */
  paths: string[];
  /** Whether only first parents were followed. */
  firstParent: boolean;
  /** Which change was looked for. */
  find: "regression" | "fix";
  /**
   * What was seen as a `git bisect log`, for `git bisect replay`, and for whoever else reads such logs. git knows one newer
   * end: of several it is that of the first point. What was seen otherwise each time is skipped.
   */
  toBisectLog(): string;
}
