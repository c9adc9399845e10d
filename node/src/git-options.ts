/** Which part of a git history becomes a graph. */

import { invalid } from "./errors.js";
import { json } from "./fields.js";
import { checkedOptions, severalIds } from "./options.js";

/**
 * The graph holds everything reachable from `tips` and not from `exclude`, and, as roots, the excluded commits that
 * are parents of what it holds.
 */
export interface GraphOptions {
  /**
   * Where to start, as git writes revisions (`main`, `v1.0~3`); by default `HEAD` and all branches, remote ones too,
   * and tags.
   */
  tips?: string | Iterable<string>;
  /** What to leave out, with its ancestors. */
  exclude?: string | Iterable<string>;
  /** Follow and keep only the first parent of every commit. */
  firstParent?: boolean;
  /**
   * Keep only commits that touch these paths (git's pathspecs, from the top level), the first parents of those that have no
   * other such commit before them, and `tips`, with the history between them simplified as `git log -- paths` does; by
   * default all commits.
   */
  paths?: string | Iterable<string>;
}

/** What may be done with a repository. */
export interface RepositoryOptions {
  /**
   * Whether what a shallow or partial clone does not have may be fetched, into it: the rest of the history when a graph is
   * read, and what a revision holds, all at once, before it is looked at. It comes from the remote of the branch that is
   * checked out (or the only one, or `origin`), and from the one that a partial clone was made from. No program that the
   * repository's own configuration names is run for it. By default nothing is fetched.
   */
  fetch?: boolean;
}

/** @internal Whether something may be fetched. */
export function fetching(fetch: unknown = false): boolean {
  if (typeof fetch !== "boolean") throw invalid("fetch", fetch, "true or false");
  return fetch;
}

/** @internal As the binding takes them; `own` are the options that the function `of` takes itself, beside them. */
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
