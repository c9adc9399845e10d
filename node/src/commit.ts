/** What people know a commit by. */

/** What people know a commit by. The texts are whatever its author wrote. */
export interface Commit {
  /** The first line of its message. */
  readonly subject: string;
  /** Who wrote it, without the address. */
  readonly author: string;
  /** When it was written (git's author date): ISO 8601, in UTC, to the second. */
  readonly authorDate: string;
  /** When it got its place in the history (git's commit date), likewise. */
  readonly commitDate: string;
}

/** What the commits are called that an answer names, by their full ids. */
export type Commits = Readonly<Record<string, Commit>>;
