/** The part of a Git history that becomes a graph. */

import { invalid } from "./errors.js";
import { json } from "./fields.js";
import { checkedOptions, severalIds } from "./options.js";

/**
 * The options of a graph. It contains all commits that are reachable from `tips` and not from `exclude`, and their
 * excluded parents as roots.
 */
export interface GraphOptions {
  /**
   * The revisions to start from, in Git's syntax (`main`, `v1.0~3`). Default: `HEAD`, all local and remote branches,
   * and tags.
   */
  tips?: string | Iterable<string>;
  /** Revisions to leave out with their ancestors. */
  exclude?: string | Iterable<string>;
  /** Whether to follow only the first parent of every commit. */
  firstParent?: boolean;
  /**
   * Keep only commits that touch these paths (Git's pathspecs, from the top level), the first parents of those that
   * have no other such commit before them, and `tips`, with the history between them simplified as `git log -- paths`
   * does. Default: all commits.
   */
  paths?: string | Iterable<string>;
}

/** The options of a repository. */
export interface RepositoryOptions {
  /**
   * Whether to fetch missing objects of a shallow or partial clone: the rest of the history for a graph, and the files
   * of a revision before a run. firstbad fetches from the remote that your branch tracks (or the only remote, or
   * `origin`), and from the remote of the partial clone. It never runs a program that the configuration of the
   * repository names. Default: false.
   */
  fetch?: boolean;
}

/** @internal Returns whether to fetch. */
export function fetching(fetch: unknown = false): boolean {
  if (typeof fetch !== "boolean") throw invalid("fetch", fetch, "true or false");
  return fetch;
}

/** @internal Returns the options as the binding takes them. `own` are further options of the function `of`. */
export function graphOptions(
  options: GraphOptions | null | undefined,
  of = "graph",
  own: readonly string[] = [],
): string {
  const known = [...own, "tips", "exclude", "firstParent", "paths"];
  const given: Record<string, unknown> = checkedOptions(options, known, of);
  for (const name of ["tips", "exclude", "paths"]) {
    if (name in given) given[name] = severalIds(name, given[name]);
  }
  return json("options", given);
}
