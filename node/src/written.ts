/** Values that the core writes as JSON, with the names of their fields as JavaScript has them. */

/** @internal What makes a value of its JSON, unless that is null. */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of the core has the type that is declared in Rust
export type Make = (written: any) => any;

/** @internal The fields of a type: the name of each in JSON, and what makes its value if it is not JSON's. */
export type Shape<T> = { readonly [Name in keyof T]?: readonly [name: string, make?: Make] };

/** @internal Makes an object with these fields. */
export const shaped =
  <T>(shape: Shape<T>) =>
  (written: Readonly<Record<string, unknown>>): T => {
    const found: Record<string, unknown> = {};
    for (const [field, [name, make]] of Object.entries<readonly [string, Make?]>(shape as never)) {
      const value = written[name] ?? null;
      found[field] = value === null || make === undefined ? value : make(value);
    }
    return found as T;
  };

/** @internal Makes each value of a list. */
export const each =
  (make: Make): Make =>
  (values: unknown[]) =>
    values.map((value) => make(value));

/** @internal Makes each value of an object with any keys. */
export const every =
  (make: Make): Make =>
  (values: object) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, make(value)]));

/** @internal The object that the core wrote. */
export function madeFrom<T>(shape: Shape<T>, written: string): T {
  return shaped(shape)(JSON.parse(written));
}
