"""What `gh` and `curl` answer to the recipes of docs/ci: runs, artifacts, and issues, which a file keeps.

    python ci_answers.py gh|curl WORDS...

Whatever it does not know is an error.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

CALLS = Path(os.environ["CALLS"])
ISSUES = CALLS / "issues.json"


def issues() -> list[dict[str, Any]]:
    return json.loads(ISSUES.read_text()) if ISSUES.exists() else []


def keep(number: int, **fields: Any) -> dict[str, Any]:
    """Creates or changes an issue."""
    every = issues()
    if number > len(every):
        every.append({"number": number, "labels": [], "changes": 0})
    issue = every[number - 1]
    issue |= {"changes": issue["changes"] + 1, **fields}
    ISSUES.write_text(json.dumps(every))
    return issue


def options(words: list[str]) -> dict[str, str]:
    """The options of gh, which all have a value except the last one of some commands."""
    assert len(words) % 2 == 0, words
    assert all(word.startswith("--") for word in words[::2]), words
    return dict(zip(words[::2], words[1::2], strict=True))


def gh(words: list[str]) -> None:
    match words:
        case ["workflow", "run", *_]:
            (CALLS / os.environ["GITHUB_RUN_ID"]).write_text("".join(f"{word}\n" for word in words))
            return
        case _:
            assert os.environ["GH_TOKEN"] == "a token"
            allowed = json.loads(os.environ["ALLOWED"])
    match words:
        case ["run", "list", *rest]:
            assert allowed["actions"] == "read"
            given = options(rest)
            jq = given.pop("--jq")
            assert given.pop("--workflow").endswith(".yml")
            wanted = {"--branch": "main", "--status": "success", "--limit": "1", "--json": "databaseId,headSha"}
            assert given == wanted, given
            runs = [run for run in json.loads((CALLS / "runs.json").read_text()) if run.pop("status") == "success"]
            print(subprocess.check_output(["jq", "-r", jq], input=json.dumps(runs[-1:]), text=True), end="")
        case ["run", "download", number, *rest]:
            assert allowed["actions"] == "read"
            given = options(rest)
            source = Path(os.environ["ARTIFACTS"]) / number / given["--name"]
            if not source.exists():
                sys.exit("no valid artifacts found to download")
            shutil.copytree(source, given["--dir"])
        case ["label", "create", "firstbad", "--description", _, "--force"]:
            assert allowed == {"issues": "write"}
        case ["issue", "list", *rest]:
            assert os.environ["GH_REPO"] == "ada/shop"
            wanted = {"--label": "firstbad", "--state": "all", "--limit": "1000", "--json": "number,body"}
            assert options(rest) == wanted, rest
            print(json.dumps([{"number": one["number"], "body": one["body"]} for one in issues()]))
        case ["issue", "edit" | "create", *rest]:
            assert allowed == {"issues": "write"}
            number = int(rest.pop(0)) if words[1] == "edit" else len(issues()) + 1
            given = options(rest)
            assert (given.get("--label") == "firstbad") == (words[1] == "create")
            keep(number, title=given["--title"], body=Path(given["--body-file"]).read_text())
        case _:
            sys.exit(f"unknown: {words}")


def curl(words: list[str]) -> None:
    """The interface of GitLab for issues."""
    url = words.pop()
    top = "https://gitlab.example/api/v4/projects/7/issues"
    assert url.startswith(top), url
    flags = {word for word in words if word in ("--fail", "--silent", "--show-error", "--get")}
    rest = [word for word in words if word not in flags]
    assert flags >= {"--fail", "--silent", "--show-error"}
    assert rest[:2] == ["--header", f"PRIVATE-TOKEN: {os.environ['ISSUES_TOKEN']}"]
    fields, method = {}, "POST"
    for option, value in zip(rest[2::2], rest[3::2], strict=True):
        if option == "--request":
            method = value
        elif option == "--data-urlencode" and "=" not in value.partition("@")[0]:
            name, _, path = value.partition("@")
            fields[name] = Path(path).read_text()
        else:
            assert option in ("--data", "--data-urlencode"), option
            name, _, fields[name] = value.partition("=")
    if "--get" in flags:
        assert fields == {"labels": "firstbad", "order_by": "updated_at", "per_page": "100"}
        every = [{"iid": one["number"], "description": one["body"]} for one in issues()]
        print(json.dumps(every))
        return
    assert fields.pop("labels", None) == ("firstbad" if method == "POST" else None)
    number = int(url.removeprefix(f"{top}/")) if method == "PUT" else len(issues()) + 1
    keep(number, title=fields.pop("title"), body=fields.pop("description"))
    assert not fields
    print(json.dumps({"iid": number, "web_url": f"https://gitlab.example/issues/{number}"}))


if __name__ == "__main__":
    {"gh": gh, "curl": curl}[sys.argv[1]](sys.argv[2:])
