// packaging/node/make.mjs builds the published package, and checks it before packing.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { problems } from "../../node/scripts/check-package.mjs";
import { manifest, platforms } from "../../node/scripts/platforms.mjs";
import { stage } from "../../packaging/node/make.mjs";
import { thirdParty } from "../../packaging/third-party.mjs";
import { packageFile } from "./support.mjs";

const all = platforms(manifest);
const licences = (triple) => `The licences for ${triple}\n`;
let folder;
let whole;

/** Returns the first bytes of a library for a system, and the marker of our libraries. */
function library({ os, cpu }, mark = `firstbad binding ${manifest.version};`) {
  const bytes = Buffer.alloc(256);
  const x64 = cpu === "x64";
  if (os === "linux") {
    bytes.writeUInt32BE(0x7f454c46, 0);
    bytes.writeUInt16LE(x64 ? 62 : 183, 18);
  } else if (os === "darwin") {
    bytes.writeUInt32LE(0xfeedfacf, 0);
    bytes.writeUInt32LE(x64 ? 0x01000007 : 0x0100000c, 4);
  } else {
    bytes.write("MZ");
    bytes.writeUInt32LE(128, 60);
    bytes.write("PE", 128);
    bytes.writeUInt16LE(x64 ? 0x8664 : 0xaa64, 132);
  }
  bytes.write(mark, 160);
  return bytes;
}

function artifacts(name, platforms = all) {
  const place = join(folder, name);
  mkdirSync(place);
  for (const platform of platforms) writeFileSync(join(place, platform.file), library(platform));
  return place;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "firstbad-check-package-"));
  whole = join(folder, "whole");
  const repository = "https://git.example.org/firstbad";
  await stage(whole, { artifacts: artifacts("artifacts"), repository, licences });
});

after(() => rmSync(folder, { recursive: true, force: true }));

const read = (...names) => JSON.parse(readFileSync(join(...names), "utf8"));

test("one package without a binary, and one for each platform, of the same version", () => {
  const main = read(whole, "package.json");
  const locked = Object.fromEntries(all.map((platform) => [platform.package, manifest.version]));
  assert.deepEqual(main.optionalDependencies, locked);
  assert.deepEqual(Object.keys(main.dependencies), ["acorn"]);
  assert.equal(main.devDependencies, undefined);
  assert.equal(main.private, undefined);
  assert.deepEqual(main.bugs, { url: "https://git.example.org/firstbad/issues" });
  assert.deepEqual(
    readdirSync(join(whole, "dist")).filter((name) => name.endsWith(".node")),
    [],
  );
  for (const { name, os, cpu, libc, package: packageName, file } of all) {
    const own = read(whole, "npm", name, "package.json");
    assert.deepEqual([own.name, own.version, own.main], [packageName, manifest.version, file]);
    assert.deepEqual([own.os, own.cpu, own.libc], [[os], [cpu], libc && [libc]]);
    assert.deepEqual(own.repository, main.repository);
    assert.deepEqual(own.engines, manifest.engines);
    assert.deepEqual(own.files, [file, "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-LICENSES.txt"]);
    assert.match(readFileSync(join(whole, "npm", name, "README.md"), "utf8"), new RegExp(`^# ${packageName}\n`));
  }
});

/** Returns the problems of the whole package after a change. */
function problemsAfter(change) {
  const place = mkdtempSync(join(folder, "broken-"));
  cpSync(whole, place, { recursive: true });
  change(place);
  return problems(place);
}

const edit = (file, change) => writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")))));
const linux = all[0];
const binary = (place) => join(place, "npm", linux.name, linux.file);

