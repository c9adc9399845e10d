// A small search that reads two diffs, for tests that need no repository.
import { fb } from "./support.mjs";

/** Returns a search on three revisions: r0 passes, r1 and r2 fail. */
export const porter = () => new fb.Porter(fb.CommitGraph.linear(["r0", "r1", "r2"]), { start: "r2" });

/** Returns a diff that adds two lines, which name the newer revision. */
export function patch({ to }) {
  const text = `diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,2 @@\n+${to} one\n+${to} two\n`;
  return new TextEncoder().encode(text);
}

/**
 * Returns the outcome of a probe. The second line of the first diff breaks r0, and the second line of the second diff
 * repairs r1. If only the first line is applied, the outcome costs no run.
 */
export function outcomeOf({ revision, changes = [] }) {
  const passes = revision === "r0";
  if (changes.length === 1 && changes[0] === 0) return { outcome: passes ? "pass" : "fail", ran: false };
  return passes !== changes.includes(1);
}
