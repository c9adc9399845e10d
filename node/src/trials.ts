/** From a probe about a tree to what is run, and back: what need not be run is left out. */

import type { BindingCarried, BindingOracle, BindingSlices, BindingVariants } from "./binding.js";
import { closeAtExit, closeNow } from "./cleanup.js";
import { type CommandOracle, commandOf, runCommand } from "./command-oracle.js";
import { invalid, native, nativePromise } from "./errors.js";
import { type Answer, noAnswer, type Observation, observationJson } from "./observation.js";
import type { Callback, OracleContext } from "./oracle.js";
import { warnOfStore } from "./outcome-store.js";
import type { AnyProbe } from "./probe.js";
import { type Repository, repositoryOf } from "./repository.js";

/** @internal What a tree is tested with. */
export type Test<P extends AnyProbe> = (
  probe: P,
  carried: BindingCarried,
  context: OracleContext<P>,
) => Answer | PromiseLike<Answer>;

/** @internal What an oracle is shown of a probe. */
export interface Shows<P extends AnyProbe, Shown> {
  /** What the patch is for: a command is run there. */
  revision(probe: P): string;
  /** What a function gets. */
  shown(probe: P, carried: BindingCarried): Shown;
}

/** @internal What makes the trees of a search's probes. */
export interface Trees<P extends AnyProbe> {
  /** The binding's part of it, once it was made. */
  readonly opened: BindingVariants | BindingSlices | undefined;
  /** What there is to run; or the answer, as JSON, if it is known. */
  trial(probe: P): Promise<string | BindingCarried>;
  /** The answer from what the oracle said, and the control if one was run; all as JSON. */
  seen(probe: P, carried: BindingCarried, seen: string, control: string | undefined): string;
  /** Whether a control, if there is one, is to be run after a test that ended so, as JSON. */
  wantsControl(probe: P, seen: string): boolean;
}

/** @internal An oracle as the test of trees: a command oracle of the repository, or a function. */
export function testOf<P extends AnyProbe, Shown>(
  repository: Repository,
  argument: string,
  oracle: unknown,
  shows: Shows<P, Shown>,
): Test<P> {
  if (typeof oracle !== "function") throw invalid(argument, oracle, "a command oracle, or a function");
  const theirs = repositoryOf(oracle);
  if (theirs === undefined) {
    return (probe, carried, context) => (oracle as Callback<Shown, P>)(shows.shown(probe, carried), context);
  }
  if (theirs.path !== repository.path) throw invalid(argument, theirs.path, `a command oracle of ${repository.path}`);
  return byCommand(oracle as CommandOracle, shows);
}

/** @internal A command as the test of trees, which says which failure it was. */
export function byCommand<P extends AnyProbe>(
  oracle: CommandOracle,
  shows: Pick<Shows<P, unknown>, "revision">,
): Test<P> {
  const command = commandOf(oracle) as BindingOracle;
  return (probe, { patch }, { signal }) =>
    runCommand(command, shows.revision(probe), patch.length === 0 ? { signal } : { signal, patch }, true);
}

/** An answer as JSON; where it is none, the error says what was asked, and about what. */
function said(answer: Answer, probe: AnyProbe, callback: string): string {
  try {
    return observationJson(answer);
  } catch (error) {
    throw noAnswer(error, probe, callback);
  }
}

/** @internal Answers the probes of a search. */
export class Trials<P extends AnyProbe> {
  readonly #trees: Trees<P>;
  readonly #test: Test<P>;
  /** What must pass for some answers to count; undefined if nothing is run. */
  readonly #control: Test<P> | undefined;
  /** What git is at: nothing is removed under its feet. */
  readonly #busy = new Set<Promise<unknown>>();
  readonly #close = () => this.#trees.opened?.close();

  constructor(trees: Trees<P>, test: Test<P>, control?: Test<P>) {
    this.#trees = trees;
    this.#test = test;
    this.#control = control;
    closeAtExit(this.#close);
  }

  /** The answer to a probe. */
  readonly answer = async (_: unknown, context: OracleContext<P>): Promise<Observation> => {
    const { probe } = context;
    const trial = await this.during(() => this.#trees.trial(probe));
    if (typeof trial === "string") return JSON.parse(trial);
    context.signal.throwIfAborted();
    const seen = said(await this.#test(probe, trial, context), probe, "oracle");
    const control = await this.#controlled(seen, trial, context);
    return JSON.parse(native(() => this.#trees.seen(probe, trial, seen, control)));
  };

  async #controlled(seen: string, trial: BindingCarried, context: OracleContext<P>): Promise<string | undefined> {
    const control = this.#control;
    if (control === undefined || !native(() => this.#trees.wantsControl(context.probe, seen))) return undefined;
    context.signal.throwIfAborted();
    return said(await control(context.probe, trial, context), context.probe, "control");
  }

  /** What git does for the trees, waited for before they are removed. */
  async during<T>(call: () => Promise<T>): Promise<T> {
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
    closeNow(this.#close);
    const { opened } = this.#trees;
    if (opened !== undefined) warnOfStore(opened);
  }
}
