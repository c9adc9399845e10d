// Writes the licenses of the crates in a binary, and its software bill of materials.
//
//   node packaging/third-party.mjs firstbad-python x86_64-unknown-linux-gnu LICENCES [SBOM]
//
// writes both files for the binary of a crate on a target.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const TEXT = /^(licen[cs]e|copying|notice|unlicense|copyright)/i;
const RULE = `\n${"-".repeat(80)}\n\n`;

/** Returns the crates in a binary for a target with their licenses, and the distinct license texts. */
export function thirdParty(binary, triple) {
  const crates = linked(binary, triple).filter((crate) => !crate.isOurs);
  const texts = new Map();
  for (const crate of crates) {
    for (const text of textsOf(crate)) {
      const key = createHash("sha256").update(text.replace(/\s+/g, " ")).digest("hex");
      texts.set(key, { text, of: [...(texts.get(key)?.of ?? []), `${crate.name} ${crate.version}`] });
    }
  }
  const list = crates.map(({ name, version, license }) => `${name} ${version}: ${license ?? "the text below"}`);
  const head =
    "This binary contains the following Rust crates under the given licenses, and the Rust standard library\n" +
    "(MIT OR Apache-2.0). The license texts of the crates follow. If a crate offers a choice that includes MIT, the text is\n" +
    "that of MIT. Some crates have no license text.\n\n";
  // Texts of similar length are often similar, so this order compresses well.
  const sorted = [...texts.values()].sort((a, b) => a.text.length - b.text.length);
  const bodies = sorted.map(({ text, of }) => `${of.join(", ")}\n\n${text.trim()}\n`);
  return `${head}${list.join("\n")}\n${RULE}${bodies.join(RULE)}`;
}

/** Returns a software bill of materials in the CycloneDX format, including our crates and all dependencies. */
export function bill(binary, triple) {
  const crates = linked(binary, triple);
  const url = ({ name, version }) => `pkg:cargo/${name}@${version}`;
  const component = (crate) => ({
    type: "library",
    "bom-ref": url(crate),
    name: crate.name,
    version: crate.version,
    purl: url(crate),
    ...(crate.license && { licenses: [{ expression: crate.license.replaceAll("/", " OR ") }] }),
  });
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: component(crates.find((crate) => crate.name === binary)) },
    components: crates.filter((crate) => crate.name !== binary).map(component),
    dependencies: crates.map((crate) => ({ ref: url(crate), dependsOn: crate.needs.map(url) })),
  };
}

/** Returns the crates that are linked into the binary, sorted by name, without build dependencies. */
function linked(binary, triple) {
  const metadata = JSON.parse(cargo("metadata", "--format-version", "1", "--locked", "--filter-platform", triple));
  const known = new Map(metadata.packages.map((crate) => [`${crate.name} ${crate.version}`, crate]));
  // Only `cargo tree` omits crates of unused features.
  const edges = ["--edges", "normal,no-proc-macro", "--prefix", "depth", "--format", " {p}"];
  const tree = cargo("tree", "--locked", "--package", binary, "--target", triple, ...edges);
  const crates = new Map();
  const above = [];
  for (const line of tree.trim().split("\n")) {
    const [depth, name, version] = line.split(" ");
    const key = `${name} ${version.slice(1)}`;
    const { license, source, manifest_path: manifest } = known.get(key);
    const crate = { name, version: version.slice(1), license, manifest, isOurs: source === null, needs: [] };
    if (!crates.has(key)) crates.set(key, crate);
    above[depth] = crates.get(key);
    const needs = depth > 0 ? above[depth - 1].needs : [];
    if (depth > 0 && !needs.includes(above[depth])) needs.push(above[depth]);
  }
  const order = ({ name, version }) => `${name} ${version}`;
  return [...crates.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function cargo(...args) {
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  return execFileSync("cargo", args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
}

function textsOf(crate) {
  const folder = dirname(crate.manifest);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && TEXT.test(entry.name));
  // If there is a choice, use MIT, which is the shortest.
  const isFree = /(^|(\/| OR ))MIT(\/| OR |$)/.test(crate.license ?? "");
  const chosen = files.filter((entry) => isFree && /[-.]mit\b/i.test(entry.name));
  return (chosen.length > 0 ? chosen : files).map((entry) => readFileSync(join(folder, entry.name), "utf8"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [binary, triple, licences, sbom] = process.argv.slice(2);
  if (licences === undefined) throw new Error("expected a crate, a target and a file");
  writeFileSync(licences, thirdParty(binary, triple));
  if (sbom !== undefined) writeFileSync(sbom, JSON.stringify(bill(binary, triple)));
}
