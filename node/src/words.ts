/** Reports as text, with the same sentences in all front ends. */

import { inspect } from "node:util";
import type { BindingSearch } from "./binding.js";
import { card, cardPage, causeCards, changeSvg, inForm, readReport } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { explanations } from "./explanation.js";
import { json } from "./fields.js";
import type { Explanation, ReportRow } from "./generated/reports.js";
import { text } from "./options.js";

/**
 * A service that shows annotations. `github`: workflow commands of GitHub Actions, one on each line. `gitlab`: a Code
 * Quality report, a JSON array for an artifact. Entries without a location use line 1 of `"."`.
 */
export type AnnotationService = "github" | "gitlab";

/**
 * A report that can be written as text. Names of commits, tests and branches are sanitized. Its methods are not enumerable, so
 * spread and comparisons only see the data. `JSON.stringify` writes the same JSON as `toJson`.
 */
export interface InWords {
  /** Returns the report as plain text, as `firstbad report` prints it. */
  toText(): string;
  /** Returns the report as Markdown, for a comment on a pull request or a job summary. */
  toMarkdown(): string;
  /** Returns the report as JSON, as `firstbad report --json` prints it (docs/schema/report.json). */
  toJson(): string;
  /** Returns the value that {@link InWords.toJson} writes, for `JSON.stringify`. */
  toJSON(): unknown;
  /** Returns the report as an HTML page with pictures, as notebooks show it. The page needs no other file. */
  toHtml(): string;
  /**
   * Returns the report as annotations. Default: those of GitHub.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the service is unknown.
   */
  toAnnotations(service?: AnnotationService): string;
  /** Returns a table with one row for each outcome, in the order told, for example for `console.table`. */
  toRows(): ReportRow[];
  /**
   * Returns why the search tested each revision, and which suspects each outcome ruled out. See {@link Search.explain}.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the report was read or copied, and so has no search. Use
   * `search.explain()` of a restored search or a `Session` instead.
   */
  explain(): Explanation[];
  /** Returns `toText()` without the last line end. */
  toString(): string;
}

/** @internal Returns the facts that are not in the text of the core, with the names of the core. */
export type KnownBeside = () => object;

const NOTHING: KnownBeside = () => ({});

/** @internal Draws the card of a report as HTML. */
export type Draw = () => string;

/** The algorithm and the JSON text of each report. */
const WRITTEN = new WeakMap<object, [algorithm: string, written: string]>();

/** The search of each report. */
const SEARCHES = new WeakMap<object, BindingSearch>();

/** @internal Attaches a search to a report. */
export function madeBy<Report>(report: Report, search: BindingSearch | undefined): Report {
  if (typeof report === "object" && report !== null && search !== undefined) SEARCHES.set(report, search);
  return report;
}

/** @internal Returns the search of a report, or undefined if the report was read or copied. */
export function searchOf(report: object): BindingSearch | undefined {
  return SEARCHES.get(report);
}

function explainedBy(report: object): Explanation[] {
  const search = SEARCHES.get(report);
  if (search === undefined) {
    throw invalid(
      "report",
      report,
      "a report with its search, because this report was read or copied\nhelp: use search.explain()",
    );
  }
  const { observations = [] } = report as { observations?: readonly unknown[] };
  return explanations(search).slice(0, observations.length);
}

/** @internal Returns the JSON of a report from the core. */
export function writtenOf(report: unknown): [algorithm: string, written: string] {
  const found = typeof report === "object" && report !== null ? WRITTEN.get(report) : undefined;
  if (found === undefined) throw invalid("report", report, "a report of a search");
  return found;
}

/** @internal Adds the display of notebooks to an object with a card. */
export function displayed<Thing extends object>(thing: Thing, draw: Draw): Thing {
  const value = () => ({ "text/plain": inspect(thing), "text/html": draw() });
  return Object.defineProperty(thing, DISPLAY, { value, configurable: true, writable: true });
}

/** @internal Returns the function that draws the card of a report, with its search if there is one. */
export function drawn(search: BindingSearch | undefined, written: string): Draw | undefined {
  return search && (() => native(() => search.card(written)));
}

/** @internal Returns the text methods of a report from the core. */
export function wordsOf(
  algorithm: string,
  written: string,
  known: KnownBeside = NOTHING,
  draw: Draw = () => native(() => card(algorithm, written)),
): Omit<InWords, "explain"> {
  const inWords = (form: string): string => native(() => inForm(algorithm, written, json("report", known()), form));
  return {
    toText: () => inWords("text"),
    toMarkdown: () => inWords("markdown"),
    toJson: () => inWords("json"),
    toJSON: () => JSON.parse(inWords("json")),
    toHtml: () => cardPage(draw()),
    toAnnotations: (service = "github") => {
      if (service !== "github" && service !== "gitlab") throw invalid("service", service, '"github" or "gitlab"');
      return inWords(service);
    },
    toRows: () => JSON.parse(inWords("rows")),
    toString: () => inWords("text").trimEnd(),
  };
}

/** @internal Adds the text methods and the card to a report. */
export function worded<Report extends { message: string }>(
  report: Report,
  algorithm: string,
  written: string,
  known?: KnownBeside,
  draw: Draw = () => native(() => card(algorithm, written)),
): Report & InWords {
  // A report with causes also shows the lines of each commit that matter.
  const drawAll =
    known === undefined || algorithm !== "regression"
      ? draw
      : () => draw() + native(() => causeCards(algorithm, written, json("report", known())));
  displayed(report, drawAll);
  WRITTEN.set(report, [algorithm, written]);
  const explain = () => explainedBy(report);
  const methods = Object.entries({
    ...wordsOf(algorithm, written, known, drawAll),
    explain,
    ...ownOf(algorithm, written),
  });
  const hidden = methods.map(([name, value]) => [name, { value, configurable: true, writable: true }]);
  return Object.defineProperties(report, Object.fromEntries(hidden)) as Report & InWords;
}

/** Returns the methods that only reports of this algorithm have. */
function ownOf(algorithm: string, written: string): Readonly<Record<string, () => string>> {
  const OWN: Readonly<Record<string, Record<string, () => string>>> = {
    regression: { toBisectLog: () => native(() => inForm(algorithm, written, "{}", "bisect_log")) },
    change: { toSvg: () => native(() => changeSvg(written)) },
  };
  return OWN[algorithm] ?? {};
}

export interface WordedReport extends InWords {}

/** A report that is an instance of a class, with text methods. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor defines the methods, as on every report
export abstract class WordedReport {
  /** @internal `written` is the report as the core writes it, and `fields` are the fields of the class. */
  constructor(algorithm: string, written: string, fields: { message: string }, known?: KnownBeside) {
    worded(Object.assign(this, fields), algorithm, written, known);
  }
}

/**
 * @internal Returns the report of this algorithm as the core writes it, from a text of `toJson` or the command line.
 */
export function readAs(algorithm: string, written: unknown): string {
  const given = text("text", written);
  return native(() => readReport(algorithm, given));
}
