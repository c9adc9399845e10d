"""The demo's test: run in a checkout of the shop, it says by its exit code whether three teas cost what they should.

Exit codes are those of `git bisect run`: 0 passes, 1 fails, 125 could not be told.
"""

import os
import sys

if log := os.environ.get("DEMO_LOG"):
    with open(log, "a", encoding="utf-8") as file:
        file.write("run\n")

sys.dont_write_bytecode = True
sys.path.insert(0, os.getcwd())
try:
    from shop import receipt
except ImportError as error:
    print(f"does not run: {error}")
    sys.exit(125)

printed = " ".join(receipt([335, 335, 335]).split())
print(printed)
sys.exit(0 if printed == "total 10.05" else 1)
