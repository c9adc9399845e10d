// The licences of what is compiled into a binary: they ask for their texts to go along with it.
//
//   node packaging/third-party.mjs firstbad-python x86_64-unknown-linux-gnu FILE
//
// writes them into a file, for the binary of a crate on a target.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const TEXT = /^(licen[cs]e|copying|notice|unlicense|copyright)/i;
const RULE = `\n${"-".repeat(80)}\n\n`;

/** The crates in the binary that `binary` is made into for a target, each with its licence, and the texts, each once. */
export function thirdParty(binary, triple) {
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  const args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", triple];
  const metadata = JSON.parse(execFileSync("cargo", args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 }));
  const crates = linked(metadata, binary).filter((crate) => crate.source !== null);
  const texts = new Map();
  for (const crate of crates) {
    for (const text of textsOf(crate)) {
      const key = createHash("sha256").update(text.replace(/\s+/g, " ")).digest("hex");
      texts.set(key, { text, of: [...(texts.get(key)?.of ?? []), `${crate.name} ${crate.version}`] });
    }
  }
  const list = crates.map(({ name, version, license }) => `${name} ${version}: ${license ?? "the text below"}`);
  const head =
    "This binary contains the crates of Rust that are listed here, under the licences named, and the standard library of Rust\n" +
    "(MIT OR Apache-2.0). Below are the texts that come with them; some come with none.\n\n";
  const bodies = [...texts.values()].map(({ text, of }) => `${of.join(", ")}\n\n${text.trim()}\n`);
  return `${head}${list.join("\n")}\n${RULE}${bodies.join(RULE)}`;
}

/** What is compiled into the binary itself, sorted by name: not what only builds it. */
function linked({ packages, resolve }, binary) {
  const crates = new Map(packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const seen = new Set();
  const open = packages.filter((crate) => crate.name === binary).map((crate) => crate.id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const needed = nodes.get(id).deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null));
    open.push(...needed.map((dep) => dep.pkg).filter((pkg) => !isMacro(crates.get(pkg))));
  }
  return [...seen].map((id) => crates.get(id)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isMacro = (crate) => crate.targets.some((target) => target.kind.includes("proc-macro"));

function textsOf(crate) {
  const folder = dirname(crate.manifest_path);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && TEXT.test(entry.name));
  return files.map((entry) => readFileSync(join(folder, entry.name), "utf8"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [binary, triple, file] = process.argv.slice(2);
  if (file === undefined) throw new Error("expected a crate, a target and a file");
  writeFileSync(file, thirdParty(binary, triple));
}
