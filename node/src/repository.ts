/** Git repositories. */

import { BindingRepository } from "./binding.js";
import type { Changelist } from "./changelist.js";
import { aCommand } from "./command-fields.js";
import {
  type CommandOracle,
  commandOf,
  commandOptions,
  commandOracle,
  type MeasureCommandOptions,
  type MeasureOracle,
  measureOptions,
  measureOracle,
  runBy,
  runCommand,
  type SuiteCommandOptions,
  type SuiteOracle,
  suiteOptions,
  suiteOracle,
} from "./command-oracle.js";
import { FirstbadError, invalid, native, nativePromise } from "./errors.js";
import { json } from "./fields.js";
import type { CommandOptions } from "./generated/command.js";
import { fetching, type GraphOptions, graphOptions, type RepositoryOptions } from "./git-options.js";
import { adopt, type CommitGraph } from "./graph.js";
import { reproduced } from "./minimize.js";
import { checkTree, type MinimizePatchOptions, patchMinimized } from "./minimize-patch.js";
import type { MinimizeReport } from "./minimizer.js";
import { checkedOptions, parted, pathOf, type Several, severalIds, text } from "./options.js";
import type { Interesting } from "./oracle.js";
import { Patch } from "./patch.js";
import type { Read } from "./reader.js";

/** How to reduce a commit, and how to run the search. `signature` is the failure to keep. */
export interface MinimizeCommitOptions extends Omit<MinimizePatchOptions, "keep"> {
  /** The revision that the changes apply to, which must pass. Default: the first parent of the commit. */
  parent?: string;
}

/** The options of {@link Repository.changes}. */
export interface ChangesOptions {
  /**
   * The changes of a merge. `own` (the default): files that differ from all parents. `first-parent`: files that differ
   * from the first parent, following only first parents as graphs with `firstParent` do.
   */
  merges?: "own" | "first-parent";
}

/**
 * A Git repository. firstbad never changes your checkout, index, refs, stash or configuration (except `fetch` in {@link
 * RepositoryOptions}), and never runs a command of the configuration, such as a hook or filter.
 */
export class Repository {
  readonly #binding: BindingRepository;

  /**
   * @param path A folder in a worktree, or the repository itself, as a path or a `file:` URL.
   * @throws {@link FirstbadError} `git` if there is no repository.
   */
  constructor(path: string | URL = ".", options?: RepositoryOptions) {
    const { fetch } = checkedOptions(options, ["fetch"]);
    this.#binding = native(() => BindingRepository.open(pathOf("path", path), fetching(fetch)));
  }

  /** Calls the constructor. */
  static open(path: string | URL = ".", options?: RepositoryOptions): Repository {
    return new Repository(path, options);
  }

  /** The path of the repository. */
  get path(): string {
    return this.#binding.path;
  }

