/** The trees of iterative delta debugging: revisions with patches. */

import { type BindingCarried, type BindingSearch, BindingVariants } from "./binding.js";
import { native } from "./errors.js";
import { json } from "./fields.js";
import { OutcomeStore } from "./outcome-store.js";
import { Patch } from "./patch.js";
import type { CarriedBy, PortProbe, VariantProbe } from "./probe.js";
import type { Read } from "./reader.js";
import { Repository } from "./repository.js";
import type { Shows, Trees } from "./trials.js";

/** @internal The view of a probe that oracles of iterative delta debugging get. */
export const VARIANTS: Shows<VariantProbe, PortProbe> = {
  revision: ({ revision }) => revision,
  shown: ({ id, revision }, { patch, tree, way }) => ({
    id,
    revision,
    patch: Patch.parse(patch),
    tree,
    carried: way as CarriedBy,
  }),
};

/** @internal The trees of one search. */
export class Variants implements Trees<VariantProbe> {
  readonly #repository: Repository;
  readonly #search: BindingSearch;
  readonly #store: OutcomeStore | undefined;
  opened: BindingVariants | undefined;

  /** Outcomes of trees are shared in `store`, if any. */
  constructor(repository: Repository, search: BindingSearch, store: OutcomeStore | undefined) {
    this.#repository = repository;
    this.#search = search;
    this.#store = store;
  }

  /** Created on first use, because a journal tells the search earlier outcomes. */
  get #made(): BindingVariants {
    if (this.opened !== undefined) return this.opened;
    const made = native(() => BindingVariants.ofSearch(Repository.bindingOf(this.#repository), this.#search));
    if (this.#store !== undefined) OutcomeStore.shareTrees(this.#store, this.#search, made);
    this.opened = made;
    return made;
  }

  /** Returns the content for a read. */
  read({ id: _, ...request }: Read): Promise<Uint8Array> {
    return this.#made.read(this.#search, json("request", request));
  }

  trial(probe: VariantProbe): Promise<string | BindingCarried> {
    return this.#made.trial(this.#search, targetOf(probe));
  }

  seen(probe: VariantProbe, carried: BindingCarried, seen: string, control: string | undefined): string {
    return this.#made.seen(targetOf(probe), carried, seen, control);
  }

  wantsControl(probe: VariantProbe, seen: string): boolean {
    return BindingVariants.wantsControl(targetOf(probe), seen);
  }
}

function targetOf({ revision, set, universe }: VariantProbe): string {
  return json("target", { revision, changes: set, universe });
}
