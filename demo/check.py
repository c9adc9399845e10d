"""The test of the demo, which runs in a checkout of the shop and checks the price of three teas.

It has the exit codes of `git bisect run`: 0 passes, 1 fails, and 125 is unresolved.
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