  /**
   * Returns the full hash of a revision in Git's syntax (`main`, `v1.0~3`).
   *
   * @throws {@link FirstbadError} `unknown_revision` if Git cannot find a revision, `ambiguous_revision` if an
   * abbreviation matches several commits, and `git` if a Git command fails.
   */
  resolve(revision: string): string {
    return native(() => this.#binding.resolve(text("revision", revision)));
  }

  /**
   * Returns the full hashes of the commit and the tree of each revision, with a single Git process. Revisions with the
   * same tree have the same files, and the same outcome.
   *
   * @throws {@link FirstbadError} `unknown_revision` if Git cannot find a revision, `ambiguous_revision` if an
   * abbreviation matches several commits, and `git` if a Git command fails.
   */
  treeIds(revisions: string | Iterable<string>): [commit: string, tree: string][] {
    const ids = severalIds("revisions", revisions);
    return native(() => this.#binding.treeIds(ids)) as [string, string][];
  }

  /**
   * Reads the commit graph without blocking the event loop. Ids are full hashes. Branches, tags and unique prefixes of
   * hashes are also accepted as revisions.
   *
   * @param part The tips to start from, or the options of the graph. Default: the whole history.
   * @throws {@link FirstbadError} `unknown_revision`, `git`, `invalid_argument` if no commit touches the paths.
   */
  async graph(part?: string | Iterable<string> | GraphOptions): Promise<CommitGraph> {
    const options = partOptions(part);
    return adopt(await nativePromise(() => this.#binding.graph(options)));
  }

  /** Synchronous version of {@link Repository.graph}. */
  graphSync(part?: string | Iterable<string> | GraphOptions): CommitGraph {
    const options = partOptions(part);
    return adopt(native(() => this.#binding.graphSync(options)));
  }

  /**
   * Creates an oracle that runs a command for a revision, without a shell, in a worktree outside your checkout.
   *
   * @example
   * ```ts
   * await using oracle = repository.commandOracle(["npm", "test"], { timeout: 600 });
   * await findRegressions(repository.graph(["main"]), oracle, { bad: "main", good: "v1.0", concurrency: 4 });
   * ```
   *
   * @throws {@link FirstbadError} `invalid_argument`, `git`, `io`, and `patch_syntax` if a fix-up is not a patch.
   */
  commandOracle(command: Several<string>, options?: CommandOptions): CommandOracle {
    const [program, given] = [aCommand("command", command), commandOptions(options)];
    const oracle = commandOracle(native(() => this.#binding.commandOracle(program, given)));
    repositories.set(oracle, this);
    return oracle;
  }

  /**
   * Creates an oracle that runs chosen tests of a revision with one build, for {@link triage}.
   *
   * The test runner reports the result of each test, and a test without a result is unresolved. The stages, worktrees,
   * and limits are those of {@link Repository.commandOracle}. In the command, `{tests}` is replaced by the arguments
   * that choose the tests, which are otherwise at the end, and `{tests_file}` by the path of a file with one id in each
   * line. If `setup`, `configure`, or `build` fails, or the runner cannot start, the revision is unresolved. If the
   * runner crashes or exceeds its time limit, the results that it has written count, and the other tests run again.
   *
   * @example
   * ```ts
   * await using oracle = repository.suiteOracle(["npx", "vitest", "run", "{tests}"], { build: ["npm", "ci"] });
   * const report = await triage(repository.graph(["main"]), oracle, { bad: "main", good: "v1.0" });
   * ```
   *
   * @throws {@link FirstbadError} `invalid_argument`, `git`, `io`, and `patch_syntax` if a fix-up is not a patch.
   */
  suiteOracle(command: Several<string>, options?: SuiteCommandOptions): SuiteOracle {
    const [program, given] = [aCommand("command", command), suiteOptions(options)];
    const oracle = suiteOracle(native(() => this.#binding.suiteOracle(program, given)));
    repositories.set(oracle, this);
    return oracle;
  }

  /**
   * Creates an oracle that measures numbers at a revision, for {@link findChange}.
   *
   * The stages, worktrees, and limits are those of {@link Repository.commandOracle}. The command must exit with 0,
   * because a broken benchmark is not slow: otherwise, the revision is unresolved. Worktrees keep the builds of the last
   * revisions, so that measuring a revision again does not build it again. `findChange` takes the unit of the number, or
   * the names and units of several metrics, from this oracle.
   *
   * @example
   * ```ts
   * await using measure = repository.measureOracle(["./bench"], { metric: "seconds", build: ["make"] });
   * const report = await findChange(repository.graph(["main"]), measure, { bad: "main", good: "v2.0" });
   * ```
   *
   * @throws {@link FirstbadError} `invalid_argument`, `git`, `io`, and `patch_syntax` if a fix-up is not a patch.
   */
  measureOracle(command: Several<string>, options: MeasureCommandOptions): MeasureOracle {
    const [program, given] = [aCommand("command", command), measureOptions(options)];
    const oracle = measureOracle(native(() => this.#binding.measureOracle(program, given)));
    repositories.set(oracle, this);
    return oracle;
  }

  /**
   * Returns the changes of the commits that are reachable from `bad` and not from `good`, oldest first. A renamed file
   * has both names. Merges without changes are omitted.
   *
   * @throws {@link FirstbadError} `unknown_revision` if Git cannot find a revision, `ambiguous_revision` if an
   * abbreviation matches several commits, and `git` if a Git command fails.
   */
  async changes(
    good: string | Iterable<string>,
    bad: string | Iterable<string>,
    options?: ChangesOptions,
  ): Promise<Required<Omit<Changelist, "lines">>[]> {
    const { merges = "own" } = checkedOptions(options, ["merges"]);
    const [from, to, how] = [severalIds("good", good), severalIds("bad", bad), text("merges", merges)];
    return JSON.parse(await nativePromise(() => this.#binding.changes(from, to, how)));
  }

  /**
   * Returns the patch between two revisions, as `git diff old new` does, with full object names, binary contents and
   * renames. It ignores your diff configuration.
   *
   * @throws {@link FirstbadError} `unknown_revision` if Git cannot find a revision, `ambiguous_revision` if an
   * abbreviation matches several commits, and `git` if a Git command fails.
   */
  async diff(old: string, new_: string): Promise<Patch> {
    const [from, to] = [text("old", old), text("new", new_)];
    return Patch.adopt(await nativePromise(() => this.#binding.diff(from, to)));
  }

  /**
   * Returns the content for a request of {@link Search.reads}, so that a repository can be the `reader` of {@link run}.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `git`, `invalid_argument` if a repository cannot answer the
   * request.
   */
  async read({ id: _, ...request }: Read): Promise<Uint8Array> {
    return nativePromise(() => this.#binding.read(json("request", request)));
  }

  /**
   * Finds the smallest part of a commit that still breaks its parent, by files, hunks, definitions, and lines (Artho,
   * "Iterative Delta Debugging", Section 3).
   *
   * A command oracle of this repository runs in a worktree of the parent with a part of the changes applied. Any other
   * function gets the part as a {@link Patch}, and returns true or `"pass"` if the test passes. A part that does not
   * apply is unresolved without a run, and so is a part with a file that does not parse, if the file parses in the
   * commit and its parent. A part is also unresolved if a command oracle fails in another way than with the whole
   * commit: with another exit code, or another error line or `signature`.
   *
   * @example
   * ```ts
   * await using oracle = repository.commandOracle(["npm", "test"]);
   * const report = await repository.minimizeCommit("main", oracle);
   * console.log(`${report.items}`);
   * ```
   *
   * @throws {@link FirstbadError} `not_reproduced` if all changes together do not break the parent, `unknown_revision`,
   * `ambiguous_revision`, `git`, `invalid_argument` if the commit has no parent and none is given, and the errors of
   * {@link minimizePatch}. Errors of the oracle are unchanged.
   */
  async minimizeCommit(
    culprit: string,
    oracle: CommandOracle,
    options?: MinimizeCommitOptions,
  ): Promise<MinimizeReport<Patch>>;
  async minimizeCommit(
    culprit: string,
    oracle: Interesting<Patch>,
    options?: MinimizeCommitOptions,
  ): Promise<MinimizeReport<Patch>>;
  async minimizeCommit(
    culprit: string,
    oracle: CommandOracle | Interesting<Patch>,
    options?: MinimizeCommitOptions,
  ): Promise<MinimizeReport<Patch>> {
    return reproduced(await commitMinimized(this, culprit, oracle, options));
  }

  /** @internal */
  static bindingOf(repository: Repository): BindingRepository {
    if (!(repository instanceof Repository)) {
      throw invalid("repository", repository, 'a Repository, like new Repository(".")');
    }
    return repository.#binding;
  }

  /** @internal Returns the patch between two revisions, to reduce it. */
  static async diffToReduce(repository: Repository, old: string, new_: string): Promise<Patch> {
    const [from, to] = [text("old", old), text("new", new_)];
    return Patch.adopt(await nativePromise(() => repository.#binding.diffToReduce(from, to)));
  }

  /** @internal */
  static firstParent(repository: Repository, revision: string): string {
    const [parent] = native(() => repository.#binding.parents(revision));
    if (parent === undefined) throw invalid("culprit", revision, "a commit with a parent, or `parent`");
    return parent;
  }
}

const repositories = new WeakMap<object, Repository>();

/** @internal Returns the repository of a command oracle, or undefined for other oracles. */
export function repositoryOf(oracle: unknown): Repository | undefined {
  return typeof oracle === "function" ? repositories.get(oracle) : undefined;
}

/** @internal {@link Repository.minimizeCommit}, but nothing to reduce is a report and not an error. */
export async function commitMinimized(
  repository: Repository,
  culprit: string,
  oracle: CommandOracle | Interesting<Patch>,
  options: MinimizeCommitOptions | undefined,
): Promise<MinimizeReport<Patch>> {
  const revision = text("culprit", culprit);
  const [given, rest] = parted(options, "parent");
  if (Object.hasOwn(rest ?? {}, "keep")) throw invalid("options", "keep", "an oracle instead: a failure is kept");
  checkTree(rest);
  if (typeof oracle !== "function") throw invalid("oracle", oracle, "a function");
  const theirs = repositoryOf(oracle);
  if (theirs !== undefined && theirs.path !== repository.path) {
    throw invalid("oracle", theirs.path, `a command oracle of ${repository.path}`);
  }
  const [parent, patch] = await underOwnNames(async () => {
    const parent =
      given.parent === undefined ? Repository.firstParent(repository, revision) : text("parent", given.parent);
    const patch = await Repository.diffToReduce(repository, parent, revision);
    // A branch can move while the command runs.
    return [repository.resolve(parent), patch] as const;
  });
  if (patch.length === 0) {
    throw invalid("culprit", revision, `a commit that changes something: ${parent} has the same files`);
  }
  const interesting = theirs === undefined ? (oracle as Interesting<Patch>) : over(parent, oracle as CommandOracle);
  const base = { repository: Repository.bindingOf(repository), revision: parent };
  return patchMinimized(patch, interesting, { ...rest, keep: "fail" }, base);
}

/**
 * @internal Converts a command oracle to one of patches on a revision. Failures have signatures, because part of a
 * patch can fail in other ways.
 */
export function over(revision: string, oracle: CommandOracle): Interesting<Patch> {
  const binding = commandOf(oracle);
  const interesting: Interesting<Patch> = (patch, { signal }) =>
    binding === undefined
      ? oracle(revision, { signal, patch })
      : runCommand(binding, revision, { signal, patch }, true);
  runBy(interesting, binding);
  return interesting;
}

/** Renames the arguments in errors about a revision to those of {@link Repository.minimizeCommit}. */
async function underOwnNames<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof FirstbadError)) throw error;
    const message = error.message.replace(/^(revision|new)(?=: )/, "culprit").replace(/^old(?=: )/, "parent");
    throw new FirstbadError(error.code, message);
  }
}

function partOptions(part: string | Iterable<string> | GraphOptions | undefined): string {
  const tips = typeof part === "string" || (typeof part === "object" && part !== null && Symbol.iterator in part);
  return graphOptions(tips ? { tips: part } : part);
}
