// The same instances for `import` as for `require`, so that `instanceof` holds across both.
export type * from "./index.js";
export {
  CommitGraph,
  FirstbadError,
  findRegressions,
  RegressionSearch,
  Repository,
  Retry,
  run,
  Search,
} from "./index.js";
