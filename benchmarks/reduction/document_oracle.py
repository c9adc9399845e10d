"""Interesting: a document still parses, and has a worker that retries without a limit while the default has one.

Exit codes: 0 interesting, 1 not, 125 does not parse.
"""

from __future__ import annotations

import json
import sys


def retries_without_limit(worker: object) -> bool:
    retries = worker.get("retries") if isinstance(worker, dict) else None
    return isinstance(retries, dict) and "limit" in retries and retries["limit"] is None


def interesting(document: object) -> bool:
    try:
        limit = document["defaults"]["worker"]["retries"]["limit"]  # type: ignore[index]
        pools = document["pools"]  # type: ignore[index]
    except (KeyError, TypeError):
        return False
    if not isinstance(limit, int) or not isinstance(pools, list):
        return False
    workers = [worker for pool in pools if isinstance(pool, dict) for worker in pool.get("workers", [])]
    return any(retries_without_limit(worker) for worker in workers)


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    try:
        document = json.loads(text)
    except ValueError:
        return 125
    return 0 if interesting(document) else 1


if __name__ == "__main__":
    sys.exit(main())
