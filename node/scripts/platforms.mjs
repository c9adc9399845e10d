// The packages with a binary, one for each platform, as `napi.targets` of package.json names them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { parseTriple } = createRequire(import.meta.url)("@napi-rs/cli");

/**
 * The platforms of a package.json's `napi.targets`: for `x86_64-unknown-linux-musl` the name `linux-x64-musl`, what npm is to
 * compare (`os`, `cpu`, `libc`), the package and the file in it.
 */
export function platforms(manifest) {
  return manifest.napi.targets.map((triple) => {
    const { platformArchABI: name, platform: os, arch: cpu, abi } = parseTriple(triple);
    const libc = os === "linux" ? { gnu: "glibc", musl: "musl" }[abi] : undefined;
    const file = `${manifest.napi.binaryName}.${name}.node`;
    return { triple, name, os, cpu, libc, package: `${manifest.napi.packageName}-${name}`, file };
  });
}

/** This package's manifest, as it is developed. */
export const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
