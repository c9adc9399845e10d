/** The trees that a search for a slice tests. */

import { type BindingCarried, type BindingOracle, type BindingSearch, BindingSlices } from "./binding.js";
import { closeAtExit, closeNow } from "./cleanup.js";
import { native, nativePromise } from "./errors.js";
import { json } from "./fields.js";
import { OutcomeStore } from "./outcome-store.js";
import { Patch } from "./patch.js";
import type { ReductionProbe, SliceProbe } from "./probe.js";
import { Repository } from "./repository.js";
import type { Shows, Trees } from "./trials.js";

/** @internal A history and its location. */
export interface SlicedFrom {
  readonly repository: Repository;
  /** The options of the search about the history, as JSON. */
  readonly options: string;
}

/** @internal The trees of one search. */
export class Slices implements Trees<ReductionProbe>, Shows<ReductionProbe, SliceProbe> {
  readonly #repository: Repository;
  readonly #store: OutcomeStore | undefined;
  /** Sets of changes are applied to this commit. */
  #ground = "";
  #names: readonly string[] = [];
  /** The search until its first trial, so that a journal can replay its events. */
  #begun: BindingSearch | undefined;
  opened: BindingSlices | undefined;

  /** `store` shares the outcomes of trees. With undefined, outcomes are not shared. */
  constructor(repository: Repository, store: OutcomeStore | undefined) {
    this.#repository = repository;
    this.#store = store;
  }

  /** Creates the search from its options in JSON, and returns the location of its history. */
  async search(options: string): Promise<[BindingSearch, SlicedFrom]> {
    const opened = await nativePromise(() => BindingSlices.of(Repository.bindingOf(this.#repository), options));
    this.opened = opened;
    const search = await nativePromise(() => opened.search(options));
    const { history, changes } = JSON.parse(native(() => search.configuration()));
    this.#ground = history.onto ?? history.base;
    this.#names = changes;
    this.#begun = search;
    return [search, { repository: this.#repository, options: json("history", { history }) }];
  }

  /** Tells the tests of an oracle which definitions change. */
  trace(oracle: BindingOracle): Promise<void> {
    return (this.opened as BindingSlices).trace(oracle);
  }

  revision(): string {
    return this.#ground;
  }

  shown({ id, changes }: ReductionProbe, { patch, tree }: BindingCarried): SliceProbe {
    const names = changes.map((change) => this.#names[change] as string);
    return { id, revision: this.#ground, changes: names, patch: Patch.parse(patch), tree };
  }

  trial({ set }: ReductionProbe): Promise<string | BindingCarried> {
    const opened = this.opened as BindingSlices;
    const begun = this.#begun;
    if (begun !== undefined) {
      opened.remember(begun);
      if (this.#store !== undefined) OutcomeStore.shareTrees(this.#store, begun, opened);
      this.#begun = undefined;
    }
    return opened.trial(json("target", { changes: set }));
  }

  seen(_: ReductionProbe, carried: BindingCarried, seen: string): string {
    return (this.opened as BindingSlices).seen(carried, seen);
  }

  wantsControl(): boolean {
    return false;
  }
}

/** @internal Opens a history again after its search, and returns the result of `make`. */
export async function sliced<T>(from: SlicedFrom, make: (slices: BindingSlices) => Promise<T>): Promise<T> {
  const slices = await nativePromise(() => BindingSlices.of(Repository.bindingOf(from.repository), from.options));
  const close = () => slices.close();
  closeAtExit(close);
  try {
    return await nativePromise(() => make(slices));
  } finally {
    closeNow(close);
  }
}
