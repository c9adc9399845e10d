/** Removes temporary folders at any end of the process. */

import { FirstbadError, native } from "./errors.js";

const open = new Set<() => void>();

/** Functions whose text is printed when a signal ends the process. */
const words = new Set<() => string>();

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @internal Calls `close` when the process ends before {@link forget}. */
export function closeAtExit(close: () => void): void {
  if (open.size === 0) process.on("exit", closeAll);
  listen();
  open.add(close);
}

/** @internal Prints the text that `said` returns if a signal ends the process before {@link saySilently}. */
export function sayAtSignal(said: () => string): void {
  listen();
  words.add(said);
}

/** @internal */
export function saySilently(said: () => string): void {
  if (words.delete(said)) unlisten();
}

function listen(): void {
  if (open.size + words.size > 0) return;
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function unlisten(): void {
  if (open.size + words.size > 0) return;
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

/** @internal */
export function forget(close: () => void): void {
  if (!open.delete(close)) return;
  if (open.size === 0) process.off("exit", closeAll);
  unlisten();
}

/** @internal Calls `close` and forgets it. A folder that cannot be removed is a warning. */
export function closeNow(close: () => void): void {
  try {
    native(close);
  } catch (error) {
    if (!(error instanceof FirstbadError && error.code === "io")) throw error;
    process.emitWarning(`${error.message}. The next search in the repository tries again`, "FirstbadWarning");
  } finally {
    forget(close);
  }
}

function closeAll(): void {
  for (const close of [...open]) {
    try {
      close();
    } catch {
      // The process is ending. The next start removes the rest.
    }
    forget(close);
  }
}

/** Ends the process as the signal would, unless there are other listeners. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  for (const said of words) process.stderr.write(`${said()}\n`);
  words.clear();
  closeAll();
  unlisten();
  process.kill(process.pid, signal);
}
