/** What all rankings have in common: changes with a number each, best first. */

import { inspect } from "node:util";
import { cardPage } from "./binding.js";
import { DISPLAY } from "./display.js";
import { native } from "./errors.js";
import { wholeNumber } from "./options.js";

/** A ranking of the native module. */
export interface RankedBinding {
  json(): string;
  card(): string;
  text(most: number): string;
  markdown(most: number): string;
}

/** Changes with a number each, best first. Iterating over it gives `[change, number]` pairs. */
export abstract class Ranked<Suspect extends { readonly change: string }, Binding extends RankedBinding>
  implements Iterable<[change: string, number: number]>
{
  readonly #binding: Binding;
  readonly #written: { suspects: Suspect[] };

  /** @internal */
  protected constructor(binding: Binding) {
    this.#binding = binding;
    this.#written = JSON.parse(native(() => binding.json()));
  }

  /** @internal */
  protected get binding(): Binding {
    return this.#binding;
  }

  /** @internal */
  protected get written(): object {
    return this.#written;
  }

  /** @internal What a suspect is ranked by. */
  protected abstract numberOf(suspect: Suspect): number;

  /** The ranking in a sentence or two, for people. */
  abstract get message(): string;

  /** The number of suspects. */
  get length(): number {
    return this.#written.suspects.length;
  }

  /** All suspects with their reasons, best first. */
  get suspects(): readonly Suspect[] {
    return this.#written.suspects;
  }

  *[Symbol.iterator](): Iterator<[change: string, number: number]> {
    for (const suspect of this.#written.suspects) yield [suspect.change, this.numberOf(suspect)];
  }

  /** The ranking as plain text, at most so many suspects, with their reasons. */
  toText(most = 20): string {
    return native(() => this.#binding.text(wholeNumber("most", most, 0)));
  }

  /** The same as `toText()`, without the line end at its end. */
  toString(): string {
    return this.toText().trimEnd();
  }

  /** The ranking as Markdown, at most so many suspects, with their reasons. */
  toMarkdown(most = 20): string {
    return native(() => this.#binding.markdown(wholeNumber("most", most, 0)));
  }

  /** The ranking as a page that needs no other file: what a notebook shows. */
  toHtml(): string {
    return cardPage(native(() => this.#binding.card()));
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": this.toText(), "text/html": native(() => this.#binding.card()) };
  }

  /** All of it as a JSON text, the same in every language. */
  toJson(): string {
    return native(() => this.#binding.json());
  }

  /** For `JSON.stringify`. */
  toJSON(): unknown {
    return this.#written;
  }

  /** @internal */
  [inspect.custom](): string {
    return `${this.constructor.name}(${this.message})`;
  }
}
