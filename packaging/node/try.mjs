// Tries the npm packages as users get them: installs the tarballs into empty projects with no compiler in reach, and uses them
// there.
//
//   node packaging/node/try.mjs --tarballs FOLDER [--runtime NAME=PROGRAM ...] [--without-checks]
//
// Of the tarballs in the folder those for this platform are tried; none may be too large. The small programs in smoke/ are run
// by this Node, by Bun and by Deno; with `--runtime node24=PATH` by that program, too. --without-checks leaves out what needs
// `npm ci` in this folder: Bun, Deno, publint, are-the-types-wrong and the compilers of TypeScript.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { manifest } from "../../node/scripts/platforms.mjs";
import { Project } from "./project.mjs";
import { thisPlatform } from "./this-platform.mjs";

/** The maximum size of a packed package, in bytes. */
const LARGEST = 6_000_000;

const here = fileURLToPath(new URL(".", import.meta.url));
const { values } = parseArgs({
  options: {
    tarballs: { type: "string" },
    runtime: { type: "string", multiple: true, default: [] },
    "without-checks": { type: "boolean", default: false },
  },
});
const platform = thisPlatform();
if (values.tarballs === undefined) throw new Error("--tarballs: expected the folder with the packages");
const [main, own] = given(resolve(values.tarballs));

step("installed with npm, used with node", (project) => {
  project.checkPath();
  project.install(main, own);
  for (const name of ["firstbad", platform.package]) {
    if (project.installed(name).version !== manifest.version) throw new Error(`${name} is of another version`);
  }
  smoke(project, process.execPath, []);
  const version = project.run("npx", ["--no-install", "firstbad", "--version"]);
  if (version !== `firstbad ${manifest.version}`) throw new Error(`firstbad --version printed ${version}`);
  facts(project);
  project.remove(platform.package);
  project.run(process.execPath, ["smoke/missing.cjs", platform.package]);
});

const others = values["without-checks"]
  ? []
  : ["bun", "deno"].map((name) => `${name}=${join(here, "node_modules/.bin", name)}`);
for (const given of [...others, ...values.runtime]) {
  const [name, program] = [given.slice(0, given.indexOf("=")), resolve(given.slice(given.indexOf("=") + 1))];
  step(`installed with npm, used with ${name}`, (project) => {
    project.install(main, own);
    smoke(project, program, name === "deno" ? ["run", "--allow-all"] : []);
  });
}

if (!values["without-checks"]) {
  const tool = (name, script) => join(here, "node_modules", name, script);
  step("publint", () => {
    for (const file of [main, own]) run(tool("publint", "src/cli.js"), ["--strict", file]);
  });
  step("are the types wrong", () => {
    // Module resolution without `exports` finds only the main entry.
    run(tool("@arethetypeswrong/cli", "dist/index.js"), [main, "--profile", "node16", "--no-emoji"]);
  });
  for (const typescript of ["typescript-5.4", "typescript-5.9", "typescript-7"]) {
    step(`compiled with ${typescript}, skipLibCheck off`, (project) => compile(project, tool(typescript, "bin/tsc")));
  }
}

/** Runs the small programs and the command line with a runtime. */
function smoke(project, runtime, args) {
  project.add("smoke");
  const { cwd, broken } = project.repository();
  for (const program of ["esm.mjs", "cjs.cjs", "workers.mjs", "reporters.cjs"]) {
    project.run(runtime, [...args, `smoke/${program}`]);
  }
  const found = project.run(runtime, [...args, "smoke/repository.mjs", cwd]);
  if (found !== broken) throw new Error(`found ${found} instead of ${broken}`);
  const options = ["-C", cwd, "--good", "v1.0", "--bad", "main", "--quiet"];
  const command = ["run", ...options, "--", "git", "grep", "-q", "good", "--", "state.txt"];
  const said = project.run(runtime, [...args, "node_modules/firstbad/bin/firstbad.js", ...command]);
  if (!said.includes(broken.slice(0, 12))) throw new Error(`firstbad run printed ${said}`);
}

/** Tests the facts of `node --import firstbad/facts` about a function. */
function facts(project) {
  const [definitions, signals] = ["definitions.json", "signals.json"].map((name) => join(project.folder, name));
  writeFileSync(definitions, JSON.stringify([{ file: "smoke/traced.mjs", name: "total" }]));
  const oracle = { FIRSTBAD_WORKTREE: project.folder, FIRSTBAD_DEFINITIONS: definitions, FIRSTBAD_SIGNALS: signals };
  project.run(process.execPath, ["--import", "firstbad/facts", "smoke/facts.mjs"], oracle);
  const said = readFileSync(signals, "utf8");
  if (!said.includes('"total"')) throw new Error(`firstbad/facts wrote ${said}`);
}

/** Compiles a TypeScript project with both kinds of module resolution. */
function compile(project, tsc) {
  project.install(main, own);
  project.add("types");
  const types = join(here, "node_modules", "@types");
  const common = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "false",
    "--target",
    "es2022",
    "--typeRoots",
    types,
    "--types",
    "node",
  ];
  const nodenext = ["--module", "nodenext", "types/consumer.mts", "types/consumer.cts"];
  const bundler = ["--module", "esnext", "--moduleResolution", "bundler", "types/consumer.mts"];
  for (const how of [nodenext, bundler]) project.run(process.execPath, [tsc, ...common, ...how]);
}

/** Returns the tarballs of a release for this platform. */
function given(folder) {
  const wanted = [manifest.name, platform.package].map((name) => `${name}-${manifest.version}.tgz`);
  const there = readdirSync(folder);
  const missing = wanted.filter((name) => !there.includes(name));
  if (missing.length > 0) throw new Error(`--tarballs: ${missing} is not in ${folder}`);
  for (const name of there.filter((name) => name.endsWith(".tgz"))) {
    const { size } = statSync(join(folder, name));
    if (size > LARGEST) throw new Error(`${name} is too large: ${size} bytes, and at most ${LARGEST}`);
  }
  return wanted.map((name) => join(folder, name));
}

function run(script, args) {
  try {
    execFileSync(process.execPath, [script, ...args], { encoding: "utf8" });
  } catch (error) {
    throw new Error(`${script} ${args.join(" ")}:\n${error.stdout}${error.stderr}`);
  }
}

function step(what, action) {
  const began = performance.now();
  const project = new Project();
  try {
    action(project);
  } finally {
    project.close();
  }
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
