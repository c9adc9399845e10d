/** Commit graphs: revisions and their parents. */

import { inspect } from "node:util";
import { BindingGraph, BindingRepository, cardPage } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native, nativePromise } from "./errors.js";
import { fetching, type GraphOptions, graphOptions, type RepositoryOptions } from "./git-options.js";
import { lazyArray } from "./lazy-array.js";
import { checkedOptions, isIterable, isThenable, parted, pathOf, type Several, text } from "./options.js";
import { type InWords, writtenOf } from "./words.js";

/**
 * Revisions with their parents, in any order: a Map from ids to parent ids, an iterable of `[id, parents]` pairs, or an
 * object. JavaScript moves keys such as `"7"` to the front of an object, so an object with such keys is refused. Use a
 * Map instead.
 */
export type GraphSource =
  | ReadonlyMap<string, Iterable<string>>
  | Iterable<readonly [id: string, parents: Iterable<string>]>
  | Readonly<Record<string, readonly string[]>>;

/** The options of a {@link CommitGraph}. */
export interface CommitGraphOptions {
  /**
   * The times of the revisions, as whole numbers in any unit: one for each, in the order of the revisions, or a Map
   * from ids. Searches use times to order equal revisions as Git does. Default: the order of input, parents first.
   */
  times?: Iterable<number> | ReadonlyMap<string, number>;
}

/** The separator of ids that are passed to the core as one text. */
const SEPARATOR = "\0";

/**
 * A directed acyclic graph of revisions, child to parents (RPA, Definition 1, with any number of roots).
 *
 * A graph is immutable. Its order has parents before children, and otherwise keeps the order of input.
 *
 * @example
 * ```ts
 * const graph = new CommitGraph(new Map([["r", []], ["a", ["r"]], ["b", ["r"]], ["m", ["a", "b"]]]));
 * graph.parents("m"); // ["a", "b"]
 * ```
 */
export class CommitGraph {
  readonly #binding: BindingGraph;
  #ids: readonly string[] | undefined;

  /**
   * @throws {@link FirstbadError} `empty_graph`, `duplicate_revision`, `unknown_parent` and `cycle`, which name the
   * ids, and `invalid_argument` if the value is not a graph.
   */
  constructor(source: GraphSource, options?: CommitGraphOptions) {
    this.#binding =
      (source as unknown) instanceof BindingGraph ? (source as unknown as BindingGraph) : fromSource(source, options);
  }

  /**
   * Creates a graph from versions or builds, oldest first. Each is the only parent of the next.
   *
   * @throws {@link FirstbadError} `empty_graph` if there are no ids, `duplicate_revision` if an id occurs twice, and
   * `invalid_argument` if an id is invalid.
   */
  static linear(ids: Several<string>): CommitGraph {
    if (!isIterable(ids)) throw invalid("ids", ids, "several ids, oldest first");
    const all = [...ids].map((id) => text("ids", id));
    return adopt(native(() => BindingGraph.linear(all.join(SEPARATOR), all.length)));
  }

  /**
   * Creates a graph from versions in any order. Each version is the only parent of the next higher one. Versions are compared by
   * the rules of the scheme: `10.0.0-rc.1` comes before `10.0.0`. Equal versions keep their order.
   *
   * @param options `scheme` is `"semver"` for the versions of npm and Cargo, with or without a leading `v`, or `"pep440"` for those
   * of Python packages.
   * @throws {@link FirstbadError} `invalid_argument` if a version is not valid in the scheme, `empty_graph` if there are no
   * versions, and `duplicate_revision` if a version occurs twice.
   */
  static fromVersions(versions: Iterable<string>, options: { scheme: "semver" | "pep440" }): CommitGraph {
    if (!isIterable(versions)) throw invalid("versions", versions, "several versions");
    const all = [...versions].map((version) => text("versions", version));
    const scheme = text("scheme", options?.scheme);
    return adopt(native(() => BindingGraph.fromVersions(all.join(SEPARATOR), all.length, scheme)));
  }

  /**
   * Creates a graph from `[parent, child]` edges. The parents of a child keep the order of its edges.
   *
   * @throws {@link FirstbadError} `empty_graph` if there are no edges, `cycle` if the edges form a cycle, and
   * `invalid_argument` if an edge is invalid.
   */
  static fromEdges(edges: Iterable<readonly [parent: string, child: string]>): CommitGraph {
    if (!isIterable(edges)) throw invalid("edges", edges, "pairs of parent and child");
    const ends: string[] = [];
    for (const edge of edges) {
      if (!Array.isArray(edge) || edge.length !== 2) throw invalid("edges", edge, "pairs of parent and child");
      ends.push(text("edges", edge[0]), text("edges", edge[1]));
    }
    return adopt(native(() => BindingGraph.fromEdges(ends.join(SEPARATOR), ends.length)));
  }

