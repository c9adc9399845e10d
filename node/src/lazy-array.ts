/** Read-only arrays whose items stay in the core until they are looked at. */

import { inspect } from "node:util";

/**
 * @internal An array of `length` items: reading one index asks `item`, anything that needs them all (iterating,
 * methods, comparing) asks `all` once. To callers it is an array like any other, but nobody can change it.
 */
export function lazyArray<T>(length: number, item: (index: number) => T, all: () => T[]): readonly T[] {
  const items: T[] = new Array(length);
  let complete = false;
  const load = (): T[] => {
    if (!complete) {
      Object.assign(items, all());
      Object.freeze(items);
      complete = true;
    }
    return items;
  };
  // Node prints a proxy's target without asking the proxy.
  Object.defineProperty(items, inspect.custom, { value: () => [...load()], enumerable: false });
  const index = (key: string | symbol): number => {
    const number = typeof key === "string" ? Number(key) : Number.NaN;
    return String(number) === key ? number : Number.NaN;
  };
  return new Proxy(items, {
    get(target, key, receiver) {
      if (key === "length") return length;
      const place = complete ? Number.NaN : index(key);
      if (Number.isInteger(place)) return place >= 0 && place < length ? item(place) : undefined;
      if (key === Symbol.iterator || (typeof key === "string" && key !== "at")) load();
      return Reflect.get(target, key, receiver);
    },
    has: (_, key) => Reflect.has(load(), key),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(load(), key),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
  });
}
