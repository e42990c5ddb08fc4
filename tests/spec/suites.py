# SPDX-License-Identifier: BSD-3-Clause
"""What SPEC's suites consist of, from the public descriptions of the codes and of the results."""

MPI2007 = {
    "medium": "104.milc 107.leslie3d 113.GemsFDTD 115.fds4 121.pop2 122.tachyon 126.lammps 127.wrf2 128.GAPgeofem 129.tera_tf "
    "130.socorro 132.zeusmp2 137.lu".split(),
    "large": "121.pop2 122.tachyon 125.RAxML 126.lammps 128.GAPgeofem 129.tera_tf 132.zeusmp2 137.lu 142.dmilc 143.dleslie "
    "145.lGemsFDTD 147.l2wrf2".split(),
}

MPI2007_LANGUAGES = {
    **dict.fromkeys("104.milc 122.tachyon 125.RAxML 142.dmilc".split(), "C"),
    **dict.fromkeys("126.lammps".split(), "C++"),
    **dict.fromkeys("107.leslie3d 113.GemsFDTD 129.tera_tf 137.lu 143.dleslie 145.lGemsFDTD".split(), "Fortran"),
    **dict.fromkeys("115.fds4 121.pop2 127.wrf2 128.GAPgeofem 130.socorro 132.zeusmp2 147.l2wrf2".split(), "Fortran and C"),
}

# (number, name, language) and whether the medium and large suites have it.
HPC_CODES = [
    (5, "lbm", "C", True),
    (13, "soma", "C", False),
    (18, "tealeaf", "C", True),
    (19, "clvleaf", "Fortran", True),
    (21, "miniswp", "C", False),
    (28, "pot3d", "Fortran", True),
    (32, "sph_exa", "C++", False),
    (34, "hpgmgfv", "C", True),
    (35, "weather", "Fortran", True),
]


def hpc_suite(hundreds, letter, is_big):
    return [f"{hundreds * 100 + number}.{name}_{letter}" for number, name, _, in_big in HPC_CODES if in_big or not is_big]


HPC2021 = {
    "tiny": hpc_suite(5, "t", False),
    "small": hpc_suite(6, "s", False),
    "medium": hpc_suite(7, "m", True),
    "large": hpc_suite(8, "l", True),
}


def codes(suites):
    return sorted({code for suite in suites.values() for code in suite})


def suites_of(code, suites):
    return [name for name, members in suites.items() if code in members]
