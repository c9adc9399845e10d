/** Loader hooks for ECMAScript modules, which Node runs in a separate thread. */

import type { LoadHook } from "node:module";
import { readDefinitions } from "./definitions.js";
import { tracedModule } from "./modules.js";

const definitions = readDefinitions(process.env);

export const load: LoadHook = async (url, context, next) => tracedModule(definitions, url, await next(url, context));
