"""As much of GitLab CI as docs/ci needs: what a pipeline says is done, each job in a process of its own.

Whatever it does not know is an error, so that a recipe cannot come to rely on something that nothing tries.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from ci_machine import Tools, clone
from situations import git

GLOBAL = {"variables", "workflow", "default", "stages"}
KEYWORDS = {
    "stage", "needs", "script", "before_script", "artifacts", "cache", "parallel", "allow_failure", "resource_group",
    "image", "variables", "rules", "trigger", "timeout", "when", "environment",
}  # fmt: skip


def component(file: Path, given: dict[str, str]) -> dict[str, Any]:
    """The pipeline of a component alone, with these inputs."""
    spec, jobs = yaml.safe_load_all(file.read_text())
    declared = spec["spec"]["inputs"]
    assert set(given) <= set(declared)
    inputs = {name: given.get(name, about.get("default")) for name, about in declared.items()}
    missing = [name for name, value in inputs.items() if value is None]
    assert not missing, missing

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {filled(key): filled(one) for key, one in value.items()}
        if isinstance(value, list):
            return [filled(one) for one in value]
        if not isinstance(value, str):
            return value
        return re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda found: inputs[found[1]], value)

    for job in jobs.values():
        scripts = [*job.get("before_script", []), *job["script"]]
        assert not any("$[[" in line for line in scripts), "texts of others do not belong into a script"
    return {"stages": [inputs["stage"]], **filled(jobs)}


@dataclass
class Gitlab:
    """The service: repository, pipeline file, caches."""

    file: Path
    repository: Path
    folder: Path
    # Jobs that the machine loses, by pipeline, name and place.
    lost: set[tuple[int, str, int]] = field(default_factory=set)
    # Of a component, its inputs.
    inputs: dict[str, str] | None = None
    pipelines: int = 0

    def __post_init__(self) -> None:
        self.plan = yaml.safe_load(self.file.read_text()) if self.inputs is None else component(self.file, self.inputs)
        self.tools = Tools.make(self.folder / "tools")

    def jobs(self) -> dict[str, dict[str, Any]]:
        """The jobs with what they extend, in the order of the stages."""
        jobs = {name: job for name, job in self.plan.items() if name not in GLOBAL}

        def whole(job: dict[str, Any]) -> dict[str, Any]:
            base = whole(jobs[job["extends"]]) if "extends" in job else {}
            return base | {key: value for key, value in job.items() if key != "extends"}

        found = {name: whole(job) for name, job in jobs.items() if not name.startswith(".")}
        for name, job in found.items():
            assert set(job) <= KEYWORDS, (name, set(job) - KEYWORDS)
            for need in job.setdefault("needs", []):
                order = self.plan["stages"].index
                assert order(found[need]["stage"]) <= order(job["stage"]), (name, need)
        return dict(sorted(found.items(), key=lambda one: self.plan["stages"].index(one[1]["stage"])))

    def started(self, source: str) -> dict[str, dict[str, Any]]:
        """The jobs of a pipeline that something has started."""

        def holds(rule: dict[str, str]) -> bool:
            found = re.fullmatch(r'\$CI_PIPELINE_SOURCE (==|!=) "(\w+)"', rule["if"])
            assert found, rule
            return (found[2] == source) == (found[1] == "==")

        jobs = self.jobs().items()
        return {name: job for name, job in jobs if all(map(holds, job.get("rules", [])))}

    def below(self) -> dict[str, dict[str, Any]]:
        """The jobs of the pipeline that does the work: the one that is started, or the one that it triggers."""
        jobs = self.started("web")
        triggers = [job for job in jobs.values() if "trigger" in job]
        if not triggers:
            return jobs
        assert len(jobs) == 1, "nothing goes on beside it"
        [search] = triggers
        assert search["resource_group"] == "firstbad-$SEARCH", "or two searches write to one journal"
        include = [{"local": ".gitlab-ci.yml"}]
        assert search["trigger"] == {
            "include": include, "strategy": "depend", "forward": {"pipeline_variables": True}
        }  # fmt: skip
        rounds = self.started("parent_pipeline")
        assert not any("resource_group" in job for job in rounds.values()), "it would wait for what is held above"
        return rounds

    def pipeline(self, variables: dict[str, str], until: str | None = None) -> dict[str, str]:
        """Runs a pipeline, or cancels it when it comes to a job; how each job ended."""
        self.pipelines += 1
        results: dict[str, str] = {}
        for name, job in self.below().items():
            if name == until:
                return results
            is_green = all(results[need] in ("success", "warning") for need in job["needs"])
            if is_green != (job.get("when", "on_success") == "on_success"):
                results[name] = "skipped"
                continue
            count = job.get("parallel", 1)
            ended = [self.job(name, job, variables, place, count) for place in range(1, count + 1)]
            bad = "warning" if job.get("allow_failure") else "failed"
            results[name] = "success" if all(ended) else bad
        return results

    def artifacts(self, name: str) -> Path:
        return self.folder / "artifacts" / str(self.pipelines) / name

    def job(self, name: str, job: dict[str, Any], given: dict[str, str], place: int, count: int) -> bool:
        work = self.folder / "machines" / f"{self.pipelines}-{name}-{place}".replace(" ", "-")
        assert job["timeout"].endswith(("m", "h")), "or a job that hangs goes on for as long as the project allows"
        variables = self.plan.get("variables", {}) | given
        for key, value in job.get("variables", {}).items():
            # What is not to be expanded is said to be so.
            assert isinstance(value, dict) or "$" not in value, (key, value)
            variables[key] = value["value"] if isinstance(value, dict) else value
        assert all(isinstance(value, str) for value in variables.values()), "variables are texts"
        assert variables["GIT_DEPTH"] == "0", "or git does not have what is to be tested"
        clone(self.repository, work, None, 0)
        variables["CI_COMMIT_SHA"] = git(work, "rev-parse", "HEAD").strip()
        key = ""
        if "cache" in job:
            key = re.sub(r"\$(\w+)", lambda found: variables[found[1]], job["cache"]["key"])
            assert "/" not in key
            assert "$" not in key
            # Caches come first, artifacts over them.
            self.copy(self.folder / "caches" / key, work, ["**/*"])
        for need in job["needs"]:
            for one in sorted(self.artifacts(need).glob("*")):
                self.copy(one, work, ["**/*"])
        if (self.pipelines, name, place) in self.lost:
            return False
        variables |= {"CI_API_V4_URL": "https://gitlab.example/api/v4", "CI_PROJECT_ID": "7"}
        if "environment" in job:
            assert job["environment"] == {"name": "issues", "action": "access"}
            variables["ISSUES_TOKEN"] = "a secret"
        parallel = {"CI_NODE_INDEX": str(place), "CI_NODE_TOTAL": str(count)} if count > 1 else {}
        # before_script and script are one script.
        script = "\n".join([*job.get("before_script", []), *job["script"]])
        ended = self.tools.run(script, work, variables | parallel) == 0
        if "artifacts" in job and (ended or job["artifacts"].get("when") == "always"):
            self.copy(work, self.artifacts(name) / str(place), self.patterns(job["artifacts"]["paths"]))
        if "cache" in job and (ended or job["cache"].get("when") == "always"):
            self.copy(work, self.folder / "caches" / key, self.patterns(job["cache"]["paths"]))
        return ended

    @staticmethod
    def patterns(paths: list[str]) -> list[str]:
        return [path + "**/*" if path.endswith("/") else path for path in paths]

    @staticmethod
    def copy(source: Path, target: Path, patterns: list[str]) -> None:
        for pattern in patterns:
            for file in source.glob(pattern):
                if file.is_file():
                    to = target / file.relative_to(source)
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file, to)
