/** Commit graphs: revisions, their parents, and what can be asked about how they hang together. */

import { inspect } from "node:util";
import { BindingGraph, BindingRepository, cardPage } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native, nativePromise } from "./errors.js";
import { fetching, type GraphOptions, graphOptions, type RepositoryOptions } from "./git-options.js";
import { lazyArray } from "./lazy-array.js";
import { checkedOptions, isIterable, isThenable, parted, pathOf, type Several, text } from "./options.js";
import { type InWords, writtenOf } from "./words.js";

/**
 * Revisions with their parents, in any order: a Map from ids to parent ids, an iterable of `[id, parents]` pairs, or
 * an object. JavaScript moves keys like `"7"` to the front of an object, so that an object with such keys is refused:
 * use a Map.
 */
export type GraphSource =
  | ReadonlyMap<string, Iterable<string>>
  | Iterable<readonly [id: string, parents: Iterable<string>]>
  | Readonly<Record<string, readonly string[]>>;

/** What may come along with the revisions of a {@link CommitGraph}. */
export interface CommitGraphOptions {
  /**
   * When each revision was made, as a whole number in any unit: one for each, in the order of the revisions, or a Map
   * from ids. git's order among equals needs them; without them the order of input, parents first, counts as time.
   */
  times?: Iterable<number> | ReadonlyMap<string, number>;
}

/** Stands between ids where many cross into the core as one text. */
const SEPARATOR = "\0";

/**
 * A directed acyclic graph of revisions, child to parents (RPA, Definition 1, with any number of roots).
 *
 * It cannot be changed. Its own order has parents first, and keeps the order of input where that has.
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
   * @throws {@link FirstbadError} `empty_graph`, `duplicate_revision`, `unknown_parent` and `cycle` name the ids;
   * `invalid_argument` for what is no graph at all.
   */
  constructor(source: GraphSource, options?: CommitGraphOptions) {
    this.#binding =
      (source as unknown) instanceof BindingGraph ? (source as unknown as BindingGraph) : fromSource(source, options);
  }

  /**
   * A graph from a list of versions or builds, oldest first, each the only parent of the next.
   *
   * @throws {@link FirstbadError} `empty_graph`, `duplicate_revision`, `invalid_argument`.
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
   * A graph from `[parent, child]` edges, in the paper's direction; a child's parents keep the order of its edges.
   *
   * @throws {@link FirstbadError} `empty_graph`, `cycle`, `invalid_argument`.
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
   * The graph of the git repository at `path`, read without blocking the event loop. Ids are full shas; branches, tags
   * and unique beginnings of shas stand for them wherever a revision is named.
   *
   * @throws {@link FirstbadError} `git` where there is no repository, `unknown_revision` for tips that do not exist,
   * `invalid_argument` for paths that no commit touches.
   */
  static async fromGit(path: string | URL, options?: GraphOptions & RepositoryOptions): Promise<CommitGraph> {
    const [{ fetch }, rest] = parted(options, "fetch");
    const part = graphOptions(rest, "fromGit", ["fetch"]);
    const repository = native(() => BindingRepository.open(pathOf("path", path), fetching(fetch)));
    return adopt(await nativePromise(() => repository.graph(part)));
  }

  /**
   * The graph that `toJson` wrote, in any language. Nothing is read from the repository that it came from, which need not be
   * there.
   *
   * @throws {@link FirstbadError} `invalid_argument` for a text that is no graph.
   */
  static fromJson(written: string): CommitGraph {
    return adopt(native(() => BindingGraph.fromJson(text("text", written))));
  }

  /** How many revisions it has; never 0. */
  get size(): number {
    return this.#binding.size;
  }

  /** The same as {@link CommitGraph.size}. */
  get length(): number {
    return this.#binding.size;
  }

  /** All ids, parents before children. They stay in the core until they are looked at. */
  get ids(): readonly string[] {
    const binding = this.#binding;
    this.#ids ??= lazyArray(
      binding.size,
      (index) => binding.id(index) as string,
      () => binding.ids().split(SEPARATOR),
    );
    return this.#ids;
  }

  /** Revisions without parents, in the graph's own order. */
  get roots(): string[] {
    return this.#binding.roots();
  }

  /** Revisions without children, in the graph's own order. */
  get leaves(): string[] {
    return this.#binding.leaves();
  }

  /** Whether a revision has exactly this id. */
  has(id: string): boolean {
    return typeof id === "string" && this.#binding.has(id);
  }

  /**
   * The parents of a revision, in their own order.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`.
   */
  parents(id: string): string[] {
    return native(() => this.#binding.parents(text("id", id)));
  }

  /**
   * The children of a revision, oldest first.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`.
   */
  children(id: string): string[] {
    return native(() => this.#binding.children(text("id", id)));
  }

  /**
   * Whether `ancestor` is `revision` or one of its ancestors, as in `git merge-base --is-ancestor`.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`.
   */
  isAncestor(ancestor: string, revision: string): boolean {
    return native(() => this.#binding.isAncestor(text("ancestor", ancestor), text("revision", revision)));
  }

  /**
   * The number of edges on a shortest path from `ancestor` up to `revision`; `null` if there is no path.
   *
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`.
   */
  distance(ancestor: string, revision: string): number | null {
    return native(() => this.#binding.distance(text("ancestor", ancestor), text("revision", revision)));
  }

  /**
   * The id that a name stands for: an id, a branch or tag that came with the graph, or a unique beginning (four
   * characters or more) of a hexadecimal id.
   *
   * @throws {@link FirstbadError} `unknown_revision` with the nearest names, `ambiguous_revision`.
   */
  resolve(name: string): string {
    return native(() => this.#binding.resolve(text("name", name)));
  }

  /**
   * All that it is, as JSON, for another process or a worker thread: a graph itself cannot be cloned or posted. Where it was
   * read from git, branches and tags and the repository's path are in it.
   */
  toJson(): string {
    return native(() => this.#binding.toJson());
  }

  /** The graph in Graphviz's DOT language. */
  toDot(): string {
    return native(() => this.#binding.dot());
  }

  /** The graph as a Mermaid flowchart, for Markdown. */
  toMermaid(): string {
    return native(() => this.#binding.mermaid());
  }

  /**
   * The graph as a picture: layered from left to right, long runs of commits folded, with some 200 commits at most.
   *
   * @param report A report of a search in this graph: what was seen where, and the edges at which it broke.
   */
  toSvg(report?: InWords): string {
    return this.#drawn(report, true);
  }

  /**
   * The same picture on a page that needs no other file, with its legend: what a notebook shows.
   *
   * @param report A report of a search in this graph: what was seen where, and the edges at which it broke.
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

/** @internal A graph made by the binding. */
export function adopt(binding: BindingGraph): CommitGraph {
  return new CommitGraph(binding as unknown as GraphSource);
}

/** @internal A graph, or what one can be made of. */
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
      throw invalid("graph", entry, "[id, parents] pairs; for a plain list of ids use CommitGraph.linear");
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
  // Exactly the keys that JavaScript moves to the front: whole numbers below 2^32 - 1.
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
