/** What Vitest runs before each test file, in its worker: the recorder, which writes when the tests of the file have run. */

import { afterAll } from "vitest";
import { readDefinitions } from "./definitions.js";
import { record } from "./recording.js";

afterAll(record(readDefinitions(process.env).all));
