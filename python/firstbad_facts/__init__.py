"""Collects facts about the definitions that a history changes, for `firstbad.slice_history`.

`pytest --firstbad-facts` traces the calls of these definitions, and writes facts that hold for their parameters,
results and attributes in all calls. The package is pure Python and does not need `firstbad`, so it works at old
revisions and in other environments. It never calls user code, such as `__eq__`, `__repr__`, or properties.

`FIRSTBAD_DEFINITIONS` names a file with the definitions: a JSON list of objects with a `file`, from the top of the
repository, and a qualified `name`. `FIRSTBAD_SIGNALS` names the output file. A command oracle in
`firstbad.slice_history` sets both.

The kinds of facts are `constant`, `one_of`, `range`, `sign`, `not_none` and `type` (Li et al. 2016, DEFINER, Section
3).
"""