const BROKEN = {
  "no dist": [
    (place) => rmSync(join(place, "dist"), { recursive: true }),
    /^\.\/dist\/index\.js: is not there; npm run build$/,
  ],
  "a module of the exports is missing": [
    (place) => rmSync(join(place, "dist/reporters/jest.js")),
    /^\.\/dist\/reporters\/jest\.js: /,
  ],
  "the program is missing": [(place) => rmSync(join(place, "bin/firstbad.js")), /^\.\/bin\/firstbad\.js: is not there/],
  "a licence is missing": [(place) => rmSync(join(place, "LICENSE-MIT")), /^firstbad: LICENSE-MIT is not there$/],
  "a licence of a platform is missing": [
    (place) => rmSync(join(place, "npm", linux.name, "LICENSE-APACHE")),
    /^firstbad-linux-x64-gnu: LICENSE-APACHE is not there$/,
  ],
  "a licence of a platform would not be packed": [
    (place) => edit(join(place, "npm", linux.name, "package.json"), (own) => ({ ...own, files: [linux.file] })),
    /^firstbad-linux-x64-gnu: LICENSE-MIT is not among its files$/,
  ],
  "a platform's package is missing": [
    (place) => rmSync(join(place, "npm", linux.name), { recursive: true }),
    /^firstbad-linux-x64-gnu: npm\/linux-x64-gnu\/package\.json is not there$/,
  ],
  "a platform is not among the optional dependencies": [
    (place) =>
      edit(
        join(place, "package.json"),
        ({ optionalDependencies: { [linux.package]: _, ...optionalDependencies }, ...rest }) => ({
          ...rest,
          optionalDependencies,
        }),
      ),
    /^optionalDependencies: 7 packages with a binary, and napi\.targets names 8; /,
  ],
  "a platform's package is of another version": [
    (place) => edit(join(place, "npm", linux.name, "package.json"), (own) => ({ ...own, version: "0.0.9" })),
    /^npm\/linux-x64-gnu\/package\.json: firstbad-linux-x64-gnu is of version 0\.0\.9 instead of \d/,
  ],
  "versions are not locked": [
    (place) =>
      edit(join(place, "package.json"), (main) => ({
        ...main,
        optionalDependencies: { ...main.optionalDependencies, [linux.package]: `^${manifest.version}` },
      })),
    /^optionalDependencies: firstbad-linux-x64-gnu is of version \^\d/,
  ],
  "a binary is missing": [(place) => rmSync(binary(place)), /: binding\.linux-x64-gnu\.node is not there$/],
  "a binary is of another version": [
    (place) => writeFileSync(binary(place), library(linux, "firstbad binding 0.0.9;")),
    /^firstbad-linux-x64-gnu: binding\.linux-x64-gnu\.node is of version 0\.0\.9 instead of \d/,
  ],
  "a binary says no version": [
    (place) => writeFileSync(binary(place), library(linux, "")),
    /is of no known version instead of/,
  ],
  "a binary is for another processor": [
    (place) => writeFileSync(binary(place), library({ os: "linux", cpu: "arm64" })),
    /binding\.linux-x64-gnu\.node is for linux-arm64 instead of linux-x64$/,
  ],
  "a binary is none": [
    (place) => writeFileSync(binary(place), "no library"),
    /is for no system that is known instead of linux-x64$/,
  ],
  "a binary lies in the main package": [
    (place) => writeFileSync(join(place, "dist/binding.x.node"), ""),
    /^dist\/binding\.x\.node: a binary belongs into the package of its platform$/,
  ],
};

test("a complete package has no findings", () => {
  assert.deepEqual(
    problemsAfter(() => {}),
    [],
  );
});

for (const [name, [change, expected]] of Object.entries(BROKEN)) {
  test(`rejected: ${name}`, () => {
    const said = problemsAfter(change);
    assert.ok(
      said.some((problem) => expected.test(problem)),
      said.join("\n"),
    );
  });
}

test("a binary has the licenses of its crates", () => {
  const text = thirdParty("firstbad-node", linux.triple);
  for (const name of ["libsqlite3-sys", "napi", "serde_json", "tree-sitter"]) {
    assert.match(text, new RegExp(`^${name} \\d[\\w.+]*: \\S`, "m"), name);
  }
  assert.match(text, /Permission is hereby granted, free of charge/);
  assert.doesNotMatch(text, /^(firstbad|proptest|napi-build|serde_derive|windows-sys) /m);
});

test("packages need the binaries of all platforms", async () => {
  const some = artifacts("some", all.slice(1));
  await assert.rejects(stage(join(folder, "some-out"), { artifacts: some, licences }), /x86_64-unknown-linux-gnu/);
});

test("a package with fewer platforms can be tried but not published", async () => {
  const place = join(folder, "one-out");
  await stage(place, { artifacts: artifacts("one", [linux]), targets: [linux.triple], licences });
  const main = read(place, "package.json");
  assert.equal(main.private, true);
  assert.deepEqual(Object.keys(main.optionalDependencies), [linux.package]);
  await assert.rejects(
    stage(place, { artifacts: folder, targets: ["sparc-sun-solaris"], licences }),
    /sparc-sun-solaris is not among/,
  );
});

test("npm does not pack the development tree", () => {
  const cwd = fileURLToPath(new URL(".", packageFile));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/check-package.mjs"], { cwd, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^firstbad is not packed: dist\/binding\..*\.node: a binary belongs into the package of its platform$/m,
  );
  assert.match(
    stderr,
    /optionalDependencies: 0 packages with a binary, and napi\.targets names 8; packaging\/node\/make\.mjs/,
  );
  assert.equal(read(cwd, "package.json").scripts.prepack, "node scripts/check-package.mjs");
});

test("the local binary reports its version", () => {
  const dist = new URL("dist/", packageFile);
  const [name] = readdirSync(dist).filter((name) => name.endsWith(".node"));
  assert.ok(readFileSync(new URL(name, dist)).includes(`firstbad binding ${manifest.version};`));
  const print = "console.log(require('./dist/binding.js').version())";
  const cwd = fileURLToPath(new URL(".", packageFile));
  assert.equal(execFileSync(process.execPath, ["-e", print], { cwd, encoding: "utf8" }).trim(), manifest.version);
});
