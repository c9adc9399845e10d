/** Loads the native module, or explains why it cannot be loaded. */

/**
 * @internal Returns the error for a native module that cannot be loaded, with the system, the cause, and a solution.
 * `packages` are the names of all packages with a binary.
 */
export function withoutBinding(cause: unknown, packages: readonly string[]): Error {
  const { platform, arch, versions } = process;
  const message =
    `firstbad has no native module that loads on ${platform} ${arch}${libcNote()} with Node ${versions.node}: ${why(cause)}. ` +
    whatToDo(packages);
  return Object.assign(new Error(message, { cause }), { code: "missing_binary" });
}

/** @internal Returns the native module if its version is that of this package. */
export function checked<T extends { version?: () => string }>(binding: T, version: string): T {
  const found = binding.version?.();
  if (found === version) return binding;
  const message =
    `firstbad ${version} was loaded with a native module of ${found === undefined ? "another version" : `version ${found}`}: ` +
    "all firstbad packages must have the same version. Remove node_modules and run `npm ci`. In a clone, run `npm run build`.";
  throw Object.assign(new Error(message), { code: "binary_version" });
}

/** Returns the C library of Linux, because each binary is for one of them. */
function libc(): "glibc" | "musl" {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime ? "glibc" : "musl";
}

function libcNote(): string {
  return process.platform === "linux" ? ` (${libc()})` : "";
}

/** Returns the name of the package for this system, as napi builds it. The package need not exist. */
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
  const other = others.length > 0 ? `. ${others.join(", ")} is for another system` : "";
  return (
    `This system needs the package ${wanted}, which npm installs as an optional dependency${other}. ` +
    "If npm omitted it (--omit=optional, --no-optional), or if node_modules or the lock file comes from another system, " +
    `run \`npm install\` here. Or ${build}`
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

/** Explains why a native module cannot be loaded. Errors of the loader have no codes. */
function why(cause: unknown): string {
  let error = cause;
  for (let depth = 0; depth < 32 && error instanceof Error; depth++) {
    if (!error.message.startsWith("Cannot find "))
      return (error.message.split("\n", 1)[0] as string).replace(/\.\s*$/, "");
    error = error.cause;
  }
  return "none is installed";
}
