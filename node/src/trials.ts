/** Conversion between probes about trees and runs of an oracle, without runs for known outcomes. */

import type { BindingCarried, BindingOracle, BindingSlices, BindingVariants } from "./binding.js";
import { closeAtExit, closeNow } from "./cleanup.js";
import { type CommandOracle, commandOf, runCommand } from "./command-oracle.js";
import { invalid, native, nativePromise } from "./errors.js";
import { type Answer, noAnswer, type Observation, observationJson } from "./observation.js";
import type { Callback, OracleContext } from "./oracle.js";
import { warnOfStore } from "./outcome-store.js";
import type { AnyProbe } from "./probe.js";
import { type Repository, repositoryOf } from "./repository.js";

/** @internal The test of a tree. */
export type Test<P extends AnyProbe> = (
  probe: P,
  carried: BindingCarried,
  context: OracleContext<P>,
) => Answer | PromiseLike<Answer>;

/** @internal The view of a probe that an oracle gets. */
export interface Shows<P extends AnyProbe, Shown> {
  /** Returns the revision that the patch applies to, at which a command runs. */
  revision(probe: P): string;
  /** Returns the argument of a function. */
  shown(probe: P, carried: BindingCarried): Shown;
}

/** @internal Creates the trees of the probes of a search. */
export interface Trees<P extends AnyProbe> {
  /** The binding object, after its creation. */
  readonly opened: BindingVariants | BindingSlices | undefined;
  /** Returns the run for a probe, or the outcome as JSON if it is known. */
  trial(probe: P): Promise<string | BindingCarried>;
  /** Returns the outcome from the results of the oracle and the control, all as JSON. */
  seen(probe: P, carried: BindingCarried, seen: string, control: string | undefined): string;
  /** Returns whether a control must run after this result, given as JSON. */
  wantsControl(probe: P, seen: string): boolean;
}

/** @internal Returns the test of trees for an oracle: a command oracle of the repository, or a function. */
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

/** @internal Returns the test of trees for a command, with signatures of failures. */
export function byCommand<P extends AnyProbe>(
  oracle: CommandOracle,
  shows: Pick<Shows<P, unknown>, "revision">,
): Test<P> {
  const command = commandOf(oracle) as BindingOracle;
  return (probe, { patch }, { signal }) =>
    runCommand(command, shows.revision(probe), patch.length === 0 ? { signal } : { signal, patch }, true);
}

/** Returns an outcome as JSON. An error names the call and its probe. */
function said(answer: Answer, probe: AnyProbe, callback: string): string {
  try {
    return observationJson(answer);
  } catch (error) {
    throw noAnswer(error, probe, callback);
  }
}

/** @internal Runs an oracle for the probes of a search. */
export class Trials<P extends AnyProbe> {
  readonly #trees: Trees<P>;
  readonly #test: Test<P>;
  /** The control, or undefined. */
  readonly #control: Test<P> | undefined;
  /** The running Git operations, which must end before their files are removed. */
  readonly #busy = new Set<Promise<unknown>>();
  readonly #close = () => this.#trees.opened?.close();

  constructor(trees: Trees<P>, test: Test<P>, control?: Test<P>) {
    this.#trees = trees;
    this.#test = test;
    this.#control = control;
    closeAtExit(this.#close);
  }

  /** Returns the outcome of a probe. */
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

  /** Runs a Git operation, which `close` waits for. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    const running = nativePromise(call);
    this.#busy.add(running);
    try {
      return await running;
    } finally {
      this.#busy.delete(running);
    }
  }

  /** Removes temporary objects, as far as possible. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#busy);
    closeNow(this.#close);
    const { opened } = this.#trees;
    if (opened !== undefined) warnOfStore(opened);
  }
}