  /**
   * Reads the graph of the Git repository at `path` without blocking the event loop. Ids are full hashes. Branches,
   * tags and unique prefixes of hashes are also accepted as revisions.
   *
   * @throws {@link FirstbadError} `git` if there is no repository, `unknown_revision` if a tip does not exist,
   * `invalid_argument` if no commit touches the paths.
   */
  static async fromGit(path: string | URL, options?: GraphOptions & RepositoryOptions): Promise<CommitGraph> {
    const [{ fetch }, rest] = parted(options, "fetch");
    const part = graphOptions(rest, "fromGit", ["fetch"]);
    const repository = native(() => BindingRepository.open(pathOf("path", path), fetching(fetch)));
    return adopt(await nativePromise(() => repository.graph(part)));
  }

  /**
   * Reads a graph that `toJson` of any front end wrote. The repository need not exist.
   *
   * @throws {@link FirstbadError} `invalid_argument` if the text is not a graph.
   */
  static fromJson(written: string): CommitGraph {
    return adopt(native(() => BindingGraph.fromJson(text("text", written))));
  }

  /** The number of revisions, at least 1. */
  get size(): number {
    return this.#binding.size;
  }

  /** Alias of {@link CommitGraph.size}. */
  get length(): number {
    return this.#binding.size;
  }

