/** Real repositories. */

import { BindingRepository } from "./binding.js";
import type { Changelist } from "./changelist.js";
import { aCommand } from "./command-fields.js";
import { type CommandOracle, commandOf, commandOptions, commandOracle, runBy, runCommand } from "./command-oracle.js";
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

/** What to reduce of a commit and how to run that. `signature` is the failure to be kept. */
export interface MinimizeCommitOptions extends Omit<MinimizePatchOptions, "keep"> {
  /** The revision that passes, on which the commit's changes are tried; by default the commit's first parent. */
  parent?: string;
}

/** Which changes are asked for. */
export interface ChangesOptions {
  /**
   * What a merge has changed. `own`, the default: files that differ from all of its parents; what came with a branch
   * belongs to the branch's commits. `first-parent`: all that differs from its first parent; only first parents are
   * followed, as in graphs with `firstParent`.
   */
  merges?: "own" | "first-parent";
}

/**
 * A git repository on disk. Its checkout, index, refs, stash and configuration are only ever read (but see
 * `fetch` in {@link RepositoryOptions}), and no command that its configuration names (hooks, filters) is ever run.
 */
export class Repository {
  readonly #binding: BindingRepository;

  /**
   * @param path A folder in the repository's work tree, or the repository itself; a path, or a `file:` URL.
   * @throws {@link FirstbadError} `git` where there is no repository.
   */
  constructor(path: string | URL = ".", options?: RepositoryOptions) {
    const { fetch } = checkedOptions(options, ["fetch"]);
    this.#binding = native(() => BindingRepository.open(pathOf("path", path), fetching(fetch)));
  }

  /** The same as the constructor. */
  static open(path: string | URL = ".", options?: RepositoryOptions): Repository {
    return new Repository(path, options);
  }

  /** Where it is. */
  get path(): string {
    return this.#binding.path;
  }

  /**
   * The full sha that a revision (`main`, `v1.0~3`, the beginning of a sha) stands for.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`.
   */
  resolve(revision: string): string {
    return native(() => this.#binding.resolve(text("revision", revision)));
  }

  /**
   * For each revision the full shas of its commit and of its tree, from one call of git. Revisions with the same tree have
   * the same files: what a test says about one it says about the other.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`.
   */
  treeIds(revisions: string | Iterable<string>): [commit: string, tree: string][] {
    const ids = severalIds("revisions", revisions);
    return native(() => this.#binding.treeIds(ids)) as [string, string][];
  }

  /**
   * The commit graph, read without blocking the event loop. Ids are full shas; branches, tags and unique beginnings of
   * shas stand for them wherever a revision is named.
   *
   * @param part The tips to start from, or which part of the history to take; by default all of it.
   * @throws {@link FirstbadError} `unknown_revision`, `git`, `invalid_argument` for paths that no commit touches.
   */
  async graph(part?: string | Iterable<string> | GraphOptions): Promise<CommitGraph> {
    const options = partOptions(part);
    return adopt(await nativePromise(() => this.#binding.graph(options)));
  }

  /** The same as {@link Repository.graph}, at once. */
  graphSync(part?: string | Iterable<string> | GraphOptions): CommitGraph {
    const options = partOptions(part);
    return adopt(native(() => this.#binding.graphSync(options)));
  }

  /**
   * An oracle that runs a command, without a shell, for a revision in a work tree of its own.
   *
   * @example
   * ```ts
   * await using oracle = repository.commandOracle(["npm", "test"], { timeout: 600 });
   * await findRegressions(repository.graph(["main"]), oracle, { bad: "main", good: "v1.0", concurrency: 4 });
   * ```
   *
   * @throws {@link FirstbadError} `invalid_argument`, `git`, `io`; `patch_syntax` for a fix-up that is no patch.
   */
  commandOracle(command: Several<string>, options?: CommandOptions): CommandOracle {
    const [program, given] = [aCommand("command", command), commandOptions(options)];
    const oracle = commandOracle(native(() => this.#binding.commandOracle(program, given)));
    repositories.set(oracle, this);
    return oracle;
  }

  /**
   * What each commit changed that is reachable from `bad` and not from `good`, oldest first. Renames are followed: both
   * names are among the files. Merges that changed nothing are left out.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`.
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
   * The patch from one revision's tree to another's, as `git diff old new` has it, with complete object names, binary
   * contents and renames, whatever anybody has configured.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `git`.
   */
  async diff(old: string, new_: string): Promise<Patch> {
    const [from, to] = [text("old", old), text("new", new_)];
    return Patch.adopt(await nativePromise(() => this.#binding.diff(from, to)));
  }

  /**
   * What a search has to see, as {@link Search.reads} names it: what makes a repository the `reader` of {@link run}.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `git`; `invalid_argument` for what a repository cannot show.
   */
  async read({ id: _, ...request }: Read): Promise<Uint8Array> {
    return nativePromise(() => this.#binding.read(json("request", request)));
  }

  /**
   * Finds a smallest part of a commit's changes that still breaks its parent: files first, then hunks, then
   * definitions, then lines (Artho, "Iterative Delta Debugging", Section 3).
   *
   * The oracle has its usual meaning, true or `"pass"` for what passes. A command oracle of this repository runs in a work
   * tree of the parent with a part of the changes applied; any other function gets that part as a {@link Patch}. What does
   * not apply, leaves a file that does not parse (where the whole does, and the parent), or cannot be told, is unresolved and
   * never to blame; the first two are not run. So is a part with which a command oracle fails in another way than with the
   * whole: the exit code, or the last line of the output that looks like an error (or what `signature` finds), is another one.
   *
   * @example
   * ```ts
   * await using oracle = repository.commandOracle(["npm", "test"]);
   * const report = await repository.minimizeCommit("main", oracle);
   * console.log(`${report.items}`);
   * ```
   *
   * @throws {@link FirstbadError} `not_reproduced` where all changes together do not break the parent; `unknown_revision`,
   * `ambiguous_revision`, `git`; `invalid_argument` for a commit without parents, where none is given; else as
   * {@link minimizePatch} does. What the oracle throws, unchanged.
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

  /** @internal The patch from one revision to another, to be taken apart. */
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

/** @internal The repository of a command oracle; undefined for any other oracle. */
export function repositoryOf(oracle: unknown): Repository | undefined {
  return typeof oracle === "function" ? repositories.get(oracle) : undefined;
}

/** @internal {@link Repository.minimizeCommit}, where nothing to reduce is a report as well. */
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
    // A branch may move while the command runs.
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
 * @internal A command oracle as one of patches on a revision. Failures are signed, for half a patch fails in ways of its
 * own.
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

/** Errors about a revision name the arguments of {@link Repository.minimizeCommit}. */
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
