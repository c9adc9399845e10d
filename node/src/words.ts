/** Reports as text, with the same sentences in all front ends. */

import { inspect } from "node:util";
import type { BindingSearch } from "./binding.js";
import { card, cardPage, causeCards, inForm, readReport } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { explanations } from "./explanation.js";
import { json } from "./fields.js";
import type { Explanation, ReportRow } from "./generated/reports.js";
import { text } from "./options.js";

/**
 * A service that shows findings where people look at changes. `github`: commands to a runner of GitHub Actions, one on each
 * line of its log. `gitlab`: a report of GitLab's Code Quality, a JSON array for an artifact; its entries have to have a
 * place, and where none is known it is line 1 of `"."`.
 */
export type AnnotationService = "github" | "gitlab";

/**
 * A report that can be written as text. Names of commits, tests and branches are sanitized. Its methods are not enumerable, so
 * spread and comparisons only see the data. `JSON.stringify` writes the same JSON as `toJson`.
 */
export interface InWords {
  /** The report as lines of plain text: what `firstbad report` prints. */
  toText(): string;
  /** The report as Markdown, for a comment on a pull request or a job summary. */
  toMarkdown(): string;
  /** The report as JSON: what `firstbad report --json` prints (docs/schema/report.json), the same in every language. */
  toJson(): string;
  /** Returns the value that {@link InWords.toJson} writes, for `JSON.stringify`. */
  toJSON(): unknown;
  /** The report as a page that needs no other file, with pictures: what a notebook shows. */
  toHtml(): string;
  /**
   * The report as annotations; by default as those of GitHub.
   *
   * @throws {@link FirstbadError} `invalid_argument` for another service.
   */
  toAnnotations(service?: AnnotationService): string;
  /** What was seen as rows of a table, one for each answer, in the order told; for `console.table`, among others. */
  toRows(): ReportRow[];
  /**
   * How the search came to this report: what was asked, why that, and what it ruled out; see {@link Search.explain}.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the report does not have its search any more, because it was read or
   * copied; `search.explain()` of a restored search or of a `Session` says the same.
   */
  explain(): Explanation[];
  /** Returns `toText()` without the last line end. */
  toString(): string;
}

/** @internal What is known beside what the core wrote, in the core's names. */
export type KnownBeside = () => object;

const NOTHING: KnownBeside = () => ({});

/** @internal What draws the card of a report, as a piece of HTML. */
export type Draw = () => string;

/** What the core wrote of reports, by its algorithm. */
const WRITTEN = new WeakMap<object, [algorithm: string, written: string]>();

/** The searches that reports are of. */
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
      "a report of a search in this process, not one that was read or copied\nhelp: use search.explain()",
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
  const toBisectLog = () => native(() => inForm(algorithm, written, "{}", "bisect_log"));
  const own = algorithm === "regression" ? { explain, toBisectLog } : { explain };
  const methods = Object.entries({ ...wordsOf(algorithm, written, known, drawAll), ...own });
  const hidden = methods.map(([name, value]) => [name, { value, configurable: true, writable: true }]);
  return Object.defineProperties(report, Object.fromEntries(hidden)) as Report & InWords;
}

export interface WordedReport extends InWords {}

/** A report that is an object of a class of its own, and says in words what it is. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor defines the methods, as on every report
export abstract class WordedReport {
  /** @internal `written` is the report as the core writes it, and `fields` are those of the class. */
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
