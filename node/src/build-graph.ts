/** Build graphs: which files belong to which targets, and what these depend on. */

import { inspect } from "node:util";
import { BindingBuildGraph } from "./binding.js";
import { invalid, native, nativePromise } from "./errors.js";
import { checkedOptions, pairsOf, pathOf, type Several, severalIds, severalTexts, text } from "./options.js";
import { Repository } from "./repository.js";

/** A target of a build graph (Culprit Finder, Definitions 1 and 2). */
export interface BuildTarget {
  /** The files that belong to it. A file may belong to several targets. */
  files?: Several<string>;
  /** The names of the targets that it depends on directly. */
  deps?: Several<string>;
  /** The file that defines it: a change to that touches the target, too. */
  buildFile?: string;
  /**
   * Folders of which every file belongs to it that no target lists and that is in no deeper folder of another target;
   * `"."` is all of them.
   */
  folders?: Several<string>;
}

/** Build targets by their names: an object, a Map, or pairs. Their order does not matter. */
export type BuildTargets =
  | Readonly<Record<string, BuildTarget>>
  | ReadonlyMap<string, BuildTarget>
  | Iterable<readonly [name: string, target: BuildTarget]>;

/** What build targets are. */
export interface TargetOptions {
  /**
   * Whether a target may need more than is written here, files that are opened at run time for one; by default not. No
   * change is excluded then.
   */
  partial?: boolean;
}

/** How what a tool prints is read. */
export interface LoadOptions {
  /**
   * The folder that the tool ran in, seen from the folder that changes count their paths from; by default the two are
   * one.
   */
  prefix?: string;
}

/** How a source tree is read. */
export interface SourceOptions {
  /** Folders that absolute imports of Python start from, like `src`; by default they are found. */
  roots?: string | Iterable<string>;
  /** Whether other files belong to the nearest package; by default not. */
  data?: boolean;
  /** Whether tests depend on the files that configure the project; by default they do. */
  configuration?: boolean;
}

/** What a source tree is read for. */
export type SourceKind = "python" | "javascript" | "workspaces";

const BUILD_TARGET = ["files", "deps", "buildFile", "folders"] as const;

/**
 * Which files a test depends on, and how closely (Culprit Finder, Definitions 1 to 5). Targets may depend on one another
 * in a circle; each circle counts as one target.
 *
 * @example
 * ```ts
 * const graph = new BuildGraph({
 *   "//app:test": { files: ["app.test.js"], deps: ["//app:lib"], buildFile: "app/BUILD" },
 *   "//app:lib": { files: ["lib.js"] },
 * });
 * ```
 */
export class BuildGraph {
  readonly #binding: BindingBuildGraph;

  /**
   * @throws {@link FirstbadError} `invalid_argument` for a dependency that is no target, with the nearest name, and for
   * what is no target.
   */
  constructor(targets: BuildTargets, options?: TargetOptions) {
    this.#binding = targets instanceof BindingBuildGraph ? targets : fromTargets(targets, options);
  }

  /** What `bazel query --output=xml` or `--output=streamed_jsonproto` prints, told apart by its content. */
  static fromBazel(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("bazel", output, options);
  }

  /** What `nx graph --file=graph.json` writes. */
  static fromNx(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("nx", output, options);
  }

  /** What `turbo run test --dry=json` prints. */
  static fromTurborepo(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("turborepo", output, options);
  }

  /** What `cargo metadata --format-version 1` prints. */
  static fromCargo(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("cargo", output, options);
  }

  /** What `go list -json -deps ./...` prints. */
  static fromGo(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("go", output, options);
  }

  /**
   * The workspace of npm, yarn, bun or pnpm in a folder; targets are its packages.
   *
   * @throws {@link FirstbadError} `invalid_argument` where there is none, `io`.
   */
  static async fromWorkspaces(folder: string | URL = "."): Promise<BuildGraph> {
    return read("workspaces", folder, undefined);
  }

  /**
   * The imports in the Python files below a folder; targets are files. Nothing is run.
   *
   * @throws {@link FirstbadError} `invalid_argument` where there are none, `io`.
   */
  static async fromPython(folder: string | URL = ".", options?: SourceOptions): Promise<BuildGraph> {
    return read("python", folder, options);
  }

  /**
   * The imports in the JavaScript and TypeScript files below a folder; targets are files. Nothing is run.
   *
   * @throws {@link FirstbadError} `invalid_argument` where there are none, `io`.
   */
  static async fromJavaScript(folder: string | URL = ".", options?: Omit<SourceOptions, "roots">): Promise<BuildGraph> {
    return read("javascript", folder, options);
  }

  /**
   * The same as the others that read a source tree at a revision, without a checkout.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `invalid_argument`, `git`.
   */
  static async fromGit(
    repository: Repository,
    revision: string,
    kind: SourceKind,
    options?: SourceOptions,
  ): Promise<BuildGraph> {
    if (!(repository instanceof Repository)) throw invalid("repository", repository, "a Repository");
    const [at, what, how] = [text("revision", revision), text("kind", kind), reading(options)];
    return adopted(await nativePromise(() => BindingBuildGraph.at(Repository.bindingOf(repository), at, what, how)));
  }

