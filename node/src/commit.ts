/** What people know a commit by. */

/** A file that a commit changed. */
export interface FileStats {
  /** Its name, seen from the top folder. */
  readonly path: string;
  /** How many lines were added. */
  readonly added: number;
  /** How many lines were deleted. */
  readonly deleted: number;
}

/** What a commit changed, counted. */
export interface CommitStats {
  /** How many files. */
  readonly files: number;
  /** How many lines it added; binary files have none. */
  readonly added: number;
  /** How many lines it deleted. */
  readonly deleted: number;
  /** The files with the most lines changed, the most first: at most ten. */
  readonly largest: readonly FileStats[];
}

/** A submodule that a commit updates. */
export interface SubmoduleChange {
  /** The submodule's folder, relative to the top of the repository. */
  readonly path: string;
  /** The submodule's commit before the update. */
  readonly before: string;
  /** The submodule's commit after the update. */
  readonly after: string;
  /** The number of submodule commits that the update brings in, or 0 if the submodule is not available locally. */
  readonly commits: number;
  /** The newest of these commits, at most five: the short id and the first line of the message. */
  readonly newest: readonly string[];
}

/** What people know a commit by. The texts are whatever its author wrote. */
export interface Commit {
  /** The first line of the message, at most 200 characters. */
  readonly subject: string;
  /** The author's name, at most 200 characters. */
  readonly author: string;
  /**
   * When it was written (git's author date): ISO 8601, to the second, with the author's own offset from UTC, as `git show`
   * has it.
   */
  readonly authorDate: string;
  /** When it got its place in the history (git's commit date), likewise with the committer's offset. */
  readonly commitDate: string;
  /** The author's e-mail address; missing if it is not known. */
  readonly email?: string;
  /** What it changed, against its first parent; of commits that are to blame, where it could be read. */
  readonly changed?: CommitStats;
  /** The submodules that the commit updates, under the same conditions as `changed`. */
  readonly submodules?: readonly SubmoduleChange[];
  /** Its page at the forge that the repository was cloned from, where that is a known one and has the commit. */
  readonly url?: string;
  /** The page of the pull or merge request that it was part of, likewise: its message names it, or that of a merge that brought it. */
  readonly requestUrl?: string;
}

/** What the commits are called that an answer names, by their full ids. */
export type Commits = Readonly<Record<string, Commit>>;
