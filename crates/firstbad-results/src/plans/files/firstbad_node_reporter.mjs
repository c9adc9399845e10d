// Writes the result of each test as a JSON line. firstbad writes this file and passes it to `node --test`.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const NOT_CHOSEN = "test name does not match pattern";

export default async function* firstbad(source) {
  yield line({ runner: "node" });
  const names = [];
  let deepest = 0;
  for await (const { type, data } of source) {
    if (type === "test:start") {
      names.length = data.nesting;
      names[data.nesting] = data.name;
      deepest = Math.max(deepest, data.nesting);
    } else if (type === "test:pass" || type === "test:fail") {
      const hasChildren = deepest > data.nesting;
      deepest = data.nesting;
      if (data.skip !== NOT_CHOSEN) yield line(result(type, data, names, hasChildren));
    }
  }
}

function result(type, data, names, hasChildren) {
  const { details = {} } = data;
  const file = data.file?.startsWith("file:") ? fileURLToPath(data.file) : data.file;
  // A file that ends before its first test, or that has no tests.
  const isFile = data.nesting === 0 && file !== undefined && resolve(data.name) === resolve(file);
  const isFailed = type === "test:fail";
  const isSkipped = data.skip !== undefined || data.todo !== undefined;
  return {
    file,
    suites: names.slice(0, data.nesting),
    name: isFile ? "" : data.name,
    scope: isFile && isFailed ? "file" : hasChildren || details.type === "suite" ? "group" : "test",
    outcome: isFile && isFailed ? "unresolved" : isSkipped ? "skipped" : isFailed ? "fail" : "pass",
    seconds: details.duration_ms / 1000,
    ...(isFailed ? failure(details.error) : {}),
  };
}

function failure(error) {
  const cause = error?.cause ?? error;
  const stack = String(cause?.stack ?? "");
  const message = typeof cause === "object" ? cause?.message : cause;
  return { type: cause?.name, message: String(message).slice(0, 16000), text: stack.slice(0, 16000) };
}

function line(value) {
  return `${JSON.stringify(value)}\n`;
}
