/** What a search for the smallest slice of a history answers. */

import { inspect } from "node:util";
import { describeSlice } from "./binding.js";
import { Changes } from "./change-set.js";
import type { Commits } from "./commit.js";
import { invalid, native } from "./errors.js";
import { reportFrom } from "./fields.js";
import type { Outcome } from "./observation.js";
import { text } from "./options.js";
import { type SubsetObservation, type Guarantee, setsOf } from "./reduction.js";
import { Repository } from "./repository.js";
import type { Status } from "./search.js";
import { type SlicedFrom, sliced } from "./slices.js";
import { readAs, WordedReport } from "./words.js";

/** What shows that one change of a slice is needed. */
export interface SliceReason {
  /** The change, as an index. */
  readonly change: number;
  /** Its name. */
  readonly name: string;
  /**
   * The indices of the set that was asked, ascending, made when first asked for: the slice without the change, and without
   * those that rest on it where it could not be put together with them.
   */
  readonly changes: readonly number[];
  /** The same in short: `"0-3,7"` stands for 0, 1, 2, 3 and 7. */
  readonly set: string;
  /** The number of the answer among the observations. */
  readonly observation: number;
  /** What was seen of the set: not what is to be kept. */
  readonly outcome: Outcome;
  /** Whether that cost a run: a conflict does not, nor does what was seen of equal files before. */
  readonly ran: boolean;
  /**
   * The numbers of the answers before it, where sets with more changes could not be put together: the slice without the
   * change alone is the first of them.
   */
  readonly unbuilt: readonly number[];
}

/** How far a search was after a run (DEFINER, Figure 13: history reduction per test run). */
export interface SliceSize {
  /** How many answers had cost a run. */
  readonly run: number;
  /** How many changes the smallest set had that was seen to hold. */
  readonly changes: number;
}

/** What a slice has of one commit, as a patch. */
export interface SlicePatch {
  /** A name for a file, as `git format-patch` gives it: `0001-the-subject.patch`. */
  readonly name: string;
  /** The commit in the history, as a full sha. */
  readonly commit: string;
  /**
   * The full sha of the commit that it makes on top of those before it: author, committer, dates and message are those of
   * `commit`. It is in the repository once {@link SlicerReport.createBranch} made a branch of it.
   */
  readonly made: string;
  /** A patch for `git am`. What is no UTF-8 in it is replaced: write `bytes` into files. */
  readonly text: string;
  /** The same as bytes. */
  readonly bytes: Uint8Array;
}

type WrittenReason = Omit<SliceReason, "set" | "changes" | "unbuilt"> & {
  readonly changes: string;
  readonly unbuilt?: readonly number[];
};

/** What the core writes. */
interface Written
  extends Pick<SlicerReport, "status" | "message" | "kept" | "of" | "guarantee" | "sizes" | "warnings" | "runs"> {
  readonly names: readonly string[];
  readonly why: readonly WrittenReason[];
  readonly asked: number;
  readonly observations: readonly SubsetObservation[];
  readonly commits: Commits;
}

/**
 * The smallest slice of a history that was found, final or the best so far (DEFINER, 2016).
 *
 * @example
 * ```ts
 * const report = await sliceHistory(".", { base: "v1.0", tip: "main", oracle });
 * console.log(report.toText());
 * for (const { name, bytes } of await report.patches()) writeFileSync(name, bytes);
 * ```
 */
