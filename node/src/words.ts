/** Reports in words: the same sentences as the command line's, and as Python's. */

import { inForm, readReport } from "./binding.js";
import { invalid, inWordsOfNode, native } from "./errors.js";
import { json } from "./fields.js";
import { text } from "./options.js";

/**
 * A service that shows findings where people look at changes. `github`: commands to a runner of GitHub Actions, one on each
 * line of its log. `gitlab`: a report of GitLab's Code Quality, a JSON array for an artifact; its entries have to have a
 * place, and where none is known it is line 1 of `"."`.
 */
export type AnnotationService = "github" | "gitlab";

/**
 * A report that says in words what it is. What commits, tests and branches are called is made harmless. Its methods are not
 * enumerable: spread, `JSON.stringify` and comparisons see the data alone.
 */
export interface InWords {
  /** The report as lines of plain text: what `firstbad report` prints. */
  toText(): string;
  /** The report as Markdown, for a comment on a pull request or a job summary. */
  toMarkdown(): string;
  /** The report as JSON: what `firstbad report --json` prints (docs/schema/report.json), the same in every language. */
  toJson(): string;
  /**
   * The report as annotations; by default as those of GitHub.
   *
   * @throws {@link FirstbadError} `invalid_argument` for another service.
   */
  toAnnotations(service?: AnnotationService): string;
  /** The same as `toText()`, without the line end at its end. */
  toString(): string;
}

/** @internal What is known beside what the core wrote, in the core's names. */
export type KnownBeside = () => object;

const NOTHING: KnownBeside = () => ({});

/** @internal What a report that the core wrote says in words. */
export function wordsOf(algorithm: string, written: string, known: KnownBeside = NOTHING): InWords {
  const inWords = (form: string): string => {
    // Advice is as it is written here; what programs read is the same everywhere.
    const report = form === "json" ? written : spelt(written);
    return native(() => inForm(algorithm, report, json("report", known()), form));
  };
  return {
    toText: () => inWords("text"),
    toMarkdown: () => inWords("markdown"),
    toJson: () => inWords("json"),
    toAnnotations: (service = "github") => {
      if (service !== "github" && service !== "gitlab") throw invalid("service", service, '"github" or "gitlab"');
      return inWords(service);
    },
    toString: () => inWords("text").trimEnd(),
  };
}

function spelt(written: string): string {
  const report = JSON.parse(written);
  return JSON.stringify({ ...report, message: inWordsOfNode(report.message) });
}

/** @internal The very same report, which from here on says in words what it is. */
export function worded<Report extends object>(
  report: Report,
  algorithm: string,
  written: string,
  known?: KnownBeside,
): Report & InWords {
  const methods = Object.entries(wordsOf(algorithm, written, known));
  const hidden = methods.map(([name, value]) => [name, { value, configurable: true, writable: true }]);
  return Object.defineProperties(report, Object.fromEntries(hidden)) as Report & InWords;
}

/** @internal The report of this algorithm as the core writes it, in a text that `toJson` or the command line wrote. */
export function readAs(algorithm: string, written: unknown): string {
  const given = text("text", written);
  return native(() => readReport(algorithm, given));
}
