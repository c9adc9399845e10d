// The same instances for `import` as for `require`, so that `instanceof` holds across both.
export type * from "./index.js";
export {
  CommitGraph,
  CulpritSearch,
  CulpritVerifier,
  FirstbadError,
  findCulprit,
  findRegressions,
  Isolator,
  isolate,
  Minimizer,
  minimize,
  minimizePatch,
  Patch,
  Posterior,
  Reduction,
  RegressionSearch,
  Repository,
  Retry,
  run,
  Search,
  verifyCulprit,
} from "./index.js";
