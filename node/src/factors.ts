/** Factors: functions of a changelist that say how much more (above 1) or less suspicious it is. */

import { BindingFactor } from "./binding.js";
import { type Changelist, type Changelists, changelistsFrom } from "./changelist.js";
import { invalid, native } from "./errors.js";
import type { NumbersById } from "./fields.js";
import { anAmount, json, numbersById } from "./fields.js";
import { checkedOptions, isIterable, pairsOf, text } from "./options.js";
import { Patch } from "./patch.js";

/** A function of a changelist: what its weight is multiplied by, finite and 0 or above. */
export type Factor = (changelist: Changelist) => number;

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

const NUMBER = "a finite number, 0 or above";

function built(factor: string, config: object): Factor {
  const binding = native(() => BindingFactor.open(JSON.stringify({ factor, ...config })));
  return (changelist) => {
    const [checked] = changelistsFrom([changelist]);
    return native(() => binding.of(json("changelist", checked)));
  };
}

/**
 * Large changes are more suspicious: `(1 + Math.log(1 + lines added and deleted)) ** strength`; with a `strength` of 0 all
 * are alike.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function size(strength = 1): Factor {
  return built("size", { strength: anAmount("strength", strength) });
}

/**
 * Words in messages: the product of the factors of those that are there; several words alone count 2 each. Whole words (or
 * several in a row) are looked for, in any case: `fix` is not in `prefix` or `fixes`.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function words(factors: NumbersById | Iterable<string>): Factor {
  const listed = pairsOf(factors);
  if (listed === undefined) throw invalid("words", factors, "factors by words, or words");
  const pairs = [...listed].map((one) => (typeof one === "string" ? [one, 2] : one)) as [string, number][];
  return built("words", { factors: numbersById(NUMBER)("words", pairs) });
}

/**
 * Who made it: a factor by e-mail address or by name, in any case; 1 for everybody else.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function authors(factors: NumbersById): Factor {
  return built("authors", { factors: numbersById(NUMBER)("authors", factors) });
}

/**
 * What a stack trace or the log of the failure names, in any language: changes that touch these files are more suspicious.
 *
 * @throws {@link FirstbadError} `invalid_argument`.
 */
function trace(log: string, options?: TraceOptions): Factor {
  const { file = 4, line = 16 } = checkedOptions(options, ["file", "line"]);
  // What is no Unicode would not reach the core.
  const written = Buffer.from(text("text", log), "utf8").toString("utf8");
  return built("trace", { text: written, file: anAmount("file", file), line: anAmount("line", line) });
}

/**
 * Which lines a patch touches, by file, as `lines` of a {@link Changelist} has them: added ones, or where some were deleted.
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
 * For each changelist, by its id, the product of what the factors give, as {@link Ranking.prior} takes it.
 *
 * @throws {@link FirstbadError} `invalid_argument` for a factor that gives something else than a finite number, 0 or above;
 * what a factor throws, unchanged.
 */
export function weigh(changes: Changelists, factors: Iterable<Factor>): Map<string, number> {
  const expected = "functions of a changelist";
  if (!isIterable(factors)) throw invalid("factors", factors, expected);
  const listed = [...factors];
  for (const factor of listed) if (typeof factor !== "function") throw invalid("factors", factor, expected);
  return new Map(
    changelistsFrom(changes).map((changelist) => {
      const number = (factor: Factor): number => {
        const given = factor(changelist);
        if (typeof given === "number" && Number.isFinite(given) && given >= 0) return given;
        throw invalid(`factors for ${JSON.stringify(changelist.id)}`, given, NUMBER);
      };
      return [changelist.id, listed.map(number).reduce((one, other) => one * other, 1)];
    }),
  );
}

/** Factors that need nothing but the changelist; any function from one to a number, 0 or above, is as good. */
export const factors = { size, words, authors, trace, lines, weigh } as const;
