/** Factors: functions of a changelist that make a change more (above 1) or less suspicious. */

import { BindingFactor } from "./binding.js";
import { type Changelist, type Changelists, changelistsFrom } from "./changelist.js";
import { invalid, native } from "./errors.js";
import type { NumbersById } from "./fields.js";
import { anAmount, json, numbersById } from "./fields.js";
import { checkedOptions, isIterable, pairsOf, text } from "./options.js";
import { Patch } from "./patch.js";

/** A function that returns the factor of a changelist, finite and 0 or more. */
export type Factor = (changelist: Changelist) => number;

/** The factors for a trace that names a file. */
export interface TraceOptions {
  /** The factor of a change to a named file. Default: 4. */
  file?: number;
  /** The factor of a change within three lines of a named line. It requires `lines` of the change. Default: 16. */
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
 * Returns a factor that grows with the change: `(1 + Math.log(1 + lines added and deleted)) ** strength`. With a
 * `strength` of 0, all changes are equal.
 *
 * @throws {@link FirstbadError} `invalid_argument` if an argument is invalid.
 */
function size(strength = 1): Factor {
  return built("size", { strength: anAmount("strength", strength) });
}

/**
 * Returns the product of the factors of the words that occur in the message. Words without a factor have the factor 2.
 * Matches are whole words (or phrases) in any case: `fix` does not match `prefix` or `fixes`.
 *
 * @throws {@link FirstbadError} `invalid_argument` if an argument is invalid.
 */
function words(factors: NumbersById | Iterable<string>): Factor {
  const listed = pairsOf(factors);
  if (listed === undefined) throw invalid("words", factors, "factors by words, or words");
  const pairs = [...listed].map((one) => (typeof one === "string" ? [one, 2] : one)) as [string, number][];
  return built("words", { factors: numbersById(NUMBER)("words", pairs) });
}

/**
 * Returns a factor by the e-mail address or name of the author, in any case, and 1 for other authors.
 *
 * @throws {@link FirstbadError} `invalid_argument` if an argument is invalid.
 */
function authors(factors: NumbersById): Factor {
  return built("authors", { factors: numbersById(NUMBER)("authors", factors) });
}

/**
 * Returns a factor for changes to files that a stack trace or a log names, in any language.
 *
 * @throws {@link FirstbadError} `invalid_argument` if an argument is invalid.
 */
function trace(log: string, options?: TraceOptions): Factor {
  const { file = 4, line = 16 } = checkedOptions(options, ["file", "line"]);
  // Lone surrogates would not reach the core.
  const written = Buffer.from(text("text", log), "utf8").toString("utf8");
  return built("trace", { text: written, file: anAmount("file", file), line: anAmount("line", line) });
}

/**
 * Returns the lines that a patch adds, and the places of deleted lines, by file, for `lines` of a {@link Changelist}.
 *
 * @throws {@link FirstbadError} `invalid_argument` if an argument is invalid.
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
 * Returns the product of the factors of each changelist, by id, for {@link Ranking.prior}.
 *
 * @throws {@link FirstbadError} `invalid_argument` if a factor is not a finite number, 0 or more. Errors of a factor
 * are unchanged.
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

/** Factors that use only the changelist. You can also use any function from a changelist to a number, 0 or more. */
export const factors = { size, words, authors, trace, lines, weigh } as const;
