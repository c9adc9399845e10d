/** What Jest runs before each test file, with its globals: the recorder, which writes when the tests of the file have run. */

import { readDefinitions } from "./definitions.js";
import { isAsked, record } from "./recording.js";

const { afterAll } = globalThis as unknown as { afterAll(hook: () => void): void };

if (isAsked(process.env)) afterAll(record(readDefinitions(process.env).all));
