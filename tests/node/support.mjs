// The built package, and helpers for tests. Tests are outside node/, so they resolve imports through its package.json.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";

export const packageFile = new URL("../../node/package.json", import.meta.url);
const require = createRequire(packageFile);

/** The package from `require`. */
export const fb = require("firstbad");
export const fc = require("fast-check");

/** Ids r0, r1, ... */
export const ids = (count) => Array.from({ length: count }, (_, place) => `r${place}`);

export const line = (count) => fb.CommitGraph.linear(ids(count));

/** The index of a revision: 7 for r7. */
export const place = (revision) => Number(revision.slice(1));

/** An oracle that fails from `first` on. */
export const brokenFrom = (first) => (revision) => place(revision) < first;

/** Returns the error that a call throws, and fails if it does not throw. */
export function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error(`${call} did not throw`);
}

/** Returns the value that a promise rejects with, and fails if it does not reject. */
export async function rejectionOf(promise) {
  const [result] = await Promise.allSettled([promise]);
  if (result.status === "fulfilled") throw new Error("the promise did not reject");
  return result.reason;
}

/** Returns a promise with its resolve and reject. */
export function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

export const tick = () => new Promise(setImmediate);

/** Unhandled rejections since the start of the tests, which must stay empty. */
export const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

/** Returns numbers in [0, 1) that are the same on every machine (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An oracle that fails from `first` on, and before at a flake rate. */
export function flakyFrom(first, rate, seed = 1) {
  const random = randomFrom(seed);
  return (revision) => place(revision) < first && random() >= rate;
}

/** Removes a folder. On Windows, open files such as a store remain. */
export function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (process.platform !== "win32" || error.code !== "EBUSY") throw error;
  }
}

export const lines = (...given) => given.map((line) => `${line}\n`).join("");

/**
 * Creates a repository with these versions on main, oldest first, each with its files. A file that is null does not
 * exist. `messageOf` returns the message of a version by its number.
 */
export function repositoryAt(path, versions, messageOf = () => "c") {
  const git = (...words) => execFileSync("git", ["-C", path, ...words], { encoding: "utf8" }).trim();
  mkdirSync(path);
  git("init", "-q", "-b", "main");
  const data = (content) => [`data ${Buffer.byteLength(content)}`, content];
  const commits = versions.map((files, version) =>
    [
      "commit refs/heads/main",
      `committer T <t@example.org> ${1_700_000_000 + version} +0000`,
      ...data(messageOf(version)),
      "deleteall",
      ...Object.entries(files)
        .filter(([, content]) => content !== null)
        .flatMap(([file, content]) => [`M 100644 inline ${file}`, ...data(content)]),
    ].join("\n"),
  );
  execFileSync("git", ["-C", path, "fast-import", "--quiet"], { input: `${commits.join("\n")}\n` });
  const shas = git("rev-list", "--reverse", "main").split("\n");
  return { path, git, shas, repository: new fb.Repository(path) };
}
