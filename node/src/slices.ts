/** The trees of a search for a slice: parts of a history. */

import { type BindingCarried, type BindingOracle, type BindingSearch, BindingSlices } from "./binding.js";
import { closeAtExit, closeNow } from "./cleanup.js";
import { native, nativePromise } from "./errors.js";
import { json } from "./fields.js";
import { OutcomeStore } from "./outcome-store.js";
import { Patch } from "./patch.js";
import type { ReductionProbe, SliceProbe } from "./probe.js";
import { Repository } from "./repository.js";
import type { Shows, Trees } from "./trials.js";

/** @internal A history, and where it is. */
export interface SlicedFrom {
  readonly repository: Repository;
  /** Its part of the search's options, as JSON. */
  readonly options: string;
}

/** @internal The trees of one search. */
export class Slices implements Trees<ReductionProbe>, Shows<ReductionProbe, SliceProbe> {
  readonly #repository: Repository;
  readonly #store: OutcomeStore | undefined;
  #base = "";
  #names: readonly string[] = [];
  /** The search, until it was asked for its first trial: a journal tells it what was seen before. */
  #begun: BindingSearch | undefined;
  opened: BindingSlices | undefined;

  /** What is seen of trees is shared in `store`; undefined: nowhere. */
  constructor(repository: Repository, store: OutcomeStore | undefined) {
    this.#repository = repository;
    this.#store = store;
  }

  /** The search for the smallest slice, by its options as JSON, and where its history is. */
  async search(options: string): Promise<[BindingSearch, SlicedFrom]> {
    const opened = await nativePromise(() => BindingSlices.of(Repository.bindingOf(this.#repository), options));
    this.opened = opened;
    const search = await nativePromise(() => opened.search(options));
    const { history, changes } = JSON.parse(native(() => search.configuration()));
    this.#base = history.base;
    this.#names = changes;
    this.#begun = search;
    return [search, { repository: this.#repository, options: json("history", { history }) }];
  }

  /** Tells the tests of an oracle which definitions change. */
  trace(oracle: BindingOracle): Promise<void> {
    return (this.opened as BindingSlices).trace(oracle);
  }

  revision(): string {
    return this.#base;
  }

  shown({ id, changes }: ReductionProbe, { patch, tree }: BindingCarried): SliceProbe {
    const names = changes.map((change) => this.#names[change] as string);
    return { id, revision: this.#base, changes: names, patch: Patch.parse(patch), tree };
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

/** @internal What is made of a history once more, after its search. */
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
