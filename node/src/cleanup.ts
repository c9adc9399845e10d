/** What was made in folders must not outlive the process that made it, however it ends. */

import { FirstbadError, native } from "./errors.js";

const open = new Set<() => void>();

/** The functions whose text is printed when a signal ends the process. */
const words = new Set<() => string>();

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @internal Has `close` called when the process ends before {@link forget}. */
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

/** @internal Calls `close` and forgets it. What cannot be removed is a warning, and costs no answer. */
export function closeNow(close: () => void): void {
  try {
    native(close);
  } catch (error) {
    if (!(error instanceof FirstbadError && error.code === "io")) throw error;
    process.emitWarning(`${error.message}; the next search in the repository tries again`, "FirstbadWarning");
  } finally {
    forget(close);
  }
}

function closeAll(): void {
  for (const close of [...open]) {
    try {
      close();
    } catch {
      // The process is ending; what is left is removed at the next start.
    }
    forget(close);
  }
}

/** Ends the process as the signal would have done. Where others listen too, its ending is theirs to decide. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  for (const said of words) process.stderr.write(`${said()}\n`);
  words.clear();
  closeAll();
  unlisten();
  process.kill(process.pid, signal);
}
