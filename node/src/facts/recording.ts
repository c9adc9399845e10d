/** The global recorder that instrumented definitions call while a test runs. */

import type { Definition } from "./definitions.js";
import { GLOBAL } from "./instrument.js";
import { Recorder, signalsFile } from "./recorder.js";

/**
 * Records calls of `definitions` from now on. The returned function writes the facts, or the reason why there are none.
 */
export function record(definitions: readonly Definition[]): () => void {
  const file = signalsFile(process.env);
  const recorder = new Recorder(definitions);
  // Programs that count their globals must not see it. Several test files can share the same globals.
  Object.defineProperty(globalThis, GLOBAL, { value: recorder, enumerable: false, configurable: true });
  return () => {
    try {
      recorder.write(file);
    } catch (error) {
      process.stderr.write(`firstbad: FIRSTBAD_SIGNALS: ${(error as Error).message}, so there are no facts\n`);
    }
  };
}

/** Returns whether a command oracle runs this process and requests facts. */
export function isAsked(environment: NodeJS.ProcessEnv): boolean {
  return Boolean(environment.FIRSTBAD_DEFINITIONS && environment.FIRSTBAD_SIGNALS);
}
