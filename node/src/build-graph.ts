/** Build graphs: targets, their files, and their dependencies. */

import { inspect } from "node:util";
import { BindingBuildGraph } from "./binding.js";
import { invalid, native, nativePromise } from "./errors.js";
import { checkedOptions, pairsOf, pathOf, type Several, severalIds, severalTexts, text } from "./options.js";
import { Repository } from "./repository.js";

/** A target of a build graph (Culprit Finder, Definitions 1 and 2). */
export interface BuildTarget {
  /** The files of the target. A file can belong to several targets. */
  files?: Several<string>;
  /** The names of its direct dependencies. */
  deps?: Several<string>;
  /** The file that defines the target. A change to this file also touches the target. */
  buildFile?: string;
  /**
   * Folders whose files belong to the target, except files that a target lists and deeper folders of other targets.
   * `"."` is the whole repository.
   */
  folders?: Several<string>;
}

/** Build targets by name: an object, a Map, or pairs, in any order. */
export type BuildTargets =
  | Readonly<Record<string, BuildTarget>>
  | ReadonlyMap<string, BuildTarget>
  | Iterable<readonly [name: string, target: BuildTarget]>;

/** Options of build targets. */
export interface TargetOptions {
  /**
   * Whether targets can have other inputs, such as files that are opened at run time. A partial graph excludes no
   * change. Default: false.
   */
  partial?: boolean;
}

/** How to read the output of a tool. */
export interface LoadOptions {
  /**
   * The folder that the tool ran in, relative to the folder that paths of changes start from. Default: the same folder.
   */
  prefix?: string;
}

/** How to read a source tree. */
export interface SourceOptions {
  /** The folders that absolute imports of Python start from, such as `src`. Default: detected. */
  roots?: string | Iterable<string>;
  /** Whether other files belong to the nearest package. Default: false. */
  data?: boolean;
  /** Whether tests depend on the configuration files of the project. Default: true. */
  configuration?: boolean;
}

/** The content of a source tree to read. */
export type SourceKind = "python" | "javascript" | "workspaces";

const BUILD_TARGET = ["files", "deps", "buildFile", "folders"] as const;

/**
 * A graph of the files that a test depends on (Culprit Finder, Definitions 1 to 5). Targets in a dependency cycle count
 * as one target.
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
   * @throws {@link FirstbadError} `invalid_argument` if a dependency is not a target, or a value is not a target. The
   * message suggests a similar name.
   */
  constructor(targets: BuildTargets, options?: TargetOptions) {
    this.#binding = targets instanceof BindingBuildGraph ? targets : fromTargets(targets, options);
  }

  /** Reads the output of `bazel query` with `--output=xml` or `--output=streamed_jsonproto`. */
  static fromBazel(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("bazel", output, options);
  }

  /** Reads a file of `nx graph --file=graph.json`. */
  static fromNx(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("nx", output, options);
  }

  /** Reads the output of `turbo run test --dry=json`. */
  static fromTurborepo(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("turborepo", output, options);
  }

  /** Reads the output of `cargo metadata --format-version 1`. */
  static fromCargo(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("cargo", output, options);
  }

  /** Reads the output of `go list -json -deps ./...`. */
  static fromGo(output: string | Uint8Array, options?: LoadOptions): BuildGraph {
    return loaded("go", output, options);
  }

  /**
   * Reads the workspace of npm, yarn, bun or pnpm in a folder. Targets are its packages.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the folder has no workspace, `io`.
   */
  static async fromWorkspaces(folder: string | URL = "."): Promise<BuildGraph> {
    return read("workspaces", folder, undefined);
  }

  /**
   * Reads the imports of the Python files in a folder, without running them. Targets are files.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the folder has no Python files, `io`.
   */
  static async fromPython(folder: string | URL = ".", options?: SourceOptions): Promise<BuildGraph> {
    return read("python", folder, options);
  }

  /**
   * Reads the imports of the JavaScript and TypeScript files in a folder, without running them. Targets are files.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the folder has no such files, `io`.
   */
  static async fromJavaScript(folder: string | URL = ".", options?: Omit<SourceOptions, "roots">): Promise<BuildGraph> {
    return read("javascript", folder, options);
  }

  /**
   * Reads the imports or the workspace at a revision, without a checkout.
   *
   * @throws {@link FirstbadError} `unknown_revision` if Git cannot find the revision, `invalid_argument` if it has no
   * source files or an option is invalid, and `git` if a Git command fails.
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
   * Reads a graph that `toJson` of any front end wrote. If the repository has moved, a warning says so. Searches then
   * cannot read the build graph at earlier revisions.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a build graph.
   */
  static fromJson(written: string): BuildGraph {
    return adopted(native(() => BindingBuildGraph.fromJson(text("text", written))));
  }

  /** Returns the graph as JSON for another process or a worker thread. A graph cannot be cloned or posted. */
  toJson(): string {
    return native(() => this.#binding.toJson());
  }

  /** The number of targets. */
  get size(): number {
    return this.#binding.size;
  }

  /** The names of the targets, in the given order. */
  get targets(): string[] {
    return native(() => this.#binding.targets());
  }

  /**
   * Whether the graph contains all inputs of its targets, so that it can exclude changes. Graphs from Bazel are
   * complete, and so are graphs that you create without `partial`. Imports and packages of other tools do not show the
   * files that a test opens, or modules with computed names.
   */
  get complete(): boolean {
    return this.#binding.complete;
  }

  /** The groups of targets in a dependency cycle. Each group counts as one target. */
  get cycles(): string[][] {
    return JSON.parse(native(() => this.#binding.cycles()));
  }

  /** Messages about input that a loader could not use. */
  get warnings(): string[] {
    return native(() => this.#binding.warnings());
  }

  /**
   * Returns the direct dependencies of a target, in the given order.
   *
   * @throws {@link FirstbadError} `unknown_build_target`. The message suggests similar names.
   */
  dependencies(target: string): string[] {
    return native(() => this.#binding.dependencies(text("target", target)));
  }

  /** Returns the targets of a file: those that list the file, or else those of its deepest folder. */
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
