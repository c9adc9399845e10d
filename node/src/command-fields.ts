/** The options of command oracles that are more than plain JSON values. */

import { invalid } from "./errors.js";
import type { Field } from "./fields.js";
import { isIterable, isRecord, type Several, severalTexts, text } from "./options.js";
import { bytesOf, Patch } from "./patch.js";

/**
 * The meaning of an exit code, a signal, or a timeout. `stop` ends the run with a `command_stopped` error. `retry` means that
 * the machine failed rather than the code, so the revision is run again, as after {@link Retry}.
 */
export type Verdict = "pass" | "fail" | "unresolved" | "stop" | "retry";

/** A preset environment, defined by requirements.txt, uv.lock, package-lock.json or pnpm-lock.yaml. */
export type EnvironmentPreset = "venv" | "uv" | "npm" | "pnpm";

/**
 * The dependencies of a test, and the files that define them. Revisions with equal files share an environment.
 * Environments are kept in the cache folder for later revisions, runs and processes.
 */
export interface Environment {
  /**
   * The files that define the environment, as paths or patterns from the root of the revision: `*` matches within a
   * name, two of them and a slash match folders, and a folder matches all its files. Only tracked files match.
   */
  files: Several<string>;
  /**
   * A program and its arguments, which run in the worktree and fill the empty folder `FIRSTBAD_ENVIRONMENT` outside the
   * worktree. If the exit code is not 0, the revision is unresolved at the stage `setup`.
   */
  command: Several<string>;
  /**
   * Paths of the worktree that are links into the environment, such as `node_modules`. If the command creates them in
   * the worktree, they are moved into the environment. Default: no links.
   */
  link?: Several<string>;
  /**
   * A program and its arguments, run in each worktree. Its output also identifies the environment, such as the version
   * of an interpreter. Default: no program.
   */
  version?: Several<string>;
}

/** @internal The meanings of exit codes. */
export const exitCodes: Field = (argument, value) =>
  Object.fromEntries(pairs(argument, value).map(([code, verdict]) => [exitCode(argument, code), verdict]));

/** @internal Environment variables, without those that are undefined, as in a copy of `process.env`. */
export const variables: Field = (argument, value) => {
  const given = pairs(argument, value).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([given, value]) => {
      const name = withoutZero(argument, text(argument, given), "a name without `=` and zero bytes");
      if (name === "" || name.includes("=")) throw invalid(argument, name, "a name without `=` and zero bytes");
      const place = `${argument}[${JSON.stringify(name)}]`;
      return [name, withoutZero(place, text(place, value), "a string without zero bytes")];
    }),
  );
};

/** @internal A command: a program and its arguments. */
export function aCommand(argument: string, command: unknown): string[] {
  const expected = `an array such as ["npm", "test"], or ["sh", "-c", line] for a shell`;
  if (!isIterable(command)) throw invalid(argument, command, expected);
  return Array.from(command, (part) => {
    if (typeof part !== "string") throw invalid(argument, part, 'strings, in an array like ["npm", "test"]');
    return withoutZero(argument, text(argument, part), "strings without zero bytes");
  });
}

function texts(argument: string, value: unknown): string[] {
  if (typeof value === "string") throw invalid(argument, value, "an array of texts");
  return severalTexts(argument, value);
}

/** @internal An environment: a name, or an object of arrays. */
export function anEnvironment(argument: string, environment: unknown): unknown {
  if (typeof environment === "string") return text(argument, environment);
  if (!isRecord(environment)) {
    throw invalid(argument, environment, "a preset's name, or an object with files and a command");
  }
  const fields = Object.entries(environment).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, texts(`${argument}.${name}`, value)]));
}

/** @internal The files to copy. */
export function someCarried(argument: string, copyFiles: unknown): unknown {
  if (copyFiles === "auto" || copyFiles === false) return copyFiles;
  if (!isIterable(copyFiles)) throw invalid(argument, copyFiles, '"auto", false or an array of paths');
  return severalTexts(argument, copyFiles);
}

/** @internal Patches, in base64. */
export function somePatches(argument: string, patches: unknown): string[] {
  if (!isIterable(patches) || patches instanceof Uint8Array) throw invalid(argument, patches, "an array of patches");
  return Array.from(patches, (patch, place) => {
    const bytes = patch instanceof Patch ? patch.bytes : bytesOf(`${argument}[${place}]`, patch);
    return Buffer.from(bytes).toString("base64");
  });
}

function pairs(argument: string, value: unknown): [unknown, unknown][] {
  if (value instanceof Map) return [...value];
  if (!isRecord(value)) throw invalid(argument, value, "an object or a Map");
  return Object.entries(value);
}

function exitCode(argument: string, code: unknown): number {
  const number = Number(code);
  if (!Number.isInteger(number) || code === "") throw invalid(argument, code, "whole numbers as keys");
  return number;
}

/** Processes cannot receive a zero byte. */
function withoutZero(argument: string, value: string, expected: string): string {
  if (value.includes("\0")) throw invalid(argument, value, expected);
  return value;
}
