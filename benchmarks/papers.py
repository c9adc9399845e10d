"""Figures that papers publish, for comparison with the measurements."""

from __future__ import annotations

IDD_TABLE_2 = {
    "IDD-h": {"step_patch": 217, "step_build": 70, "step_test": 18, "step_timeout": 3},
    "IDD": {"step_patch": 433, "step_build": 88, "step_test": 28, "step_timeout": 1},
}
"""Artho 2011, Table 2: reasons why a carried patch did not work at a version, summed over 13 cases."""

IDD_TABLE_3 = {
    "IDD-h": {"part_build": 350231, "part_test": 28932, "part_timeout": 1302, "removed": 0.42},
    "IDD": {"part_build": 1073686, "part_test": 52906, "part_timeout": 1998, "removed": 0.30},
}
"""Artho 2011, Table 3: failed runs of delta debugging over 13 cases; test is assertion, memory, and other."""

IDD_TABLE_4 = {
    "Uncrustify (comments)": ((567, 667), None, None, 50, (39170, 52483)),
    "JPF (infinite loop)": ((0, 0), (169, 344), (272, 1133), 255, (15013, 57140)),
    "JNuke (jar file parser)": ((0, 0), (19, 55), (2, 20), 2, (117, 335)),
    "JNuke (class loader)": ((635, 586), None, None, 2, (26141, 96870)),
    "JNuke (bytecode instr.)": ((1017, 1448), (700, 1395), (238, 2098), 4, (148619, 647490)),
    "itext (Unicode problem)": ((86, 94), None, None, None, (3597, 12678)),
    "hsqldb (deadlock)": ((0, 0), (15, 102), ("> 4000", "> 6000"), 411, (164472, 200579)),
    "hsqldb (NullPointerException)": ((0, 0), (766, 964), (239, 2030), 107, (6012, 110469)),
}
"""Artho 2011, Table 4: carried, initial, final, human, runs; pairs are IDD-h and IDD. Five more cases took 0 runs."""

RPA_TABLE_1 = {
    "RPA multiplying": {"RPA binary": 0.69, "git bisect": 0.71},
    "RPA binary": {"RPA multiplying": 0.29, "git bisect": 0.77},
    "git bisect": {"RPA multiplying": 0.28, "RPA binary": 0.02},
}
"""Bendík et al. 2018, Table 1: share of 1,069 instances with strictly fewer runs than another algorithm."""

RPA_TABLE_2 = {
    "RPA multiplying": {"RPA binary": 0.67, "git bisect": 0.79},
    "RPA binary": {"RPA multiplying": 0.02, "git bisect": 0.48},
    "git bisect": {"RPA multiplying": 0.03, "RPA binary": 0.30},
}
"""Bendík et al. 2018, Table 2: share of 1,069 instances with a strictly closer regression point."""

RPA_MOST_RUNS = {"git bisect": 17, "RPA binary": 16, "RPA multiplying": 101, "RPA linear": 3458}
"""Bendík et al. 2018, Section 4.1: the most runs of a search."""

FACF_WITH_CULPRIT = {"Bisect(1)": 0.961, "FACF(all)": 0.975}
"""Henderson et al. 2023, Section 5.6: accuracy where there is a culprit. The other figures are only in plots."""

FACF_SIGNIFICANCE = 1e-6
"""Henderson et al. 2023, Section 5.4: the significance level of all tests."""

CULPRIT_FINDER_FIRST_FIVE = 0.82
"""Ziftci and Reardon 2017: share of culprits among the first five of thousands of suspects, in 140 projects."""

DEFINER_RUNS = {
    "I1": (28, 168, 286),
    "I2": (25, 25, 39),
    "I3": (89, 89, 18),
    "C1": (28, 172, 174),
    "C2": (32, 57, 74),
    "M1": (7, 28, 126),
    "M2": (5, 7, 20),
    "M3": (35, 35, 29),
}
"""Li et al. 2016, Figure 10, from tables of its authors: runs of the default, of learning alone, and of neither."""
