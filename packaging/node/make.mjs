// Makes the npm packages: `firstbad` without a binary, and one package for each platform, with versions locked to each other.
//
//   node packaging/node/make.mjs --artifacts FOLDER --out FOLDER [--targets TRIPLE,... | --here] [--repository URL]
//
// The artifacts are the `binding.*.node` files that `npm run build:binding` makes. With fewer targets than package.json has
// (`--here`: with that of this platform), the package is private: it can be tried and not published. The address of the
// repository goes into every package; the release gives the one that it runs in, for npm compares it with the provenance.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { problems } from "../../node/scripts/check-package.mjs";
import { platforms } from "../../node/scripts/platforms.mjs";
import { thirdParty } from "../third-party.mjs";
import { thisPlatform } from "./this-platform.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const node = join(root, "node");
const LICENCES = ["LICENSE-MIT", "LICENSE-APACHE"];
const SYSTEMS = { linux: "Linux", darwin: "macOS", win32: "Windows" };

const linked = (triple) => thirdParty("firstbad-node", triple);

/** Stages the packages in `folder`, checks them, and returns the platforms. Throws if a file is missing. */
export async function stage(folder, { artifacts, targets, repository, licences = linked }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "scripts"), { recursive: true });
  for (const name of ["bin", "dist"]) {
    cpSync(join(node, name), join(folder, name), { recursive: true, filter: (file) => !file.endsWith(".node") });
  }
  copyFileSync(join(node, "README.md"), join(folder, "README.md"));
  copyFileSync(join(node, "scripts/check-package.mjs"), join(folder, "scripts/check-package.mjs"));
  for (const name of LICENCES) copyFileSync(join(root, name), join(folder, name));
  const manifest = published(read(join(node, "package.json")), targets, repository);
  write(join(folder, "package.json"), manifest);
  await withBinaries(folder, resolve(artifacts));
  const all = platforms(manifest);
  for (const platform of all) complete(join(folder, "npm", platform.name), platform, licences);
  for (const name of readdirSync(folder)) if (name.endsWith(".node")) rmSync(join(folder, name));
  const found = problems(folder);
  if (found.length > 0) throw new Error(`the packages are not whole:\n${found.join("\n")}`);
  return all;
}

/** Returns the manifest without development fields. */
function published({ devDependencies, scripts, ...manifest }, targets, repository) {
  manifest.scripts = { prepack: scripts.prepack };
  if (targets !== undefined) {
    const unknown = targets.filter((target) => !manifest.napi.targets.includes(target));
    if (unknown.length > 0) throw new Error(`targets: ${unknown} is not among napi.targets of node/package.json`);
    if (targets.length < manifest.napi.targets.length) manifest.private = true;
    manifest.napi.targets = targets;
  }
  if (repository !== undefined) {
    manifest.homepage = `${repository}#readme`;
    manifest.bugs = { url: `${repository}/issues` };
    manifest.repository = { type: "git", url: `git+${repository}.git`, directory: "node" };
  }
  return manifest;
}

/** Does the work of napi: a folder for each platform, the binaries, and the main package's `optionalDependencies`. */
async function withBinaries(cwd, outputDir) {
  const { NapiCli } = createRequire(join(node, "package.json"))("@napi-rs/cli");
  const cli = new NapiCli();
  await cli.createNpmDirs({ cwd, npmDir: "npm" });
  await cli.artifacts({ cwd, npmDir: "npm", outputDir });
  await cli.prePublish({ cwd, npmDir: "npm", ghRelease: false, skipOptionalPublish: true });
}

/** Adds the licenses, including those of compiled code, and a README. */
function complete(folder, { package: name, triple, os, cpu, libc, file }, licences) {
  for (const licence of LICENCES) copyFileSync(join(root, licence), join(folder, licence));
  const manifest = read(join(folder, "package.json"));
  manifest.description = `The binary of firstbad for ${SYSTEMS[os]} on ${cpu}${libc ? ` (${libc})` : ""}`;
  manifest.files = [file, ...LICENCES, "THIRD-PARTY-LICENSES.txt"];
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), licences(triple));
  manifest.type = "commonjs";
  write(join(folder, "package.json"), manifest);
  const text = `# ${name}\n\n${manifest.description}. npm installs it together with \`firstbad\`, which finds the commit that broke a
test; by itself it is of no use. Licensed under MIT or Apache-2.0, as you like.\n`;
  writeFileSync(join(folder, "README.md"), text);
}

/** Packs the staged packages. The main package is the last, so that the others exist when it is published. */
export function pack(folder, all, out) {
  mkdirSync(out, { recursive: true });
  const folders = [...all.map((platform) => join(folder, "npm", platform.name)), folder];
  return folders.map((cwd) => {
    const args = ["pack", "--json", "--pack-destination", resolve(out)];
    const printed = execFileSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
    const [{ filename, size, unpackedSize }] = JSON.parse(printed.slice(printed.indexOf("[")));
    return { file: join(resolve(out), filename), size, unpackedSize };
  });
}

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: {
      artifacts: { type: "string", default: join(node, "src") },
      out: { type: "string" },
      targets: { type: "string" },
      here: { type: "boolean", default: false },
      repository: { type: "string" },
    },
  });
  if (values.out === undefined) throw new Error("--out: expected the folder for the packages");
  const folder = resolve(values.out, "firstbad");
  const targets = values.here ? [thisPlatform().triple] : values.targets?.split(",");
  const all = await stage(folder, { ...values, targets });
  for (const { file, size, unpackedSize } of pack(folder, all, values.out)) {
    console.log(`${file}: ${(size / 1e6).toFixed(2)} MB packed, ${(unpackedSize / 1e6).toFixed(2)} MB unpacked`);
  }
}
