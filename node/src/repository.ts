/** Real repositories. */

import { BindingRepository } from "./binding.js";
import { type CommandOptions, type CommandOracle, commandOptions, commandOracle } from "./command-oracle.js";
import { invalid, native, nativePromise } from "./errors.js";
import { type GraphOptions, graphOptions } from "./git-options.js";
import { adopt, type CommitGraph } from "./graph.js";
import { severalIds, text } from "./options.js";

/**
 * A git repository on disk. Its checkout, index, refs, stash and configuration are only ever read, and no command that
 * its configuration names (hooks, filters) is ever run.
 */
export class Repository {
  readonly #binding: BindingRepository;

  /**
   * @param path A folder in the repository's work tree, or the repository itself.
   * @throws {@link FirstbadError} `git` where there is no repository.
   */
  constructor(path = ".") {
    this.#binding = native(() => BindingRepository.open(text("path", path)));
  }

  /** The same as the constructor. */
  static open(path = "."): Repository {
    return new Repository(path);
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
   * The commit graph, read without blocking the event loop. Ids are full shas; branches, tags and unique beginnings of
   * shas stand for them wherever a revision is named.
   *
   * @param part The tips to start from, or which part of the history to take; by default all of it.
   * @throws {@link FirstbadError} `unknown_revision`, `git`.
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
   * @throws {@link FirstbadError} `invalid_argument`, `git`, `io`.
   */
  commandOracle(command: Iterable<string>, options?: CommandOptions): CommandOracle {
    if (typeof command === "string") throw invalid("command", command, 'an array like ["npm", "test"]');
    const words = severalIds("command", command);
    const given = commandOptions(options);
    return commandOracle(native(() => this.#binding.commandOracle(words, given)));
  }
}

function partOptions(part: string | Iterable<string> | GraphOptions | undefined): string {
  const tips = typeof part === "string" || (typeof part === "object" && part !== null && Symbol.iterator in part);
  return graphOptions(tips ? { tips: part } : part);
}