export class SlicerReport extends WordedReport {
  readonly #text: string;
  readonly #from: SlicedFrom | undefined;
  /**
   * Where it stands: `found`; `not_reproduced` or `untestable`, where what is to be kept was not seen with all changes, or
   * the test could not be run; `budget`, `stopped`, `running`.
   */
  readonly status: Status;
  /** The same in some sentences, for people. */
  readonly message: string;
  /**
   * The changes of the slice, as indices, ascending. All, before it is known whether they hold together; none if they do
   * not.
   */
  readonly kept: readonly number[];
  /**
   * Their names, oldest first: full shas of commits; of parts of a commit with its file (`sha:file`) and the number of the
   * hunk in it (`sha:file#0`), or the definition (`sha:file#Class.method`).
   */
  readonly commits: readonly string[];
  /** How many changes there were. */
  readonly of: number;
  /**
   * What is certain about the slice. `1-minimal`: no change of it can go, neither alone nor with those that rest on it.
   */
  readonly guarantee: Guarantee;
  /**
   * For each change of the slice the answer that shows that it is needed, newest first; only those that were shown so far.
   */
  readonly why: readonly SliceReason[];
  /** How many changes were left after each run that made them fewer. */
  readonly sizes: readonly SliceSize[];
  /** Warnings about the result, in sentences. */
  readonly warnings: readonly string[];
  /** How many answers cost a run. */
  readonly runs: number;
  /** The same as `runs`. */
  readonly runs: number;
  /** How many answers came to probes, those that cost no run included. */
  readonly asked: number;
  /** Everything that was seen, in the order told. */
  readonly observations: readonly SubsetObservation[];
  /**
   * What the commits that the answer names are called, by their full ids, where the history is a repository's; empty
   * elsewhere, while the search runs, and where the repository could not say it.
   */
  readonly details: Commits;

  private constructor(text: string, from: SlicedFrom | undefined) {
    super("slice", text, () => JSON.parse(from?.options ?? "{}"));
    const written = reportFrom<Written>(text);
    this.#text = text;
    this.#from = from;
    this.status = written.status;
    this.message = written.message;
    this.kept = written.kept;
    this.commits = written.names;
    this.of = written.of;
    this.guarantee = written.guarantee;
    this.why = written.why.map(({ changes, ...rest }) => Object.assign(new Changes(changes), { unbuilt: [], ...rest }));
    this.sizes = written.sizes;
    this.warnings = written.warnings;
    this.runs = written.runs;
    this.runs = written.runs;
    this.asked = written.asked;
    this.observations = setsOf(written.observations);
    this.details = written.commits;
  }

  /**
   * A report that was written as JSON: by `toJson`, or with `--json` by the command line, in any language.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the text is no such report.
   */
  static fromJson(text: string): SlicerReport {
    return new SlicerReport(readAs("slice", text), undefined);
  }

  /** @internal A report that the core wrote, and where its history is. */
  static adopt(text: string, from: SlicedFrom | undefined): SlicerReport {
    if (from === undefined || JSON.parse(text).status === "running") return new SlicerReport(text, from);
    const repository = Repository.bindingOf(from.repository);
    return new SlicerReport(
      native(() => describeSlice(text, repository, from.options)),
      from,
    );
  }

  /**
   * The slice as patches for `git am`, oldest first, on top of the base: one for each commit of which it keeps something.
   * Nothing is written into the repository.
   *
   * @throws {@link FirstbadError} `invalid_argument` for the report of a search that was driven by hand, which knows no
   * repository; `not_reproduced` where there is no slice; `git`, `io`.
   */
  async patches(): Promise<SlicePatch[]> {
    const made = await sliced(this.#history(), (slices) => slices.commits(this.#text));
    return made.map(({ patch, ...rest }) => ({ ...rest, text: patch.toString("utf8"), bytes: patch }));
  }

  /**
   * Makes a branch of the slice, on top of the base, and gives the full sha of its newest commit. What is checked out stays
   * so.
   *
   * @throws {@link FirstbadError} `invalid_argument` for a name that no branch can have, or that one has already; and as
   * {@link SlicerReport.patches} does.
   */
  async createBranch(name: string): Promise<string> {
    const called = text("name", name);
    return sliced(this.#history(), (slices) => slices.createBranch(called, this.#text));
  }

  /** Where the history of a slice is. */
  #history(): SlicedFrom {
    if (this.#from === undefined) {
      throw invalid("report", "one of a search by hand", "one of sliceHistory, which knows the repository");
    }
    return this.#from;
  }

  /** @internal */
  [inspect.custom](): string {
    return `SlicerReport(${this.status} after ${this.runs} ${this.runs === 1 ? "run" : "runs"}: ${this.message})`;
  }
}
