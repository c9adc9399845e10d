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
      for (const [index, value] of all().entries()) items[index] = value;
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
      // Bound to the array itself, where it is many times faster than through the proxy.
      if (key === Symbol.iterator) return load()[Symbol.iterator].bind(items);
      if (typeof key === "string" && key !== "at") load();
      return Reflect.get(target, key, receiver);
    },
    has: (_, key) => Reflect.has(load(), key),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(load(), key),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });
}
