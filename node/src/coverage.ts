/** Reports of coverage tools, as a search for a slice starts with them. */

import { invalid } from "./errors.js";
import { aList, aText, type Field, fieldsJson } from "./fields.js";
import { isIterable } from "./options.js";

/** How a report is written. */
export type CoverageFormat = "lcov" | "coverage_py" | "cobertura" | "v8" | "lines";

/** Reports of coverage tools, and how they are read. */
export interface SliceCoverage {
  /** The report, or several; of V8, the folder that `NODE_V8_COVERAGE` named. */
  paths: string | Iterable<string>;
  /** How the reports are written; by default their content says it. */
  format?: CoverageFormat;
  /**
   * The folder that they were made under. An absolute one was the repository's top, on whatever machine; a relative one is
   * the folder of the repository that their relative paths start at. By default the repository's top.
   */
  root?: string;
}

const somePaths: Field = (argument, value) =>
  typeof value === "string" ? value : aList("the path of a report, or several", aText)(argument, value);

const FIELDS = { paths: somePaths, format: aText, root: aText };

/** @internal Reports: a path, several, or a {@link SliceCoverage}. */
export const someCoverage: Field = (argument, value) => {
  if (typeof value === "string" || isIterable(value)) return somePaths(argument, value);
  if (typeof value !== "object" || value === null) {
    throw invalid(argument, value, "the path of a report, several, or an object with paths");
  }
  return JSON.parse(fieldsJson(value, FIELDS, argument));
};
