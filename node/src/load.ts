/** The native module, or words about why there is none. */

/**
 * @internal What is thrown where the native module cannot be loaded: for which system one was looked for, what kept it from
 * being loaded, and what to do. `packages` are the names of all packages with a binary.
 */
export function withoutBinding(cause: unknown, packages: readonly string[]): Error {
  const { platform, arch, versions } = process;
  const message =
    `firstbad has no native module that loads on ${platform} ${arch}${libcNote()} with Node ${versions.node}: ${why(cause)}. ` +
    whatToDo(packages);
  return Object.assign(new Error(message, { cause }), { code: "missing_binary" });
}

/** @internal The native module, where it is of the same version as this package: else its answers may not be what is expected. */
export function checked<T extends { version?: () => string }>(binding: T, version: string): T {
  const found = binding.version?.();
  if (found === version) return binding;
  const message =
    `firstbad ${version} was loaded with a native module of ${found === undefined ? "another version" : `version ${found}`}: ` +
    "all firstbad packages must have the same version. Remove node_modules and run `npm ci`; in a clone, run `npm run build`.";
  throw Object.assign(new Error(message), { code: "binary_version" });
}

/** Which C library Linux has: a module is for one of them. */
function libc(): "glibc" | "musl" {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime ? "glibc" : "musl";
}

function libcNote(): string {
  return process.platform === "linux" ? ` (${libc()})` : "";
}

/** The package for this system, as napi names them; whether there is such a package is another question. */
function fitting(): string {
  const { platform, arch } = process;
  if (platform === "linux") return `firstbad-linux-${arch}-${libc() === "musl" ? "musl" : "gnu"}`;
  if (platform === "win32") return `firstbad-win32-${arch}-msvc`;
  return `firstbad-${platform}-${arch}`;
}

function whatToDo(packages: readonly string[]): string {
  const build = "build it from a clone, with cargo: cd node && npm ci && npm run build.";
  const wanted = fitting();
  if (!packages.includes(wanted)) return `There is no package for this system: ${build}`;
  const others = packages.filter((name) => name !== wanted && isInstalled(name));
  const other = others.length > 0 ? `; ${others.join(", ")} is there, for another system` : "";
  return (
    `What fits is the package ${wanted}, which npm installs as an optional dependency${other}. ` +
    "Where it was left out (--omit=optional, --no-optional), or node_modules or the lock file came from another system (a copied " +
    `folder, a container's volume, a cache), run \`npm install\` here without that. Or ${build}`
  );
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/** What kept a module that is there from being loaded, in words without a full stop; the loader's errors have no codes. */
function why(cause: unknown): string {
  let error = cause;
  for (let depth = 0; depth < 32 && error instanceof Error; depth++) {
    if (!error.message.startsWith("Cannot find "))
      return (error.message.split("\n", 1)[0] as string).replace(/\.\s*$/, "");
    error = error.cause;
  }
  return "none is installed";
}
