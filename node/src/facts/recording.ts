/** What the calls reach that are put into definitions, for as long as a test runs. */

import type { Definition } from "./definitions.js";
import { GLOBAL } from "./instrument.js";
import { Recorder, signalsFile } from "./recorder.js";

/** From here on calls of `definitions` are looked at; what is handed back writes the facts, or says why there are none. */
export function record(definitions: readonly Definition[]): () => void {
  const file = signalsFile(process.env);
  const recorder = new Recorder(definitions);
  // Programs that count their globals do not count it. Test files may follow one another with the same globals.
  Object.defineProperty(globalThis, GLOBAL, { value: recorder, enumerable: false, configurable: true });
  return () => {
    try {
      recorder.write(file);
    } catch (error) {
      process.stderr.write(`firstbad: FIRSTBAD_SIGNALS: ${(error as Error).message}; there are no facts\n`);
    }
  };
}

/** Whether a command oracle runs this process, and takes facts. */
export function isAsked(environment: NodeJS.ProcessEnv): boolean {
  return Boolean(environment.FIRSTBAD_DEFINITIONS && environment.FIRSTBAD_SIGNALS);
}
