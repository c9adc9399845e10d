// The package as built, and what the tests share. Tests live outside node/, so they resolve through its package.json.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";

export const packageFile = new URL("../../node/package.json", import.meta.url);
const require = createRequire(packageFile);

/** The package, as `require` sees it. */
export const fb = require("firstbad");
export const fc = require("fast-check");

/** Ids r0, r1, ... */
export const ids = (count) => Array.from({ length: count }, (_, place) => `r${place}`);

export const line = (count) => fb.CommitGraph.linear(ids(count));

/** The place of r7 is 7. */
export const place = (revision) => Number(revision.slice(1));

/** An oracle for a line that is broken from `first` on. */
export const brokenFrom = (first) => (revision) => place(revision) < first;

/** What a call throws; fails where it does not throw. */
export function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error(`${call} did not throw`);
}

/** What a promise rejects with, whatever it is; fails where it does not reject. */
export async function rejectionOf(promise) {
  const [result] = await Promise.allSettled([promise]);
  if (result.status === "fulfilled") throw new Error("the promise did not reject");
  return result.reason;
}

/** A promise with its resolve and reject beside it. */
export function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

export const tick = () => new Promise(setImmediate);

/** Unhandled rejections since the tests began; stays empty. */
export const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

/** Numbers in [0, 1) that are the same on every machine (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An oracle for a line that is broken from `first` on, whose test flakes at a rate. */
export function flakyFrom(first, rate, seed = 1) {
  const random = randomFrom(seed);
  return (revision) => place(revision) < first && random() >= rate;
}

/** Removes a folder, but on Windows what is still open there: a store is until nothing refers to it. */
export function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (process.platform !== "win32" || error.code !== "EBUSY") throw error;
  }
}

export const lines = (...given) => given.map((line) => `${line}\n`).join("");

/**
 * A repository with these versions on main, oldest first, each as its files; a file that is null is not there.
 * `messageOf` gives the message of a version by its number.
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
