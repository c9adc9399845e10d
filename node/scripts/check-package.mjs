// Refuses to pack a package that is not whole: npm runs it before `npm pack` and `npm publish` (`prepack`).
//
// What is published is made by packaging/node/make.mjs in a folder of its own: this package without a binary, and below it,
// in `npm/`, one package for each platform. The tree to develop in is never whole.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const TEXTS = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
const TEXTS_OF_BINARY = [...TEXTS, "THIRD-PARTY-LICENSES.txt"];

/** What keeps the package in `folder` from being published, in words; empty where nothing does. */
export function problems(folder) {
  const manifest = read(folder, "package.json");
  const found = [...missingFiles(folder, manifest), ...missingTexts(folder, "firstbad", TEXTS)];
  const own = existsSync(join(folder, "dist"))
    ? readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".node"))
    : [];
  for (const name of own) found.push(`dist/${name}: a binary belongs into the package of its platform`);
  const optional = manifest.optionalDependencies ?? {};
  const wanted = manifest.napi.targets.length;
  if (Object.keys(optional).length !== wanted) {
    found.push(
      `optionalDependencies: ${Object.keys(optional).length} packages with a binary, and napi.targets names ${wanted}; ` +
        "packaging/node/make.mjs makes what is published",
    );
  }
  for (const [name, version] of Object.entries(optional)) found.push(...ofPlatform(folder, manifest, name, version));
  return found;
}

/** The files that the manifest names, and those that they load. */
function missingFiles(folder, manifest) {
  const named = [
    manifest.main,
    manifest.module,
    manifest.types,
    ...strings(manifest.exports),
    ...strings(manifest.bin),
  ];
  const files = new Set([...named.filter(Boolean), "./dist/binding.js", "./dist/native.js", "./dist/binding.d.ts"]);
  return [...files].filter((file) => !isFile(join(folder, file))).map((file) => `${file}: is not there; npm run build`);
}

function missingTexts(folder, name, texts) {
  return texts.filter((file) => !isFile(join(folder, file))).map((file) => `${name}: ${file} is not there`);
}

/** A package of one platform: of this version, for the system that its binary is for. */
function ofPlatform(folder, manifest, name, version) {
  const short = name.slice(manifest.napi.packageName.length + 1);
  const place = join(folder, "npm", short);
  if (!isFile(join(place, "package.json"))) return [`${name}: npm/${short}/package.json is not there`];
  const own = read(place, "package.json");
  const found = missingTexts(place, name, TEXTS_OF_BINARY);
  if (own.name !== name) found.push(`npm/${short}/package.json: the name is ${own.name} instead of ${name}`);
  for (const [where, what] of [
    ["optionalDependencies", version],
    [`npm/${short}/package.json`, own.version],
  ]) {
    if (what !== manifest.version) found.push(`${where}: ${name} is of version ${what} instead of ${manifest.version}`);
  }
  for (const file of TEXTS_OF_BINARY.slice(1).filter((file) => !own.files?.includes(file))) {
    found.push(`${name}: ${file} is not among its files`);
  }
  const binary = `${manifest.napi.binaryName}.${short}.node`;
  if (own.main !== binary) found.push(`${name}: main is ${own.main} instead of ${binary}`);
  if (!isFile(join(place, binary))) return [...found, `${name}: ${binary} is not there`];
  const bytes = readFileSync(join(place, binary));
  const system = systemOf(bytes);
  const said = `${own.os}-${own.cpu}`;
  if (system !== said)
    found.push(`${name}: ${binary} is for ${system ?? "no system that is known"} instead of ${said}`);
  const [, mark] = /firstbad binding (\d[\w.+-]*);/.exec(bytes.toString("latin1")) ?? [];
  if (mark !== manifest.version) {
    found.push(
      `${name}: ${binary} is of ${mark ? `version ${mark}` : "no known version"} instead of ${manifest.version}`,
    );
  }
  return found;
}

const ELF = { 62: "x64", 183: "arm64" };
const MACH_O = { 16777223: "x64", 16777228: "arm64" };
const PE = { 34404: "x64", 43620: "arm64" };

/** Which system a library is for, as in `linux-x64`, from its first bytes. */
function systemOf(bytes) {
  if (bytes.length < 64) return undefined;
  if (bytes.readUInt32BE(0) === 0x7f454c46) return named("linux", ELF[bytes.readUInt16LE(18)]);
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return named("darwin", MACH_O[bytes.readUInt32LE(4)]);
  if (bytes.toString("latin1", 0, 2) === "MZ") {
    const header = bytes.readUInt32LE(60);
    return header + 6 <= bytes.length ? named("win32", PE[bytes.readUInt16LE(header + 4)]) : undefined;
  }
  return undefined;
}

const named = (os, cpu) => (cpu === undefined ? undefined : `${os}-${cpu}`);

/** All texts in a nest of objects. */
function strings(value) {
  if (typeof value === "string") return [value];
  return Object.values(value ?? {}).flatMap(strings);
}

const isFile = (path) => existsSync(path) && statSync(path).isFile() && statSync(path).size > 0;
const read = (folder, file) => JSON.parse(readFileSync(join(folder, file), "utf8"));

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const found = problems(process.cwd());
  for (const problem of found) console.error(`firstbad is not packed: ${problem}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
