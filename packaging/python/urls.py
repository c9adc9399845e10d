"""Writes the address of the repository into pyproject.toml: `urls.py ADDRESS`.

The release passes its own repository. No other file contains the address.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def with_urls(project: str, address: str) -> str:
    """Returns a pyproject.toml with the addresses of a repository."""
    urls = {"Homepage": f"{address}#readme", "Repository": address, "Issues": f"{address}/issues"}
    lines = [f"{name} = {json.dumps(url)}" for name, url in urls.items()]
    return "\n".join([project.rstrip("\n"), "", "[project.urls]", *lines, ""])


if __name__ == "__main__":
    file = ROOT / "pyproject.toml"
    file.write_text(with_urls(file.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")
