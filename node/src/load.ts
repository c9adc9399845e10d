/** The native module, or words about why there is none. */

/**
 * @internal What is thrown where the native module cannot be loaded: for which system one was looked for, what kept it from
 * being loaded, and what to do.
 */
export function withoutBinding(cause: unknown): Error {
  const { platform, arch, versions } = process;
  const message =
    `firstbad has no native module that loads on ${platform} ${arch}${libc()} with Node ${versions.node}: ${why(cause)}. ` +
    "Where node_modules came from another system (a copied folder, a container's volume, a cache), run `npm ci` here. " +
    "Where there is none for this system, build it from a clone, with cargo: cd node && npm ci && npm run build.";
  return Object.assign(new Error(message, { cause }), { code: "missing_binary" });
}

/** Which C library Linux has: a module is for one of them. */
function libc(): string {
  if (process.platform !== "linux") return "";
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime ? " (glibc)" : " (musl)";
}

/** What kept a module that is there from being loaded; the loader's errors have no codes. */
function why(cause: unknown): string {
  let error = cause;
  for (let depth = 0; depth < 32 && error instanceof Error; depth++) {
    if (!error.message.startsWith("Cannot find ")) return error.message.split("\n", 1)[0] as string;
    error = error.cause;
  }
  return "none is installed";
}
