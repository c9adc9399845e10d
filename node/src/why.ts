/** Why a revision is tried early, or late. */

/** What speaks for or against a commit. */
export type CommitReason =
  /** It touches a source file that the test is named after. */
  | { readonly kind: "named"; readonly file: string }
  /** It touches source files whose names have words of the test's file; the words, as the test has them. */
  | { readonly kind: "paths"; readonly words: readonly string[] }
  /** Its subject has words of the test. */
  | { readonly kind: "subject"; readonly words: readonly string[] }
  /** It touches so many source files, adds and deletes so many lines there, and touches tests, too, or not. */
  | { readonly kind: "source"; readonly files: number; readonly lines: number; readonly tests: boolean }
  /** It touches no source file. */
  | { readonly kind: "no_source" }
  /**
   * By the build graph the test depends on what it touches; `depth` is how many dependencies lead there from the closest
   * failing test, 0 for the test itself.
   */
  | { readonly kind: "affects"; readonly file: string; readonly target: string; readonly depth: number }
  /** The build graph does not say that the test depends on what it touches. */
  | { readonly kind: "unlikely" }
  /** By the build graph it cannot have broken the test. */
  | { readonly kind: "excluded" };

/** Why a revision was tried: what spoke for it, or for the one right after it, before anything was run. */
export interface SelectionReason {
  /** The same for people, to follow the name of the revision. */
  readonly message: string;
  /**
   * The child that is likelier to be the culprit than the revision itself: then the reasons are the child's, for the test of
   * its parent tells as much. Missing where they are the revision's own.
   */
  readonly before?: string;
  /** What counts most first, at most three. */
  readonly reasons: readonly CommitReason[];
}
