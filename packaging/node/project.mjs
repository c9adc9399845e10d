// An empty user project with the packages installed from their tarballs, and without a compiler.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const windows = process.platform === "win32";
const COMPILERS = ["cc", "gcc", "clang", "cl", "link", "rustc", "cargo", "zig", "make", "cmake", "python3-config"];

export class Project {
  /** The folder, without symbolic links in its path. */
  folder = realpathSync(mkdtempSync(join(tmpdir(), "firstbad-project-")));
  #environment;

  constructor() {
    this.#environment = { ...process.env, PATH: this.#path() };
    // On Windows, names of variables ignore case, and two variants would both be passed on.
    if (windows)
      for (const name of Object.keys(process.env))
        if (/^path$/i.test(name) && name !== "PATH") delete this.#environment[name];
    for (const name of ["CC", "CXX", "CARGO_HOME", "RUSTUP_HOME", "NAPI_RS_NATIVE_LIBRARY_PATH"])
      delete this.#environment[name];
    writeFileSync(join(this.folder, "package.json"), '{ "name": "project", "private": true }\n');
  }

  /** Returns a path with only Node, npm, Git, and the system's programs. */
  #path() {
    if (windows) {
      const kept = process.env.PATH.split(delimiter).filter((folder) => !reaches(folder, COMPILERS));
      return kept.join(delimiter);
    }
    const bin = join(this.folder, ".programs");
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, "node"));
    for (const name of ["npm", "npx", "git", "sh"]) symlinkSync(found(name), join(bin, name));
    return bin;
  }

  /** Fails if a compiler is on the path. */
  checkPath() {
    const there = this.#environment.PATH.split(delimiter).filter((folder) => reaches(folder, COMPILERS));
    if (there.length > 0) throw new Error(`a compiler is in reach, in ${there}`);
  }

  install(...tarballs) {
    this.run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...tarballs]);
  }

  /** Runs a command in this project and returns its output. Throws if the exit code is not 0. */
  run(command, args, environment = {}) {
    const env = { ...this.#environment, ...environment };
    // npm and npx are batch files on Windows.
    const shell = windows && !command.endsWith(".exe");
    const done = spawnSync(command, args, { cwd: this.folder, env, encoding: "utf8", shell });
    if (done.error) throw done.error;
    if (done.status === 0) return done.stdout.trim();
    throw new Error(
      `${[command, ...args].join(" ")} ended with ${done.status ?? done.signal}:\n${done.stdout}${done.stderr}`,
    );
  }

  /** Copies the test programs into the project, so that they resolve the installed packages. */
  add(folder) {
    cpSync(fileURLToPath(new URL(`${folder}/`, import.meta.url)), join(this.folder, folder), { recursive: true });
  }

  /**
   * Creates a repository with five commits, the third of which breaks the test, and the tag v1.0. Returns the hash of
   * the third.
   */
  repository() {
    const cwd = join(this.folder, "repository");
    mkdirSync(cwd);
    const git = (...args) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" }).trim();
    git("init", "--quiet", "--initial-branch=main");
    for (const [place, state] of ["good", "good, too", "bad", "worse", "worst"].entries()) {
      writeFileSync(join(cwd, "state.txt"), `${state}\n`);
      git("add", ".");
      git("commit", "--quiet", "--message", state);
      if (place === 0) git("tag", "v1.0");
    }
    return { cwd, broken: git("rev-parse", "main~2") };
  }

  installed(name) {
    return JSON.parse(readFileSync(join(this.folder, "node_modules", name, "package.json"), "utf8"));
  }

  remove(name) {
    rmSync(join(this.folder, "node_modules", name), { recursive: true });
  }

  close() {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the path of a program. */
function found(name) {
  const folder = process.env.PATH.split(delimiter).find((folder) => existsSync(join(folder, name)));
  if (folder === undefined) throw new Error(`${name}: is not in PATH`);
  return join(folder, name);
}

function reaches(folder, names) {
  const endings = windows ? [".exe", ".cmd", ".bat"] : [""];
  return names.some((name) => endings.some((ending) => existsSync(join(folder, name + ending))));
}
