"""Reduces a patch without a repository: docs/reduce-a-patch.md."""

import firstbad as fb

patch = fb.Patch.parse("""\
--- a/prices.txt
+++ b/prices.txt
@@ -1,3 +1,4 @@
 Assam 335
-Sencha 410
+Sencha 4.50
 Matcha 990
+Oolong 520
""")
before = {"prices.txt": "Assam 335\nSencha 410\nMatcha 990\n"}


def breaks(part: fb.Patch) -> bool:
    """Returns whether the part brings the failure back: a price with a point."""
    return "." in part.apply(before)["prices.txt"]


report = fb.minimize_patch(patch, breaks)
print([change.text for change in report.items.changes])

# Prints:
# ['Sencha 4.50']
