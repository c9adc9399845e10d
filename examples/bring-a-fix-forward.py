"""Finds a version that passes a new test, the cause of the failure, and a fix for main: docs/bring-a-fix-forward.md."""

import firstbad as fb

TEST = """
from shop.prices import price
assert price.__doc__, "a price is not described"
assert price(335) == 335, f"3.35 is printed as {price(335) / 100:.2f}"
"""
BUILD = "import shop"

repo = fb.Repository(".")
with repo.command_oracle(["python3", "-B", "-c", TEST], build=["python3", "-B", "-c", BUILD]) as oracle:
    found = fb.iterative_delta_debugging(repo, oracle, start="main", forward="main")
print(found.status)
print([change.text.strip() for change in found.carried.changes])
print([change.text.strip() for change in found.cause.changes])

# Prints:
# found
# ['"""The price as printed."""']
# ['return cents', 'return round(cents, -1)']