  /** All ids, parents before children. They are converted from the core on demand. */
  get ids(): readonly string[] {
    const binding = this.#binding;
    this.#ids ??= lazyArray(
      binding.size,
      (index) => binding.id(index) as string,
      () => binding.ids().split(SEPARATOR),
    );
    return this.#ids;
  }

  /** Revisions without parents, in the order of the graph. */
  get roots(): string[] {
    return this.#binding.roots();
  }

  /** Revisions without children, in the order of the graph. */
  get leaves(): string[] {
    return this.#binding.leaves();
  }

  /** Returns whether a revision has exactly this id. */
  has(id: string): boolean {
    return typeof id === "string" && this.#binding.has(id);
  }

  /**
   * Returns the parents of a revision, in their order.
   *
   * @throws {@link FirstbadError} `unknown_revision` if a revision does not exist, and `ambiguous_revision` if
   * an abbreviation matches several revisions.
   */
  parents(id: string): string[] {
    return native(() => this.#binding.parents(text("id", id)));
  }

  /**
   * Returns the children of a revision, oldest first.
   *
   * @throws {@link FirstbadError} `unknown_revision` if a revision does not exist, and `ambiguous_revision` if
   * an abbreviation matches several revisions.
   */
  children(id: string): string[] {
    return native(() => this.#binding.children(text("id", id)));
  }

  /**
   * Returns whether `ancestor` is `revision` or one of its ancestors, as `git merge-base --is-ancestor` does.
   *
   * @throws {@link FirstbadError} `unknown_revision` if a revision does not exist, and `ambiguous_revision` if
   * an abbreviation matches several revisions.
   */
  isAncestor(ancestor: string, revision: string): boolean {
    return native(() => this.#binding.isAncestor(text("ancestor", ancestor), text("revision", revision)));
  }

  /**
   * Returns the number of edges on a shortest path from `ancestor` to `revision`, or `null` without a path.
   *
   * @throws {@link FirstbadError} `unknown_revision` if a revision does not exist, and `ambiguous_revision` if
   * an abbreviation matches several revisions.
   */
  distance(ancestor: string, revision: string): number | null {
    return native(() => this.#binding.distance(text("ancestor", ancestor), text("revision", revision)));
  }

  /**
   * Returns the id for a name: an id, a branch, a tag, or a unique prefix (at least four characters) of a hexadecimal
   * id.
   *
   * @throws {@link FirstbadError} `unknown_revision`, whose message suggests similar names, and `ambiguous_revision`.
   */
  resolve(name: string): string {
    return native(() => this.#binding.resolve(text("name", name)));
  }

  /**
   * Returns the graph as JSON for another process or a worker thread. A graph cannot be cloned or posted. A graph from
   * Git includes its branches, its tags, and the path of the repository.
   */
  toJson(): string {
    return native(() => this.#binding.toJson());
  }

  /** Returns the graph in Graphviz's DOT language. */
  toDot(): string {
    return native(() => this.#binding.dot());
  }

  /** Returns the graph as a Mermaid flowchart, for Markdown. */
  toMermaid(): string {
    return native(() => this.#binding.mermaid());
  }

  /**
   * Returns the graph as an SVG image from left to right, with at most about 200 commits. Long runs are folded.
   *
   * @param report A report of a search in this graph. The image shows its outcomes and regression points.
   */
  toSvg(report?: InWords): string {
    return this.#drawn(report, true);
  }

  /**
   * Returns an HTML page with the image of {@link CommitGraph.toSvg} and a legend, as in a notebook.
   *
   * @param report A report of a search in this graph. The image shows its outcomes and regression points.
   */
  toHtml(report?: InWords): string {
    return cardPage(this.#drawn(report, false));
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": inspect(this), "text/html": this.#drawn(undefined, false), "image/svg+xml": this.toSvg() };
  }

  #drawn(report: InWords | undefined, alone: boolean): string {
    const [algorithm, written] = report === undefined ? [] : writtenOf(report);
    return native(() => this.#binding.card(algorithm, written, alone));
  }

  /** @internal */
  [inspect.custom](): string {
    return `CommitGraph(${this.size} revision${this.size === 1 ? "" : "s"})`;
  }

  /** @internal */
  static bindingOf(graph: CommitGraph): BindingGraph {
    return graph.#binding;
  }
}

/** @internal Returns the graph of a binding object. */
export function adopt(binding: BindingGraph): CommitGraph {
  return new CommitGraph(binding as unknown as GraphSource);
}

/** @internal Returns a graph, created if necessary. */
export function graphFrom(graph: CommitGraph | GraphSource): CommitGraph {
  return graph instanceof CommitGraph ? graph : new CommitGraph(graph);
}

function fromSource(source: GraphSource, options: CommitGraphOptions | undefined): BindingGraph {
  const { times } = checkedOptions(options, ["times"]);
  const ids: string[] = [];
  const parentIds: string[] = [];
  const counts: number[] = [];
  for (const entry of entriesOf(source)) {
    if (!Array.isArray(entry) || entry.length !== 2) {
      throw invalid("graph", entry, "[id, parents] pairs. For a list of ids, use CommitGraph.linear");
    }
    const [id, parents] = entry as [unknown, unknown];
    ids.push(text("graph", id));
    const wrong = (value: unknown) => invalid(`parents of ${JSON.stringify(id)}`, value, "an array of ids");
    if (!isIterable(parents)) throw wrong(parents);
    const before = parentIds.length;
    for (const parent of parents) {
      if (typeof parent !== "string") throw wrong(parent);
      parentIds.push(parent);
    }
    counts.push(parentIds.length - before);
  }
  const ordered = times === undefined ? [] : timesOf(ids, times);
  return native(() =>
    BindingGraph.fromParts(
      ids.join(SEPARATOR),
      Uint32Array.from(counts),
      parentIds.join(SEPARATOR),
      Float64Array.from(ordered),
    ),
  );
}

function entriesOf(source: GraphSource): Iterable<unknown> {
  if (typeof source !== "object" || source === null) {
    throw invalid("graph", source, "a Map from ids to parent ids, [id, parents] pairs, or an object");
  }
  if (isIterable(source)) return source;
  if (isThenable(source)) throw invalid("graph", source, "what it resolves to: await it first");
  if ("graph" in source && typeof source.graph === "function") {
    throw invalid("graph", source, "a graph of it: await repository.graph()");
  }
  const kind = Object.getPrototypeOf(source);
  if (kind !== null && Object.getPrototypeOf(kind) !== null) {
    throw invalid("graph", source, "a Map from ids to parent ids, [id, parents] pairs, or a plain object");
  }
  const entries = Object.entries(source);
  // JavaScript moves exactly these keys to the front: whole numbers below 2^32 - 1.
  const moved = entries.find(([id]) => /^(0|[1-9]\d{0,9})$/.test(id) && Number(id) < 0xffff_ffff);
  if (moved) {
    throw invalid("graph", moved[0], "a Map instead of an object: JavaScript reorders keys that look like integers");
  }
  return entries;
}

function timesOf(ids: string[], times: Iterable<number> | ReadonlyMap<string, number>): number[] {
  if (!isIterable(times)) throw invalid("times", times, "one time for each revision, or a Map from ids");
  const byId = times instanceof Map ? (times as ReadonlyMap<string, number>) : undefined;
  const ordered = byId ? ids.map((id) => byId.get(id)) : [...(times as Iterable<number>)];
  if (ordered.length !== ids.length) {
    throw invalid("times", ordered.length, `one time for each of the ${ids.length} revisions`);
  }
  return ordered.map((time, place) => {
    if (Number.isSafeInteger(time)) return time as number;
    throw invalid("times", time, `a whole number for ${JSON.stringify(ids[place])}`);
  });
}
