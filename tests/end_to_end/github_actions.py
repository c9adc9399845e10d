"""As much of GitHub Actions as docs/ci needs: what a workflow says is done, each step in a process of its own.

Whatever it does not know is an error, so that a recipe cannot come to rely on something that nothing tries.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml
from ci_machine import Tools, clone
from situations import git

ROOT = Path(__file__).parents[2]
# Where a repository has a copy of action.yml, and what is not ours, by digest.
OURS = "./.github/actions/firstbad"
CHECKOUT = "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683"
UPLOAD = "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02"
DOWNLOAD = "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093"

TOKEN = re.compile(r"\s*(?:(&&|\|\||==|!=|!|\(|\)|\[|\]|\.|,)|'((?:[^']|'')*)'|(\d+)|([A-Za-z_][\w-]*))")


class Cancelled(Exception):
    """The run was cancelled."""


class Expression:
    """One `${{ ... }}`."""

    def __init__(self, text: str, contexts: dict[str, Any]) -> None:
        self.contexts = contexts
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text.rstrip()):
            found = TOKEN.match(text, place)
            assert found, f"cannot read {text[place:]!r}"
            kinds = ("sign", "string", "number", "name")
            self.tokens += [(kind, word) for kind, word in zip(kinds, found.groups(), strict=True) if word is not None]
            place = found.end()

    def value(self) -> Any:
        value = self.either()
        assert not self.tokens, self.tokens
        return value

    def take(self, *signs: str) -> str | None:
        if self.tokens and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs:
            return self.tokens.pop(0)[1]
        return None

    def either(self) -> Any:
        left = self.both()
        while self.take("||"):
            right = self.both()
            left = left or right
        return left

    def both(self) -> Any:
        left = self.equal()
        while self.take("&&"):
            right = self.equal()
            left = left and right
        return left

    def equal(self) -> Any:
        left = self.single()
        while sign := self.take("==", "!="):
            left = (left == self.single()) == (sign == "==")
        return left

    def single(self) -> Any:
        if self.take("!"):
            return not self.single()
        if self.take("("):
            value = self.either()
            assert self.take(")")
            return value
        kind, word = self.tokens.pop(0)
        if kind in ("string", "number"):
            return word.replace("''", "'") if kind == "string" else int(word)
        assert kind == "name", word
        if word in ("null", "true", "false"):
            return json.loads(word)
        if self.take("("):
            given = [] if self.take(")") else [self.either()]
            assert not given or self.take(")")
            value = self.contexts["functions"][word](*given)
        else:
            value = self.contexts[word]
        while sign := self.take(".", "["):
            key = self.tokens.pop(0)[1] if sign == "." else self.either()
            assert sign == "." or self.take("]")
            # What is not there is null.
            if isinstance(value, list):
                value = value[key] if key < len(value) else None
            else:
                value = None if value is None else value.get(key)
        return value


def fill(value: Any, contexts: dict[str, Any]) -> Any:
    """A value of the workflow with its expressions evaluated."""
    if not isinstance(value, str):
        return value
    whole = re.fullmatch(r"\$\{\{(.*)\}\}", value.strip(), re.DOTALL)
    if whole and "${{" not in whole[1]:
        return Expression(whole[1], contexts).value()
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: text(Expression(found[1], contexts).value()), value)


def text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    return value if isinstance(value, str) else json.dumps(value)


@dataclass
class Run:
    """One run of the workflow."""

    number: str
    inputs: dict[str, str]
    results: dict[str, str] = field(default_factory=dict)
    summary: str = ""


@dataclass
class Service:
    """The service: repository, workflow, and what it keeps of each run."""

    workflow: Path
    repository: Path
    folder: Path
    # Matrix jobs that the machine loses, by run and place; and runs that are cancelled after so many matrix jobs.
    lost: set[tuple[int, int]] = field(default_factory=set)
    cancelled: dict[int, int] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    # The commit of each run.
    heads: dict[str, str] = field(default_factory=dict)
    # What the job's token may do.
    allowed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.plan = yaml.safe_load(self.workflow.read_text())
        self.tools = Tools.make(self.folder / "tools")
        (self.tools.folder / "calls" / "runs.json").write_text("[]")
        # YAML reads "on" as a truth value.
        self.declared = (self.plan[True]["workflow_dispatch"] or {"inputs": {}})["inputs"]

    def dispatch(self, given: dict[str, str]) -> Run:
        """Starts the workflow, and every run that it starts in turn; the last one."""
        pending: dict[str, str] | None = given
        while pending is not None:
            assert len(self.runs) < 30, "no end\n" + "".join(self.tools.log[-30:])
            run = self.start(pending)
            call = self.tools.folder / "calls" / run.number
            pending = self.called(call.read_text().splitlines()) if call.exists() else None
        return run

    def called(self, words: list[str]) -> dict[str, str]:
        assert words[:5] == ["workflow", "run", self.workflow.name, "--ref", "main"], words
        assert all(flag == "-f" for flag in words[5::2])
        tell = self.plan["jobs"]["tell"]["permissions"]
        assert tell["actions"] == "write", "or the token may not start a run"
        return dict(word.split("=", 1) for word in words[6::2])

    def start(self, given: dict[str, str]) -> Run:
        assert set(given) <= set(self.declared)
        missing = [name for name, about in self.declared.items() if about.get("required") and not given.get(name)]
        assert not missing, missing
        inputs = {name: given.get(name, about.get("default", "")) for name, about in self.declared.items()}
        assert all(isinstance(value, str) for value in inputs.values()), "inputs are texts"
        run = Run(str(1000 + len(self.runs)), inputs)
        self.runs.append(run)
        assert set(self.plan) <= {"name", "run-name", True, "permissions", "concurrency", "defaults", "env", "jobs"}
        assert self.plan["defaults"] == {"run": {"shell": "bash"}}
        outputs: dict[str, dict[str, str]] = {}
        for name, job in self.plan["jobs"].items():
            self.job(run, name, job, outputs)
        self.ended()
        return run

    def ended(self) -> None:
        """Lists the runs for `gh`."""
        head = git(self.repository, "rev-parse", "HEAD").strip()
        self.heads.setdefault(self.runs[-1].number, head)
        runs = [
            {
                "databaseId": int(run.number),
                "headSha": self.heads[run.number],
                "status": "success" if set(run.results.values()) <= {"success", "skipped"} else "failure",
            }
            for run in self.runs
        ]
        (self.tools.folder / "calls" / "runs.json").write_text(json.dumps(runs))

    def artifacts(self, number: str) -> Path:
        return self.folder / "artifacts" / number

    def job(self, run: Run, name: str, job: dict[str, Any], outputs: dict[str, dict[str, str]]) -> None:
        known = {"needs", "if", "name", "runs-on", "outputs", "strategy", "steps", "permissions", "timeout-minutes"}
        assert set(job) <= known, set(job) - known
        assert 0 < job["timeout-minutes"] <= 360, "or a job that hangs costs six hours"
        self.allowed = job.get("permissions", self.plan["permissions"])
        assert self.allowed.get("contents", "read") == "read", "or too much be done"
        if "strategy" in job:
            assert self.allowed == {"contents": "read"}, "old revisions run there"
        needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
        stopped = run.results.get("") == "cancelled"
        contexts: dict[str, Any] = {
            "inputs": run.inputs,
            "github": {"token": "a token", "repository": "ada/shop"},
            "needs": {need: {"result": run.results[need], "outputs": outputs.get(need, {})} for need in needs},
            "functions": {"fromJSON": json.loads, "cancelled": lambda: stopped, "always": lambda: True},
        }
        condition = job.get("if", "")
        ready = all(run.results[need] == "success" for need in needs) and not stopped
        asks_for_status = "cancelled()" in condition or "always()" in condition
        if not (ready or asks_for_status) or (condition and not fill(condition, contexts)):
            run.results[name] = "skipped"
            return
        matrix = job.get("strategy", {}).get("matrix", {})
        assert job.get("strategy", {"fail-fast": False})["fail-fast"] is False, "or one failure cancels the others"
        cells: list[dict[str, Any]] = [{}]
        for key, values in matrix.items():
            values = fill(values, contexts)
            assert isinstance(values, list), values
            assert 0 < len(values) <= 256, "the service refuses the matrix"
            cells = [{key: value} for value in values]
        results = []
        round_ = len(self.runs)
        for place, cell in enumerate(cells):
            if matrix and self.cancelled.get(round_) == place:
                run.results[""] = run.results[name] = "cancelled"
                return
            lost = bool(matrix) and (round_, place) in self.lost
            result, made = self.steps(run, f"{name}-{place}", job, {**contexts, "matrix": cell}, lost=lost)
            results.append(result)
            outputs[name] = made
        run.results[name] = "success" if set(results) == {"success"} else "failure"

    def steps(
        self, run: Run, name: str, job: dict[str, Any], contexts: dict[str, Any], *, lost: bool
    ) -> tuple[str, dict[str, str]]:
        home = self.folder / "machines" / f"{run.number}-{name}"
        (home / "temp").mkdir(parents=True)
        work = home / "work"
        contexts["runner"] = {"temp": str(home / "temp")}
        result = self.perform(run, job["steps"], contexts, home, work, lost=lost)
        if result == "lost":
            return "failure", {}
        summary = home / "summary"
        run.summary += summary.read_text() if summary.exists() else ""
        made = {key: fill(value, contexts) for key, value in job.get("outputs", {}).items()}
        return result, {key: value for key, value in made.items() if value is not None}

    def perform(
        self, run: Run, steps: list[dict[str, Any]], contexts: dict[str, Any], home: Path, work: Path, *, lost: bool
    ) -> str:
        """Does steps one after the other; their result."""
        contexts["steps"] = {}
        result = "success"
        for place, step in enumerate(steps):
            assert set(step) <= {"id", "name", "if", "uses", "with", "env", "run", "shell"}, step
            condition = step.get("if", "")
            asks_for_status = "cancelled()" in condition or "always()" in condition
            if (result != "success" and not asks_for_status) or (condition and not fill(condition, contexts)):
                continue
            if lost and "run" in step:
                return "lost"
            given = {key: fill(value, contexts) for key, value in step.get("with", {}).items()}
            outputs: dict[str, str] = {}
            if step.get("uses") == OURS:
                ended = self.composite(run, given, outputs, home, work)
            elif "uses" in step:
                ended = self.action(step["uses"], given, run, work)
            else:
                assert "${{" not in step["run"], "texts of others do not belong into a script"
                work.mkdir(exist_ok=True)
                out = home / f"output-{len(list(home.glob('output-*')))}"
                out.touch()
                env = {key: text(fill(value, contexts)) for key, value in step.get("env", {}).items()}
                env = self.plan.get("env", {}) | env | self.variables(run, home, out)
                ended = self.tools.run(step["run"], work, env) == 0
                outputs |= dict(line.split("=", 1) for line in out.read_text().splitlines())
            contexts["steps"][step.get("id", place)] = {"outputs": outputs}
            result = result if ended else "failure"
        return result

    def composite(self, run: Run, given: dict[str, Any], outputs: dict[str, str], home: Path, work: Path) -> bool:
        """Our own action, which is steps in its place; whether it succeeded."""
        plan = yaml.safe_load((ROOT / "action.yml").read_text())
        assert set(plan) == {"name", "description", "inputs", "outputs", "runs"}
        assert plan["runs"]["using"] == "composite"
        assert all(step.get("shell") == "bash" for step in plan["runs"]["steps"] if "run" in step), (
            "there is no default"
        )
        declared = plan["inputs"]
        assert set(given) <= set(declared)
        assert all(name in given for name, about in declared.items() if about.get("required"))
        inputs = {name: text(given.get(name, about.get("default"))) for name, about in declared.items()}
        contexts = {
            "inputs": inputs,
            "runner": {"temp": str(home / "temp")},
            "functions": {"always": lambda: True},
        }
        result = self.perform(run, plan["runs"]["steps"], contexts, home, work, lost=False)
        outputs |= {name: text(fill(about["value"], contexts)) for name, about in plan["outputs"].items()}
        return result == "success"

    def variables(self, run: Run, home: Path, out: Path) -> dict[str, str]:
        return {
            "GITHUB_OUTPUT": str(out),
            "GITHUB_STEP_SUMMARY": str(home / "summary"),
            "GITHUB_RUN_ID": run.number,
            "GITHUB_WORKFLOW_REF": f"ada/shop/.github/workflows/{self.workflow.name}@refs/heads/b@2",
            "GITHUB_REF_NAME": "main",
            "RUNNER_TEMP": str(home / "temp"),
            "ALLOWED": json.dumps(self.allowed),
            "ARTIFACTS": str(self.folder / "artifacts"),
        }

    def action(self, uses: str, given: dict[str, Any], run: Run, work: Path) -> bool:
        """One of the service's own actions; whether it succeeded."""
        match uses:
            case _ if uses == CHECKOUT:
                assert set(given) <= {"fetch-depth", "ref", "persist-credentials"}
                assert self.allowed["contents"] == "read", "or nothing can be checked out"
                assert given["persist-credentials"] is False, "or what runs there finds the token"
                clone(self.repository, work, given.get("ref"), given.get("fetch-depth", 1))
            case _ if uses == UPLOAD:
                assert set(given) <= {"name", "path", "if-no-files-found", "overwrite"}
                place = Path(os.path.join(work, given["path"]))
                sources = list(place.parent.glob(place.name))
                target = self.artifacts(run.number) / given["name"]
                if not sources:
                    return given.get("if-no-files-found") != "error"
                if target.exists():
                    if not given.get("overwrite"):
                        return False
                    shutil.rmtree(target)
                target.mkdir(parents=True)
                for source in sources:
                    shutil.copy(source, target)
            case _ if uses == DOWNLOAD:
                assert set(given) <= {"pattern", "path", "merge-multiple", "run-id", "github-token"}
                number = given.get("run-id", run.number)
                if "run-id" in given:
                    assert given["github-token"] == "a token"
                    assert self.allowed["actions"] in ("read", "write"), "or it may not look into other runs"
                found = [one for one in self.artifacts(number).glob("*") if fnmatch(one.name, given["pattern"])]
                for artifact in found:
                    to = work / given["path"] / ("" if given["merge-multiple"] else artifact.name)
                    shutil.copytree(artifact, to, dirs_exist_ok=True)
            case _:
                raise AssertionError(f"unknown action {uses}")
        return True
