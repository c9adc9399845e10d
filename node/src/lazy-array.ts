/** Read-only arrays whose items are converted from the core on demand. */

import { inspect } from "node:util";

/**
 * @internal Returns a read-only array of `length` items. Reading one index calls `item`. Operations on the whole array
 * call `all` once.
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
  // Node prints the target of a proxy instead of the proxy.
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
      // Access to the array itself is much faster than access through the proxy.
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
