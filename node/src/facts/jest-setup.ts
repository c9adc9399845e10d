/** Starts the recorder before each test file in Jest, and writes facts after its tests. */

import { readDefinitions } from "./definitions.js";
import { isAsked, record } from "./recording.js";

const { afterAll } = globalThis as unknown as { afterAll(hook: () => void): void };

if (isAsked(process.env)) afterAll(record(readDefinitions(process.env).all));
