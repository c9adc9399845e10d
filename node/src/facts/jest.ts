/**
 * A transformer for Jest (tested with 28, 29, 30) that wraps the transformer of the project and collects facts for
 * `sliceHistory`. Add `firstbad/facts/jest-setup` to `setupFilesAfterEnv`.
 *
 *     transform: { "\\.[jt]sx?$": ["firstbad/facts/jest", { transformer: "babel-jest", options: {} }] }
 *
 * It adds calls to the transformed definitions that a history changes. Outside a command oracle, it changes nothing.
 */

import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Definitions, readDefinitions, resolved } from "./definitions.js";
import { traced } from "./modules.js";
import { isAsked } from "./recording.js";

/** The part of Jest's arguments that this transformer uses. */
interface Told {
  readonly config: { readonly rootDir: string };
  readonly configString?: string;
  readonly instrument?: boolean;
  readonly supportsStaticESM?: boolean;
}

interface Made {
  readonly code: string;
  readonly map?: unknown;
}

type Arguments = [text: string, path: string, told: Told];

/** A transformer as Jest takes it. */
interface Transformer {
  process?(...of: Arguments): Made | string;
  processAsync?(...of: Arguments): Promise<Made | string>;
  getCacheKey?(...of: Arguments): string;
}

interface Factory extends Transformer {
  createTransformer?(options?: unknown): Transformer;
}

interface FactsOptions {
  /**
   * The transformer of the project: a package or a file, resolved from its `rootDir`. Default: the transformer of Jest.
   */
  readonly transformer?: string;
  /** The options of that transformer. */
  readonly options?: unknown;
}

class FactsTransformer implements Transformer {
  readonly #options: FactsOptions;
  readonly #definitions: Definitions | undefined = isAsked(process.env) ? readDefinitions(process.env) : undefined;
  #inner: Transformer | undefined;

  constructor(options: FactsOptions) {
    this.#options = options;
  }

  process(...of: Arguments): Made {
    const { process, processAsync } = this.#wrapped(of[2]);
    if (process === undefined) {
      const kind = processAsync === undefined ? "no transformer" : "asynchronous, and the module is CommonJS";
      throw new Error(`firstbad/facts/jest: ${this.#name} is ${kind}`);
    }
    return this.#traced(process.apply(this.#inner, of), of);
  }

  async processAsync(...of: Arguments): Promise<Made> {
    const { processAsync } = this.#wrapped(of[2]);
    return processAsync ? this.#traced(await processAsync.apply(this.#inner, of), of) : this.process(...of);
  }

  /** The inserted calls contain the numbers of definitions. */
  getCacheKey(...of: Arguments): string {
    const [text, path, told] = of;
    const own = [...(this.#definitions?.files.get(resolved(path)) ?? [])];
    const inner = this.#wrapped(told).getCacheKey?.apply(this.#inner, of);
    const parts = [own, this.#name, inner ?? [text, path, told.configString, told.instrument]];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }

  get #name(): string {
    return this.#options.transformer ?? "babel-jest";
  }

  #wrapped({ config }: Told): Transformer {
    if (this.#inner === undefined) {
      const loaded = createRequire(join(config.rootDir, "package.json"))(this.#name) as Factory & { default?: Factory };
      const factory = loaded.default ?? loaded;
      this.#inner = factory.createTransformer?.(this.#options.options) ?? factory;
    }
    return this.#inner;
  }

  #traced(made: Made | string, [, path, told]: Arguments): Made {
    const whole = typeof made === "string" ? { code: made } : made;
    if (this.#definitions === undefined) return whole;
    return {
      ...whole,
      code: traced(this.#definitions, path, whole.code, told.supportsStaticESM ? "module" : "script"),
    };
  }
}

/** Called by Jest with the options in the configuration. */
const createTransformer = (options: FactsOptions = {}): FactsTransformer => new FactsTransformer(options);

// An explicit export, so that `import { createTransformer }` finds it.
export = { createTransformer };
