/** Coverage reports for a slice. */

import { invalid } from "./errors.js";
import { aList, aText, type Field, fieldsJson } from "./fields.js";
import { isIterable } from "./options.js";

/** The format of a coverage report. */
export type CoverageFormat = "lcov" | "coverage_py" | "cobertura" | "v8" | "lines";

/** Coverage reports, and how to read them. */
export interface SliceCoverage {
  /** The report or reports. For V8, the folder of `NODE_V8_COVERAGE`. */
  paths: string | Iterable<string>;
  /** The format of the reports. Default: detected from the content. */
  format?: CoverageFormat;
  /**
   * The folder of the run. An absolute path is the top of the repository on the machine of the run. A relative path is
   * the folder that relative paths in the report start from. Default: the top of the repository.
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
