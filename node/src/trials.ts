/** From a probe of iterative delta debugging to what is run, and back: the trees that are made, and what need not be run. */

import { type BindingCarried, type BindingOracle, type BindingSearch, BindingVariants } from "./binding.js";
import { closeAtExit, forget } from "./cleanup.js";
import { runCommand } from "./command-oracle.js";
import { FirstbadError, native, nativePromise } from "./errors.js";
import { json } from "./fields.js";
import { type Answer, type Observation, observationJson } from "./observation.js";
import type { Callback, OracleContext } from "./oracle.js";
import { OutcomeStore, warnOfStore } from "./outcome-store.js";
import { Patch } from "./patch.js";
import type { CarriedBy, PortProbe, VariantProbe } from "./probe.js";
import type { Read } from "./reader.js";
import { Repository } from "./repository.js";

/** @internal What a revision with a patch on it is tested with. */
export type Test = (
  probe: VariantProbe,
  carried: BindingCarried,
  context: OracleContext<VariantProbe>,
) => Answer | PromiseLike<Answer>;

/** @internal A test by a command, which says which failure it was. */
export function byCommand(command: BindingOracle): Test {
  return ({ revision }, { patch }, { signal }) =>
    runCommand(command, revision, patch.length === 0 ? { signal } : { signal, patch }, true);
}

/** @internal A test by a function. */
export function byFunction(oracle: Callback<PortProbe, VariantProbe>): Test {
  return ({ id, revision }, { patch, tree, way }, context) =>
    oracle({ id, revision, patch: Patch.parse(patch), tree, carried: way as CarriedBy }, context);
}

/** @internal What is tested, and with what. */
export interface Trial {
  readonly repository: Repository;
  readonly test: Test;
  /** What must pass wherever the test fails; undefined if nothing is run. */
  readonly control: Test | undefined;
  /** Where what is seen of trees is shared; undefined: nowhere. */
  readonly store: OutcomeStore | undefined;
}

/** @internal Answers the probes of a search, and shows it what it has to see. */
export class Trials {
  readonly #search: BindingSearch;
  #opened: BindingVariants | undefined;
  readonly #trial: Trial;
  /** What git is at: nothing is removed under its feet. */
  readonly #busy = new Set<Promise<unknown>>();
  readonly #closeNow = () => this.#opened?.close();

  constructor(search: BindingSearch, trial: Trial) {
    this.#search = search;
    this.#trial = trial;
    closeAtExit(this.#closeNow);
  }

  /** Made when first asked for: a journal tells the search what was seen before. */
  get #variants(): BindingVariants {
    if (this.#opened !== undefined) return this.#opened;
    const { repository, store } = this.#trial;
    const made = native(() => BindingVariants.ofSearch(Repository.bindingOf(repository), this.#search));
    if (store !== undefined) OutcomeStore.shareTrees(store, this.#search, made);
    this.#opened = made;
    return made;
  }

  /** What the search has to see. */
  readonly read = ({ id: _, ...request }: Read): Promise<Uint8Array> => {
    const written = json("request", request);
    return this.#during(() => this.#variants.read(this.#search, written));
  };

  /** The answer to a probe. */
  readonly answer = async (probe: VariantProbe, context: OracleContext<VariantProbe>): Promise<Observation> => {
    const { revision, set, universe } = probe;
    const target = json("target", { revision, changes: set, universe });
    const trial = await this.#during(() => this.#variants.trial(this.#search, target));
    if (typeof trial === "string") return JSON.parse(trial);
    context.signal.throwIfAborted();
    const seen = observationJson(await this.#trial.test(probe, trial, context));
    const control = await this.#controlled(seen, probe, trial, context);
    return JSON.parse(native(() => this.#variants.seen(target, trial, seen, control)));
  };

  async #controlled(
    seen: string,
    probe: VariantProbe,
    trial: BindingCarried,
    context: OracleContext<VariantProbe>,
  ): Promise<string | undefined> {
    const { control } = this.#trial;
    if (control === undefined || !native(() => BindingVariants.wantsControl(seen))) return undefined;
    context.signal.throwIfAborted();
    return observationJson(await control(probe, trial, context), "control");
  }

  async #during<T>(call: () => Promise<T>): Promise<T> {
    const running = nativePromise(call);
    this.#busy.add(running);
    try {
      return await running;
    } finally {
      this.#busy.delete(running);
    }
  }

  /** Removes what was made; what cannot be removed costs no answer. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#busy);
    try {
      native(this.#closeNow);
    } catch (error) {
      if (!(error instanceof FirstbadError && error.code === "io")) throw error;
      process.emitWarning(`${error.message}; the next search in the repository tries again`, "FirstbadWarning");
    } finally {
      forget(this.#closeNow);
      if (this.#opened !== undefined) warnOfStore(this.#opened);
    }
  }
}