  /**
   * The graph that `toJson` wrote, in any language. Where a repository is not at the same place, the graph stands alone, and a
   * warning says so: no prior then looks at the graph before the changes.
   *
   * @throws {@link FirstbadError} `invalid_argument` for a text that is no build graph.
   */
  static fromJson(written: string): BuildGraph {
    return adopted(native(() => BindingBuildGraph.fromJson(text("text", written))));
  }

  /** All that it is, as JSON, for another process or a worker thread: a graph itself cannot be cloned or posted. */
  toJson(): string {
    return native(() => this.#binding.toJson());
  }

  /** The number of targets. */
  get size(): number {
    return this.#binding.size;
  }

  /** The targets' names, in the order given. */
  get targets(): string[] {
    return native(() => this.#binding.targets());
  }

  /**
   * Whether it knows all inputs of its targets, so that what touches none of them cannot matter: graphs of Bazel do, and
   * those made by hand that are not `partial`. Imports, and packages of other tools, do not say which files a test opens,
   * or what is loaded by a name made at run time.
   */
  get complete(): boolean {
    return this.#binding.complete;
  }

  /** Groups of targets that depend on one another in a circle; each counts as one target. */
  get cycles(): string[][] {
    return JSON.parse(native(() => this.#binding.cycles()));
  }

  /** What a loader could not use, and why, in words. */
  get warnings(): string[] {
    return native(() => this.#binding.warnings());
  }

  /**
   * What a target depends on directly, in the order given.
   *
   * @throws {@link FirstbadError} `unknown_build_target` with the nearest names.
   */
  dependencies(target: string): string[] {
    return native(() => this.#binding.dependencies(text("target", target)));
  }

  /** The targets that a file belongs to: those that list it, or else those of the longest folder above it. */
  targetsOf(file: string): string[] {
    return native(() => this.#binding.targetsOf(text("file", file)));
  }

  /** @internal */
  [inspect.custom](): string {
    const [dependencies, files] = native(() => this.#binding.counts());
    return `BuildGraph(${this.size} targets, ${dependencies} dependencies, ${files} files)`;
  }

  /** @internal */
  static bindingOf(argument: string, graph: BuildGraph | BuildTargets): BindingBuildGraph {
    if (typeof graph !== "object" || graph === null) throw invalid(argument, graph, "a BuildGraph");
    return (graph instanceof BuildGraph ? graph : new BuildGraph(graph)).#binding;
  }
}

function adopted(binding: BindingBuildGraph): BuildGraph {
  return new BuildGraph(binding as unknown as BuildTargets);
}

function loaded(kind: string, output: string | Uint8Array, options: LoadOptions | undefined): BuildGraph {
  const { prefix = "" } = checkedOptions(options, ["prefix"]);
  const written = output instanceof Uint8Array ? Buffer.from(output).toString("utf8") : text("output", output);
  return adopted(native(() => BindingBuildGraph.load(kind, written, text("prefix", prefix))));
}

async function read(kind: string, folder: string | URL, options: SourceOptions | undefined): Promise<BuildGraph> {
  const [path, how] = [pathOf("folder", folder), reading(options)];
  return adopted(await nativePromise(() => BindingBuildGraph.read(kind, path, how)));
}

function reading(options: SourceOptions | undefined): string {
  const { roots, ...rest } = checkedOptions(options, ["roots", "data", "configuration"]);
  return JSON.stringify(roots === undefined ? rest : { ...rest, roots: severalIds("roots", roots) });
}

function fromTargets(targets: BuildTargets, options: TargetOptions | undefined): BindingBuildGraph {
  const { partial = false } = checkedOptions(options, ["partial"]);
  const expected = "targets by their names: an object, a Map, or pairs";
  if (typeof partial !== "boolean") throw invalid("partial", partial, "true or false");
  const pairs = pairsOf(targets);
  if (pairs === undefined) throw invalid("targets", targets, expected);
  const parts = Array.from(pairs, (pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw invalid("targets", pair, expected);
    const name = text("targets", pair[0]);
    const place = `targets[${JSON.stringify(name)}]`;
    if (typeof pair[1] !== "object" || pair[1] === null) throw invalid(place, pair[1], "{ files, deps, ... }");
    const { files = [], deps = [], folders = [], buildFile } = checkedOptions(pair[1] as BuildTarget, BUILD_TARGET);
    return {
      name,
      files: severalTexts(`${place}.files`, files),
      deps: severalTexts(`${place}.deps`, deps),
      folders: severalTexts(`${place}.folders`, folders),
      buildFile: buildFile === undefined ? undefined : text(`${place}.buildFile`, buildFile),
    };
  });
  return native(() => BindingBuildGraph.fromTargets(JSON.stringify(parts), partial));
}
