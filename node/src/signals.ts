/** Signals: functions of a change that say how much more (above 1) or less suspicious it makes it. */

import { BindingSignal } from "./binding.js";
import { type Change, type Changes, changesFrom } from "./change.js";
import type { NumbersById } from "./culprit-search.js";
import { invalid, native } from "./errors.js";
import { anAmount, json, numbersById } from "./fields.js";
import { checkedOptions, isIterable, text } from "./options.js";
import { Patch } from "./patch.js";

/** A function of a change: its factor, finite and 0 or above. */
export type Signal = (change: Change) => number;

/** How much it counts that a trace names a file. */
export interface TraceOptions {
  /** The factor of a change that touches a file that is named there; by default 4. */
  file?: number;
  /**
   * The factor of one that touches a line that is named there, or one within three lines of it, where `lines` of the
   * change says which lines it touched; by default 16.
   */
  line?: number;
}

const FACTOR = "a finite number, 0 or above";

function built(signal: string, config: object): Signal {
  const binding = native(() => BindingSignal.open(JSON.stringify({ signal, ...config })));
  return (change) => {
    const [checked] = changesFrom([change]);
    return native(() => binding.factor(json("change", checked)));
  };
}

/**
 * Large changes are more suspicious: `(1 + Math.log(1 + lines added and deleted)) ** strength`; with a `strength` of 0 all
 * are alike.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function size(strength = 1): Signal {
  return built("size", { strength: anAmount("strength", strength) });
}

/**
 * Words in messages: the product of the factors of those that are there; several words alone count 2 each. Whole words (or
 * several in a row) are looked for, in any case: `fix` is not in `prefix` or `fixes`.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function words(factors: NumbersById | Iterable<string>): Signal {
  if (typeof factors !== "object" || factors === null) throw invalid("words", factors, "factors by words, or words");
  const listed = isIterable(factors) ? [...factors] : Object.entries(factors);
  const pairs = listed.map((one) => (typeof one === "string" ? [one, 2] : one)) as [string, number][];
  return built("words", { factors: numbersById(FACTOR)("words", pairs) });
}

/**
 * Who made it: a factor by e-mail address or by name, in any case; 1 for everybody else.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function authors(factors: NumbersById): Signal {
  return built("authors", { factors: numbersById(FACTOR)("authors", factors) });
}

/**
 * What a stack trace or the log of the failure names, in any language: changes that touch these files are more suspicious.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function trace(log: string, options?: TraceOptions): Signal {
  const { file = 4, line = 16 } = checkedOptions(options, ["file", "line"]);
  // What is no Unicode would not reach the core.
  const written = Buffer.from(text("text", log), "utf8").toString("utf8");
  return built("trace", { text: written, file: anAmount("file", file), line: anAmount("line", line) });
}

/**
 * Which lines a patch touches, by file, as `lines` of a {@link Change} has them: added ones, or where some were deleted.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function lines(patch: Patch): Record<string, [first: number, last: number][]> {
  if (!(patch instanceof Patch)) throw invalid("patch", patch, "a Patch");
  const found = new Map<string, [number, number][]>();
  for (const { path, hunks } of patch.files) {
    for (const hunk of hunks) {
      const ranges = found.get(path) ?? [];
      found.set(path, ranges);
      const changes = hunk.changes.map((index) => patch.changes[index]);
      const added = changes.flatMap((change) =>
        change?.kind === "added" && change.line !== null ? [change.line] : [],
      );
      for (const line of added.length > 0 ? added : [hunk.newStart]) {
        const last = ranges.at(-1);
        if (last !== undefined && last[1] === line - 1) last[1] = line;
        else ranges.push([line, line]);
      }
    }
  }
  return Object.fromEntries(found);
}

/**
 * For each change, by its id, the product of what the signals say, as {@link Ranking.prior} takes it.
 *
 * @throws {@link FirstbadError} `invalid_argument` for a signal that gives something else than a finite number, 0 or above;
 * what a signal throws, unchanged.
 */
function factors(changes: Changes, signals: Iterable<Signal>): Map<string, number> {
  const expected = "functions of a change";
  if (!isIterable(signals)) throw invalid("signals", signals, expected);
  const listed = [...signals];
  for (const signal of listed) if (typeof signal !== "function") throw invalid("signals", signal, expected);
  return new Map(
    changesFrom(changes).map((change) => {
      const factor = (signal: Signal): number => {
        const given = signal(change);
        if (typeof given === "number" && Number.isFinite(given) && given >= 0) return given;
        throw invalid(`signals for ${JSON.stringify(change.id)}`, given, FACTOR);
      };
      return [change.id, listed.map(factor).reduce((one, other) => one * other, 1)];
    }),
  );
}

/** Signals that need nothing but the change; any function from a change to a number, 0 or above, is as good. */
export const signals = { size, words, authors, trace, lines, factors } as const;
