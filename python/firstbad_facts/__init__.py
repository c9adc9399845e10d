"""Facts that a test run shows about the definitions that a history changes, for `firstbad.slice_history`.

`pytest --firstbad-facts` traces calls of these definitions alone, and writes what was true of their parameters,
results and attributes in all of them. It is pure Python and needs nothing of `firstbad`, so it works wherever the test
runs: at old revisions, and in an environment of its own. User code is never called for it: no `__eq__`, no `__repr__`,
no property.

`FIRSTBAD_DEFINITIONS` names a file with the definitions: a JSON list of objects with a `file`, from the top of the
repository, and a qualified `name`. `FIRSTBAD_SIGNALS` names the file that takes the facts. A command oracle in
`firstbad.slice_history` sets both.

The kinds of facts are `constant`, `one_of`, `range`, `sign`, `not_none` and `type` (Li et al. 2016, DEFINER, Section
3).
"""
